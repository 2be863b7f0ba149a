#include "app/pictures/access/texture_canvas.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace warplens {
namespace {

/// "fetched by lanes 0 to 3 and 8 to 11", as the groups that want it.
std::string groups_text(std::uint32_t lanes) {
    int groups = 0;
    for (int group = 0; group < kQuads; ++group) groups += (lanes >> group * kQuadLanes & 0xfu) != 0;
    return groups == 1 ? std::string("fetched once")
                       : fmt::format("fetched {} times, for {} groups", groups, groups);
}

/// Its first texel.
std::string name_of(const FetchedSector& sector) {
    return fmt::format("{}, {}", sector.x * kSectorTexelsX, sector.y * kSectorTexelsY);
}

}  // namespace

void draw_fetched_sector(const TextureCanvas& d, const FetchedSector& sector, Rect place,
                         std::uint32_t of_lanes, bool numbers) {
    Canvas& canvas = d.canvas;
    const Theme& theme = canvas.theme;
    const Vec2 texel{place.w / kSectorTexelsX, place.h / kSectorTexelsY};
    int used = 0;
    for (const std::uint32_t lanes : sector.lanes) used += (lanes & of_lanes) != 0;
    Box box{.rect = inset(place, 0.5f),
            .fill = theme.panel,
            .stroke = theme.outline,
            .rounding = std::min(3.0f, texel.y * 0.2f)};
    if (used < kSectorTexelsX * kSectorTexelsY)
        box.hatch = with_alpha(theme.hatch, d.hovered() >= 0 ? 0.3f : 0.75f);
    canvas.box(box);
    const int x = sector.x * kSectorTexelsX, y = sector.y * kSectorTexelsY;
    canvas.hit(place, -1,
               fmt::format("sector: texels x {} to {}, y {} to {}\n{}\n{} of 8 texels used", x,
                           x + kSectorTexelsX - 1, y, y + kSectorTexelsY - 1,
                           groups_text(sector.all_lanes & of_lanes), used));
    for (int i = 0; i < kSectorTexelsX * kSectorTexelsY; ++i) {
        const std::uint32_t lanes = sector.lanes[static_cast<std::size_t>(i)] & of_lanes;
        if (lanes == 0) continue;
        const Rect cell{place.x + texel.x * static_cast<float>(i % kSectorTexelsX),
                        place.y + texel.y * static_cast<float>(i / kSectorTexelsX), texel.x, texel.y};
        draw_lane_cell(d, inset(cell, std::min(1.0f, texel.y * 0.08f)), lanes, d.color_of(lanes), numbers);
        if (of_lanes != kAllLanes && d.hovered() >= 0 && !d.dimmed(lanes)) canvas.highlight(cell, 2);
        canvas.hit(cell, std::popcount(lanes) == 1 ? std::countr_zero(lanes) : -1,
                   fmt::format("{}\ntexel ({}, {})", name_lanes(lanes), x + i % kSectorTexelsX,
                               y + i / kSectorTexelsX));
    }
}

void draw_sheet(const TextureCanvas& d, float top, float bottom) {
    Canvas& canvas = d.canvas;
    constexpr float kName = 19, kBetween = 5;
    const int rows = *std::max_element(d.report.quad_sectors.begin(), d.report.quad_sectors.end());
    if (rows == 0) return;
    const float each = (bottom - top) / static_cast<float>(rows);
    float widest = 0;
    for (const FetchedSector& sector : d.plan.sectors)
        widest = std::max(widest, canvas.width(name_of(sector), FontRole::body));
    const bool names =
        !is_tiny(canvas.style) && each >= 2 * 14 + kName + kBetween && kQuadLanes * d.lanes.pitch > widest;
    const float texel_h =
        std::min({1.5f * d.lanes.pitch, 36.0f, (each - kBetween - (names ? kName : 0)) / kSectorTexelsY});
    if (texel_h < 2) return;
    const float step = kSectorTexelsY * texel_h + kBetween + (names ? kName : 0);
    for (int group = 0; group < kQuads; ++group) {
        const std::uint32_t lanes = 0xfu << group * kQuadLanes;
        const float x = d.lanes.cell(group * kQuadLanes).x, w = kQuadLanes * d.lanes.pitch;
        float y = top;
        for (const FetchedSector& sector : d.plan.sectors) {
            if ((sector.all_lanes & lanes) == 0) continue;
            if (names)
                canvas.label({x + w / 2, y + ascent(FontRole::body) + 3}, name_of(sector), FontRole::body,
                             canvas.theme.text_weak, Anchor::middle);
            const float tile_y = y + (names ? kName : 0);
            draw_fetched_sector(d, sector, {x, tile_y, w, kSectorTexelsY * texel_h}, lanes, d.lanes.numbers);
            y += step;
        }
    }
}

}  // namespace warplens
