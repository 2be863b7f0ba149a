#pragma once

#include <vector>

namespace warplens::typed {

/// One order for what all warps do: each does its own in it, and what no warp does both of goes by its access
/// and by how often that was made before. Their places in what each did would tell nothing: a warp that made
/// another access before is no later for that.
/// @param warps  numbers of the accesses that each makes, one after the other, from 0
/// @return  the place of each of them in that order
std::vector<std::vector<int>> common_order(std::vector<std::vector<int>> warps);

}  // namespace warplens::typed
