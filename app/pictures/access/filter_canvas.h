#pragma once

#include "app/pictures/access/warp_canvas.h"
#include "kernels/texture_layout.h"

#include <cstdint>
#include <vector>

namespace warplens {

/// The part of a texture round what a warp asks for, in whole sectors; it may reach beyond the texture.
/// If there is room it is wider than needed.
struct TexelRegion {
    Texel first;                       ///< left upper texel
    int columns = 0, rows = 0;         ///< [texels]; 0 if no lane is active
    std::vector<std::uint32_t> lanes;  ///< by row and column: which lanes get the texel
    std::vector<bool> fetched;         ///< by row and column: its sector is fetched

    std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y - first.y) * static_cast<std::size_t>(columns) +
               static_cast<std::size_t>(x - first.x);
    }
};
TexelRegion region_of(const WarpAccess& access, Vec2 room);
/// Side of a texel if the region is to fit [points].
float texel_side(int columns, int rows, Vec2 room);

/// All parts of the picture need these.
struct FilterCanvas : WarpCanvas {
    const InstructionView& view;
    TexelRegion region;
    Rect panel;      ///< of the texels; empty if they are not drawn [points]
    float cell = 0;  ///< side of a texel [points]

    bool linear() const { return access.sampling.linear; }
    Border border() const { return static_cast<Border>(access.sampling.border); }
    /// The lane whose texels are marked: the one under the mouse, with linear filtering else the first one;
    /// or -1.
    int shown() const;
    bool shows_weights() const;  ///< in the texels of the shown lane; then points have no numbers
    Vec2 sample_point(int lane) const;
    Rect texel_cell(int x, int y) const;
    bool inside(int x, int y) const;       ///< the texture, not only the region
    bool in_a_sector(int x, int y) const;  ///< of its own: inside, or where copies of the texture lie whole
    int level(int x, int y) const;         ///< 0 to 255; what the border gives outside
};

/// How much of a lane's value comes from a texel of its footprint.
/// @param right, down  0 or 1
/// @return             0 to 1
float weight_of(const LaneTexel& texel, bool linear, int right, int down);

/// Texels, sectors, sample points, and what can be pointed at.
void draw_filter_texels(const FilterCanvas& d);

}  // namespace warplens
