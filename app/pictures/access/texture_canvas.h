#pragma once

#include "app/pictures/access/warp_canvas.h"
#include "kernels/texture_layout.h"

#include <array>
#include <vector>

namespace warplens {

/// A sector of a texture, 4 x 2 texels, with the lanes that want its texels.
struct FetchedSector {
    int x = 0, y = 0;  ///< position in the texture [sectors]
    /// A mask for each texel, row by row.
    std::array<std::uint32_t, kSectorTexelsX * kSectorTexelsY> lanes{};
    std::uint32_t all_lanes = 0;
};

/// The texels that the lanes of a request want, and the sectors in which they lie.
struct TexturePlan {
    int width = 0, height = 0;  ///< [texels]
    std::array<Texel, kWarpLanes> texel{};
    /// Masks of the active lanes inside the texture, which fetch, and of those beyond its edge.
    std::uint32_t inside = 0, outside = 0;
    std::vector<FetchedSector> sectors;  ///< ordered by the lowest lane that wants each
};
TexturePlan plan_texture(const WarpAccess& access, const LaunchShape* shape);

/// The columns or the rows of sectors that a map shows: the fetched ones, and short stretches between them.
struct SectorAxis {
    /// Their indices, rising. -1 and the one past the last stand for what is outside the texture.
    std::vector<int> sectors;
    int texels = 1;   ///< of a sector in this direction, 4 in x and 2 in y
    float texel = 0;  ///< the size of a texel [points]

    static constexpr float kGap = 12;  ///< the width of a gap where sectors are left out [points]
    int gaps_before(std::size_t index) const;
    float start(std::size_t index) const;   ///< where a sector begins, from the first one on [points]
    float position(int texel_index) const;  ///< the same for a texel, which must be shown [points]
    float length() const { return start(sectors.size()); }
};

/// A part of the texture, in which all texels have the same size.
struct TexelMap {
    SectorAxis columns, rows;
    float x = 0, y = 0;        ///< [points]
    bool coordinates = false;  ///< whether there is room for the coordinates of sectors

    float texel() const { return columns.texel; }
    Rect cell(Texel t) const { return {x + columns.position(t.x), y + rows.position(t.y), texel(), texel()}; }
    Rect sector(std::size_t column, std::size_t row) const {
        return {x + columns.start(column), y + rows.start(row), kSectorTexelsX * texel(),
                kSectorTexelsY * texel()};
    }
};
/// How much of the texture a map shows besides the fetched sectors.
struct MapExtent {
    int ring_x = 0, ring_y = 0;  ///< sectors that are shown on each side of the fetched ones
    bool whole = true;           ///< whether long stretches between the fetched sectors are shown, too
};
TexelMap lay_out_map(const TexturePlan& plan, Vec2 room, float most_texel, const MapExtent& extent);

struct TextureCanvas : WarpCanvas {
    const TextureReport& report;
    const TexturePlan& plan;
    const LaneRow& lanes;
};

/// Draws the sectors and texels, the edge of the texture, and the path from lane to lane.
/// @param numbers  whether the texels have the numbers of their lanes
void draw_map(const TextureCanvas& d, const TexelMap& map, bool numbers);

/// Draws the sectors of each group of four lanes below these lanes, between two heights [points].
void draw_sheet(const TextureCanvas& d, float top, float bottom);

}  // namespace warplens
