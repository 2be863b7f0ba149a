#pragma once

#include "app/model/access/grid_map.h"
#include "app/pictures/kit/canvas.h"

#include <cstdint>
#include <string>

namespace warplens {

/// "1 048 576 warps, all alike: 32 sectors a request, ideal 4".
std::string grid_map_sentence(const GridMap& map);

/// "blocks 0 to 63, 512 warps", and below it "28 to 32 sectors a request, 30.4 on average; ideal 4".
/// @param counts  without it only the place
std::string describe_cell(const GridMap& map, const GridCell& cell, bool counts = true);

/// The grid as a map, for a place of 200 x 50 points and more: one quiet strip if all warps are alike, else
/// its cells. The colour is the mean excess of a request, from none to that of the worst cell; cells whose
/// warps take less are paler; those without a request are empty. A flag stands at the worst request. A Hit's
/// `item` is the index of its cell.
/// @param pictured  the warp that is outlined (Params::warp)
Picture draw_grid_map(const GridMap& map, std::int64_t pictured, const Style& style);

}  // namespace warplens
