#include "app/pictures/access/explain.h"
#include "app/pictures/access/texture_canvas.h"
#include "kernels/texture_sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace warplens {
namespace {

constexpr float kCounts = 24;       ///< below the lanes: sectors of each group
constexpr float kCoordinates = 20;  ///< above a map
constexpr float kPlainTexel = 8;    ///< least size of a texel in a large map, without a number

/// Below each group of four lanes how many sectors it fetches.
void draw_counts(const TextureCanvas& d, bool with_name) {
    Canvas& canvas = d.canvas;
    const Theme& theme = canvas.theme;
    const float y = d.lanes.bottom() + 3;
    const float baseline = y + 4 + ascent(FontRole::body);
    if (with_name) canvas.label({canvas.margin(), baseline}, "sectors", FontRole::body, theme.text_weak);
    for (int group = 0; group < kQuads; ++group) {
        if ((d.access.active >> group * kQuadLanes & 0xfu) == 0) continue;
        const Rect first = d.lanes.cell(group * kQuadLanes);
        const float w = kQuadLanes * d.lanes.pitch;
        canvas.line({first.x + 1, y}, {first.x + w - 1, y}, theme.outline, 1.5f);
        const int sectors = d.report.quad_sectors[group];
        std::string text = counted(sectors, "sector");
        if (canvas.width(text, FontRole::body) > w) text = std::to_string(sectors);
        canvas.label({first.x + w / 2, baseline}, text, FontRole::body, sectors > 1 ? theme.bad : theme.text,
                     Anchor::middle);
        canvas.hit({first.x, y, w, 20}, -1,
                   fmt::format("lanes {} to {}: one request\n{}", group * kQuadLanes,
                               (group + 1) * kQuadLanes - 1, counted(sectors, "sector")));
    }
}

/// Lanes beyond the edge look like it.
void mark_outside(const TextureCanvas& d) {
    for (std::uint32_t rest = d.plan.outside; rest != 0; rest &= rest - 1) {
        const Rect cell = d.lanes.cell(std::countr_zero(rest));
        Canvas& canvas = d.canvas;
        canvas.box(
            {.rect = inset(cell, 1), .stroke = canvas.theme.series[0], .stroke_width = 2, .rounding = 2});
    }
}

struct Body {
    float left = 0, top = 0, right = 0, bottom = 0;
};

/// The map with the most context whose texels can hold lane numbers, else the plainest one.
TexelMap choose_map(const TexturePlan& plan, Vec2 room, float number_texel, bool compact) {
    constexpr MapExtent kExtents[] = {{1, 1, true},  {0, 1, true},  {1, 0, true}, {0, 0, true},
                                      {1, 1, false}, {0, 1, false}, {0, 0, false}};
    const float most = compact ? 18.0f : 34.0f;
    for (const MapExtent& extent : kExtents) {
        TexelMap map = lay_out_map(plan, room, most, extent);
        if (map.texel() >= number_texel) return map;
    }
    TexelMap map = lay_out_map(plan, room, most, {.ring_y = 1});
    return map.texel() >= kPlainTexel ? map : lay_out_map(plan, room, most, {});
}

/// A small map at the right edge, with context where it costs no size and leaves the lanes their numbers.
TexelMap lay_out_side_map(const Canvas& canvas, const TexturePlan& plan, const Body& body) {
    constexpr float kName = 20, kMostTexel = 12;
    const float width = body.right - body.left;
    const Vec2 room{0.26f * width, body.bottom - body.top - kName - 4};
    TexelMap map = lay_out_map(plan, room, kMostTexel, {});
    const TexelMap with_context = lay_out_map(plan, room, kMostTexel, {.ring_x = 1});
    const float lanes = width - 22 - with_context.columns.length() - 8 * 7;
    if (with_context.texel() > 0.98f * map.texel() && lanes / kWarpLanes >= canvas.lane_number_cell())
        map = with_context;
    map.x = body.right - map.columns.length();
    map.y = body.top + kName;
    return map;
}

std::string describe_lane(const TexturePlan& plan, int lane) {
    if ((plan.outside >> lane & 1u) != 0) return "outside the texture: no texel is read";
    const Texel t = plan.texel[lane];
    return fmt::format("texel ({}, {})\nsector x {} to {}, y {} to {}", t.x, t.y, t.x / 4 * 4,
                       t.x / 4 * 4 + 3, t.y / 2 * 2, t.y / 2 * 2 + 1);
}

/// A map large enough to read, below the lanes.
bool draw_large_map(const WarpCanvas& warp, const TextureReport& report, const TexturePlan& plan,
                    const LaneRow& lanes, const Body& body) {
    const bool compact = is_tiny(warp.canvas.style);
    const bool coordinates = !compact && body.bottom - body.top > 120;
    const float side = coordinates ? warp.canvas.width("y 00000", FontRole::body) + 8 : 0;
    const float above = coordinates ? kCoordinates : 4.0f;
    const Vec2 room{body.right - body.left - 2 * side, body.bottom - body.top - above - 4};
    const float number = std::max(warp.canvas.lane_number_cell(), 19.0f);
    TexelMap map = choose_map(plan, room, number, compact);
    if (map.texel() < (compact ? 5.0f : kPlainTexel)) return false;
    map.coordinates = coordinates;
    map.x = std::round((body.left + body.right - map.columns.length()) / 2);
    const float spare = room.y - map.rows.length();
    map.y = body.top + above + std::clamp(spare * 0.35f, 0.0f, 40.0f);
    draw_map({warp, report, plan, lanes}, map, map.texel() >= number);
    return true;
}

int lanes_outside(const WarpAccess& access) {
    int outside = 0;
    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
        outside += is_outside(access.byte_address[std::countr_zero(rest)]);
    }
    return outside;
}

/// Texels from one pixel to the next, seen along the first row of the warp.
double texels_per_pixel(const WarpAccess& access) {
    const LaneTexel &a = access.texel[0], &b = access.texel[1];
    return std::hypot(b.x - a.x + double(b.fraction_x - a.fraction_x) / kTexelParts,
                      b.y - a.y + double(b.fraction_y - a.fraction_y) / kTexelParts);
}

int lanes_beyond_the_edge(const WarpAccess& access) {
    int outside = 0;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        const LaneTexel& texel = access.texel[lane];
        const bool inside = texel.x >= 0 && texel.y >= 0 && texel.x < access.sampling.width &&
                            texel.y < access.sampling.height;
        outside += (access.active >> lane & 1u) != 0 && !inside;
    }
    return outside;
}

/// Lanes outside the texture get this, by Border.
constexpr std::string_view kBeyond[] = {"they get the nearest texel of the edge",
                                        "there it is black, and no texel is used",
                                        "there the texture starts again", "there the texture is mirrored"};

}  // namespace

TexturePlan plan_texture(const WarpAccess& access, const LaunchShape* shape) {
    TexturePlan plan;
    plan.width = shape == nullptr ? 0 : shape->texture.x;
    plan.height = shape == nullptr ? 0 : shape->texture.y;
    if (plan.width < kSectorTexelsX) return plan;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        if ((access.active >> lane & 1u) == 0) continue;
        const bool outside = is_outside(access.byte_address[lane]);
        const Texel t = texel_at(access.byte_address[lane] & ~kOutsideTexture, plan.width);
        plan.texel[lane] = t;
        (outside ? plan.outside : plan.inside) |= 1u << lane;
        const int x = t.x / kSectorTexelsX, y = t.y / kSectorTexelsY;
        auto sector = std::find_if(plan.sectors.begin(), plan.sectors.end(),
                                   [&](const FetchedSector& s) { return s.x == x && s.y == y; });
        if (sector == plan.sectors.end()) sector = plan.sectors.insert(sector, {.x = x, .y = y});
        const int inside = t.y % kSectorTexelsY * kSectorTexelsX + t.x % kSectorTexelsX;
        if (!outside) sector->lanes[inside] |= 1u << lane;
        sector->all_lanes |= 1u << lane;
    }
    return plan;
}

Picture draw_texture(const InstructionView& view, const Style& style) {
    const WarpAccess& access = view.report->access;
    const TextureCount& count = view.texture->count;
    const bool compact = style.compact;
    Canvas canvas(style, title_of(view, style, picture_title(Space::texture)),
                  compact ? "texture" : subtitle_of(view, style, "texture"));
    const Explanation explanation = explain(view);
    PictureFrame frame = open_frame(canvas, explanation, 90);
    const WarpCanvas warp{canvas, access};
    const TexturePlan plan = plan_texture(access, view.shape);
    const bool bar = !compact && count.sectors > 0 &&
                     frame.bottom - frame.top - kUsageBarHeight > (style.silent ? 150 : 220);
    if (bar) frame.bottom -= kUsageBarHeight;
    const float room = frame.bottom - frame.top;
    const bool note = plan.outside != 0 && !compact && room > 150;
    const float left = canvas.margin() + canvas.width("sectors", FontRole::body) + (compact ? 6.0f : 12.0f);
    const float right = style.size.x - canvas.margin(), gap = compact ? 3.0f : 8.0f;
    const float counts = room > 110 ? kCounts : 4.0f;
    LaneRow lanes = lay_out_lanes(canvas, left, right - left, frame.top, room, kQuadLanes, gap);
    Body body{left, lanes.bottom() + counts, right, frame.bottom - (note ? 22.0f : 0.0f)};

    if (!draw_large_map(warp, *view.texture, plan, lanes, body)) {
        // Each group's sectors below its lanes, and the walk as a small map at the right.
        TexelMap map = lay_out_side_map(canvas, plan, {left, frame.top, right, body.bottom});
        const bool with_map = !is_tiny(style) && map.texel() >= 2.5f && style.size.x >= 480;
        if (with_map)
            lanes = lay_out_lanes(canvas, left, map.x - 22 - left, frame.top, room, kQuadLanes, gap);
        const TextureCanvas d{warp, *view.texture, plan, lanes};
        draw_sheet(d, lanes.bottom() + counts, body.bottom - 2);
        if (with_map) {
            // It ends where the map does, and may begin before it.
            canvas.label({right, map.y - 7}, "walk", FontRole::body, canvas.theme.text_weak, Anchor::end);
            draw_map(d, map, false);
        }
    }
    const TextureCanvas d{warp, *view.texture, plan, lanes};
    draw_lanes(warp, lanes, "lanes", [&](int lane) { return describe_lane(plan, lane); });
    mark_outside(d);
    if (counts == kCounts && !style.counts_hidden) draw_counts(d, true);
    if (note) {
        const float y = plan.sectors.empty() ? body.top + 16 : body.bottom + 1;
        Legend legend;
        const bool one = std::popcount(plan.outside) == 1;
        legend.add_box(fmt::format("{} {} outside the texture: the border's value", name_lanes(plan.outside),
                                   one ? "lies" : "lie"),
                       {.stroke = canvas.theme.series[0], .stroke_width = 2, .rounding = 2});
        legend.draw(canvas, left, y, right - left, 1, canvas.theme.text);
    }
    if (bar)
        draw_usage_bar(warp, {left, frame.bottom + 6, right - left, 12}, count.bytes_used,
                       count.sectors * kSectorBytes, "fetched");
    close_frame(canvas, frame, explanation.good, cost_text(count.sectors, "sector", count.ideal_sectors),
                counted(count.requests, "request"));
    return canvas.take();
}

Explanation explain_texture(const InstructionView& view) {
    const TextureCount& count = view.texture->count;
    const int outside = lanes_outside(view.report->access);
    Explanation e{.good = count.sectors <= count.ideal_sectors};
    const int texels = count.sectors * kSectorBytes / view.report->access.bytes_per_lane;
    const int unused = texels - count.bytes_used / view.report->access.bytes_per_lane;
    const std::string requests = fmt::format("{} of {} lanes {}", counted(count.requests, "request"),
                                             kQuadLanes, count.requests == 1 ? "fetches" : "fetch");
    e.say(fmt::format("{} {}", requests, counted(count.sectors, "sector")),
          e.good ? fmt::format(", and {} is the ideal.", count.ideal_sectors)
                 : fmt::format(", {} is the minimum.", count.ideal_sectors));
    if (unused > 0)
        e.verdict += fmt::format(" {} of {} fetched are not used.", unused, counted(texels, "texel"));
    if (count.bytes_used == 0) {
        e.why =
            "All texels that are asked for lie outside the texture: the sectors of the nearest texels are "
            "fetched, but the border's value is given.";
        return e;
    }
    const int most = *std::max_element(view.texture->quad_sectors.begin(), view.texture->quad_sectors.end());
    const int moved = count.sectors * kSectorBytes;
    e.why = fmt::format(
        "A sector holds 4 texels across and 2 down; a group of {} lanes needs {}{}: {} of the {} bytes "
        "fetched are used.",
        kQuadLanes, most == 1 ? "" : "up to ", counted(most, "sector"), format_count(count.bytes_used),
        format_count(moved));
    if (outside > 0) {
        e.why += fmt::format(" {} outside the texture and {} the border's value.",
                             outside == 1 ? std::string("1 lane lies") : fmt::format("{} lanes lie", outside),
                             outside == 1 ? "gets" : "get");
    }
    return e;
}

Explanation explain_filter(const InstructionView& view) {
    const WarpAccess& access = view.report->access;
    const TextureCount& count = view.texture->count;
    const int active = std::popcount(access.active), texels = count.bytes_used / access.bytes_per_lane;
    Explanation explanation;
    explanation.good = texels > 0 && count.sectors <= count.ideal_sectors;
    if (texels == 0)
        explanation.say(lanes_phrase(active) + " read outside the texture",
                        fmt::format(": {} fetched for nothing.", counted(count.sectors, "sector")));
    else
        explanation.say(
            fmt::format("{} {}", lanes_phrase(active),
                        access.sampling.linear ? "blend 4 texels each" : "take the texel they lie in"),
            fmt::format(", {} in all: {} for {}{}.", counted(texels, "different texel"),
                        counted(count.sectors, "sector"), counted(count.requests, "request"),
                        explanation.good ? ", as few as possible"
                                         : fmt::format(", {} is the minimum", count.ideal_sectors)));
    const int fetched = count.sectors * kSectorBytes / access.bytes_per_lane;
    if (texels > 0 && fetched > texels)
        explanation.verdict +=
            fmt::format(" {} of {} fetched are not used.", fetched - texels, counted(fetched, "texel"));
    const double step = texels_per_pixel(access);
    explanation.why =
        texels == 0
            ? fmt::format(
                  "A request fetches at least one sector, also where the border's value is given: {} is "
                  "the minimum.",
                  count.ideal_sectors)
        : step > 1.5
            ? fmt::format(
                  "From pixel to pixel it is {:.1f} texels, so most of a sector of 4 x 2 is not used.", step)
        : step > 0.7
            ? "Pixels and texels are about as large; four pixels in a row are one request."
            : fmt::format("A texel is {:.1f} pixels wide here, so neighbours share texels.", 1 / step);
    const int outside = lanes_beyond_the_edge(access);
    if (outside > 0 && texels > 0) {
        explanation.why += fmt::format(" {} {} outside the texture: {}.", counted(outside, "lane"),
                                       outside == 1 ? "lies" : "lie", kBeyond[access.sampling.border]);
    }
    return explanation;
}

}  // namespace warplens
