#include "app/model/access/filter_sectors.h"

#include "app/model/access/texture.h"
#include "kernels/scenarios/texture_filter.h"

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

using S = TextureFilter;

/// Sectors of the warp that samples the texture nearest to this place, from the middle of the texture
/// [texels].
int sectors_near(const Scenario& scenario, const Params& params, const SampleGrid& grid, double u, double v) {
    constexpr double kUnit = 65536.0 * kTexelParts;
    const double across = grid.across / kUnit, aslant = grid.aslant / kUnit;
    const double step_squared = across * across + aslant * aslant;
    const auto pixel = [&](double from_middle) {
        return std::clamp(int(std::lround((from_middle / step_squared + S::kImage - 1) / 2)), 0,
                          S::kImage - 1);
    };
    const int x = pixel(u * across - v * aslant), y = pixel(u * aslant + v * across);
    const int warp = y % S::kBlock * S::kBlock / kWarpLanes;  // of the block: so many rows of it
    return count_texture(scenario.warp(params, 0, {x / S::kBlock, y / S::kBlock}, warp, 0)).sectors;
}

double fraction(double value) { return value - std::floor(value); }

}  // namespace

double mean_filter_sectors(const Scenario& scenario, const Params& params) {
    constexpr int kEachWay = 8;
    constexpr double kAcross = kSectorTexelsX, kDown = kSectorTexelsY;
    // Half of what the image shows of the texture, which a rotation leaves inside.
    const double shown = std::min<double>(1 << params.texture_log2, S::kImage * 100.0 / params.zoom_percent);
    const SampleGrid grid = S::grid_of(params);
    double sectors = 0;
    for (int row = 0; row < kEachWay; ++row)
        for (int column = 0; column < kEachWay; ++column) {
            const double right = (column + 0.5) / kEachWay, down = (row + 0.5) / kEachWay;
            // A warp's fetches depend on where its texels begin in a sector. Places of all kinds are as
            // frequent: evenly spread alone, warps may fall into step with the sectors.
            constexpr double kGolden = 0.618;
            const double u = (std::floor((right - 0.5) * shown / 2 / kAcross) +
                              fraction(right + row * kGolden)) *
                             kAcross,
                         v = (std::floor((down - 0.5) * shown / 2 / kDown) +
                              fraction(down + column * kGolden)) *
                             kDown;
            sectors += sectors_near(scenario, params, grid, u, v);
        }
    return sectors / (kEachWay * kEachWay);
}

}  // namespace warplens
