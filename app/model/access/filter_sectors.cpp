#include "app/model/access/filter_sectors.h"

#include "app/model/access/texture.h"
#include "kernels/scenarios/texture_filter.h"

#include <algorithm>

namespace warplens {

double mean_filter_sectors(const Scenario& scenario, const Params& params) {
    using S = TextureFilter;
    // A rotated square contains an upright one of this share of its side at least.
    constexpr int kEachWay = 6, kInsidePercent = 70;
    const int side = (1 << params.texture_log2) * params.zoom_percent / 100;
    const int inside = std::clamp(side * kInsidePercent / 100, 1, S::kImage),
              first = (S::kImage - inside) / 2;
    // Each row and each column a little further on, so that no distance of samples falls into step with the
    // sectors.
    const auto pixel = [&](int i, int skew) {
        return first +
               ((2 * i + 1) * inside / (2 * kEachWay) + skew * inside / (kEachWay * kEachWay)) % inside;
    };
    double sectors = 0;
    for (int row = 0; row < kEachWay; ++row)
        for (int column = 0; column < kEachWay; ++column) {
            const int x = pixel(column, row), y = pixel(row, column);
            const int warp = y % S::kBlock * S::kBlock / kWarpLanes;  // of the block: so many rows of it
            const WarpAccess access = scenario.warp(params, 0, {x / S::kBlock, y / S::kBlock}, warp, 0);
            sectors += count_texture(access).sectors;
        }
    return sectors / (kEachWay * kEachWay);
}

}  // namespace warplens
