#pragma once

// The pieces of bind_launch, which only bind*.cpp need.

#include "app/typed/bind.h"

#include <map>
#include <vector>

namespace warplens::typed {

/// An array of the launch, as a comment declares it.
struct DeclaredArray {
    std::int64_t bytes = 0;
    Content content = Content::unknown;
};
using DeclaredArrays = std::map<const Symbol*, DeclaredArray>;

/// The argument of host code for a parameter of a kernel. Null if that is not known.
const HostArgument* argument_of(const HostLaunch* host, const Unit& unit, const Function& kernel,
                                int parameter);

/// Gives each array its place in its memory. Arrays of the launch lie 256 bytes aligned in one buffer.
/// @param dynamic  bytes of shared memory, if anything says how many; else some are assumed
/// @param room     see bind_launch
void place_memories(BoundLaunch& result, const HostLaunch* host, const DeclaredArrays& declared,
                    std::optional<std::int64_t> dynamic, bool room);

/// Sets the size of the grid, or of the block. Errors: SourceError for what no GPU can launch.
void set_size(Launch& launch, bool grid, const std::vector<std::int64_t>& sizes, Position where);

/// A likely number for a parameter that nothing says, by what it is called.
std::int64_t assumed_number(const Bound& bound, const Symbol& symbol, int attempt);

/// A launch that fits what the kernel asks for: as many dimensions as it uses, blocks as large as its tiles,
/// blocks for as many elements as its sizes say.
void assume_launch(BoundLaunch& result, bool has_grid, bool has_block, int attempt);

}  // namespace warplens::typed
