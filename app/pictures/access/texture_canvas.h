#pragma once

#include "app/pictures/access/warp_canvas.h"
#include "kernels/texture_layout.h"

#include <array>
#include <vector>

namespace warplens {

/// One sector of a texture with the lanes that want its texels.
struct FetchedSector {
    int x = 0, y = 0;                                                    ///< [sectors]
    std::array<std::uint32_t, kSectorTexelsX * kSectorTexelsY> lanes{};  ///< of each texel, row by row
    std::uint32_t all_lanes = 0;
};

/// What a request wants of a texture.
struct TexturePlan {
    int width = 0, height = 0;  ///< [texels]
    std::array<Texel, kWarpLanes> texel{};
    std::uint32_t inside = 0, outside = 0;  ///< active lanes that fetch, and those beyond the edge
    std::vector<FetchedSector> sectors;     ///< in the order of the lowest lane that wants each
};
TexturePlan plan_texture(const WarpAccess& access, const LaunchShape* shape);

/// The sectors along one direction that a map shows: those that are fetched, and between them what is not too
/// far.
struct SectorAxis {
    std::vector<int> sectors;  ///< rising; may begin with -1 and end with one past the last: outside
    int texels = 1;            ///< of one sector in this direction
    float texel = 0;           ///< size of a texel [points]

    static constexpr float kGap = 12;  ///< where sectors are left out [points]
    int gaps_before(std::size_t index) const;
    float start(std::size_t index) const;   ///< of a sector's first texel [points]
    float position(int texel_index) const;  ///< of a texel that is shown [points]
    float length() const { return start(sectors.size()); }
};

/// A part of the texture, drawn to scale.
struct TexelMap {
    SectorAxis columns, rows;
    float x = 0, y = 0;  ///< [points]
    bool coordinates = false;

    float texel() const { return columns.texel; }
    Rect cell(Texel t) const { return {x + columns.position(t.x), y + rows.position(t.y), texel(), texel()}; }
    Rect sector(std::size_t column, std::size_t row) const {
        return {x + columns.start(column), y + rows.start(row), kSectorTexelsX * texel(),
                kSectorTexelsY * texel()};
    }
};
/// How much of the texture a map shows beside the fetched sectors.
struct MapExtent {
    int ring_x = 0, ring_y = 0;  ///< context on each side [sectors]
    bool whole = true;           ///< all sectors between the fetched ones; else long stretches are left out
};
TexelMap lay_out_map(const TexturePlan& plan, Vec2 room, float most_texel, const MapExtent& extent);

struct TextureCanvas : WarpCanvas {
    const TextureReport& report;
    const TexturePlan& plan;
    const LaneRow& lanes;
};

/// Sectors, texels, the edge of the texture, and the walk from lane to lane.
/// @param numbers  of lanes, in the texels.
void draw_map(const TextureCanvas& d, const TexelMap& map, bool numbers);

/// Each group's sectors below its four lanes.
void draw_sheet(const TextureCanvas& d, float top, float bottom);

/// A fetched sector: hatched, with the texels of some lanes over it.
void draw_fetched_sector(const TextureCanvas& d, const FetchedSector& sector, Rect place,
                         std::uint32_t of_lanes, bool numbers);

}  // namespace warplens
