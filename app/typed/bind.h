#pragma once

#include "app/typed/machine.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace warplens::typed {

/// Values of names, whatever the text says of them.
using Values = std::map<std::string, std::int64_t, std::less<>>;

/// A launch, and how large the memories are that it needs [bytes].
struct BoundLaunch {
    Bound bound;
    std::int64_t shared_bytes = 0, local_bytes = 0, global_bytes = 0;
    std::vector<std::string> warnings;  ///< what was assumed, each one sentence
};

/// Fill in what a launch needs beside the tree, from what the comments of the text say about it.
/// @param values  of the knobs
/// Errors: SourceError.
BoundLaunch bind_launch(const Source& source, const Unit& unit, Values values);

}  // namespace warplens::typed
