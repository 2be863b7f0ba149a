#pragma once

#include "app/typed/machine.h"
#include "app/typed/parse/host.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace warplens::typed {

/// A launch, and how large the memories are that it needs [bytes].
struct BoundLaunch {
    Bound bound;
    std::int64_t shared_bytes = 0, local_bytes = 0, global_bytes = 0;
    std::vector<std::string> warnings;  ///< what was assumed, each one sentence
    AssumedNumbers assumed;             ///< parameters of which nothing says what they are
    std::string out_of_bounds;          ///< memory that the launch does not have; empty if there is none
    bool assumes_launch = false;
    static constexpr int kMostBlocks = 8;
    static constexpr int kSizes = 6;  ///< sizes of arrays: each smaller, and at last numbers that all differ
    int blocks = 1;                   ///< so many sizes of blocks can be assumed
};

/// Fill in what a launch needs beside the tree, from what the comments of the text say about it.
/// @param values  of the knobs
/// Errors: SourceError.
/// @param host     the launch in the host code; null if there is none
/// @param attempt  which of the launches that can be assumed
/// @param room     whether pointers may point into the middle of arrays of which nobody says how large they
/// are
BoundLaunch bind_launch(Source& source, const Unit& unit, const HostLaunch* host, Values values, int attempt,
                        bool room);

/// "// let n = ..." as values, and as types of template parameters. Those that follow from constants of the
/// text are left out.
void read_lets(Source& source, Values& values, std::map<std::string, std::size_t, std::less<>>& types);

}  // namespace warplens::typed
