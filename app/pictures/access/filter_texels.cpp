#include "app/pictures/access/filter_canvas.h"
#include "kernels/test_card.h"
#include "kernels/texture_sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace warplens {
namespace {

constexpr int down_to(int value, int multiple) { return value - ((value % multiple) + multiple) % multiple; }
constexpr int up_to(int value, int multiple) { return -down_to(-value, multiple); }

Color grey(int level) {
    const auto v = static_cast<std::uint8_t>(level);
    return {v, v, v, 255};
}

/// Call `act(lane, x, y)` for each texel that a lane asks for.
template <class Act>
void each_texel(const WarpAccess& access, const Act& act) {
    const int side = access.sampling.linear ? 2 : 1;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        if ((access.active >> lane & 1u) == 0) continue;
        for (int k = 0; k < side * side; ++k)
            act(lane, access.texel[lane].x + k % side, access.texel[lane].y + k / side);
    }
}

std::set<std::uint64_t> fetched_sectors(const WarpAccess& access) {
    std::set<std::uint64_t> sectors;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        const LaneTexels texels = texels_of_lane(access, lane);
        for (const std::uint64_t address : texels.all()) sectors.insert(address / kSectorBytes);
    }
    return sectors;
}

std::string describe_texel(const FilterCanvas& d, int x, int y) {
    const std::uint32_t lanes = d.region.lanes[d.region.index(x, y)];
    std::string text = fmt::format("texel ({}, {}), value {}", x, y, d.level(x, y));
    if (!d.inside(x, y)) text += "\noutside the texture";
    if (lanes != 0) return text + "\nfor " + name_lanes(lanes);
    return text +
           (d.region.fetched[d.region.index(x, y)] ? "\nfetched with its sector, not used" : "\nnot fetched");
}

void draw_texel(const FilterCanvas& d, int x, int y) {
    const Theme& theme = d.canvas.theme;
    const std::size_t i = d.region.index(x, y);
    const bool used = d.region.lanes[i] != 0;
    const Rect whole = d.texel_cell(x, y);
    Box box{.rect = inset(whole, d.cell >= 10 ? 0.5f : 0.25f), .plain = true};
    const bool no_texel = !d.inside(x, y) && d.border() == Border::border;
    box.fill = no_texel ? theme.cell_empty : grey(d.level(x, y));
    if (!used && !no_texel) box.fill = mix(theme.panel, box.fill, d.region.fetched[i] ? 0.45f : 0.14f);
    if (!used && d.region.fetched[i] && d.in_a_sector(x, y))
        box.hatch = with_alpha(distinct_from(theme.hatch, box.fill, 2), 0.75f);
    d.canvas.box(box);
    d.canvas.hit(whole, -1, describe_texel(d, x, y));
}

/// Frames of sectors, fetched ones last, and the edge of the texture.
void draw_sector_frames(const FilterCanvas& d) {
    const Theme& theme = d.canvas.theme;
    const TexelRegion& region = d.region;
    for (const bool fetched : {false, true}) {
        for (int y = region.first.y; y < region.first.y + region.rows; y += kSectorTexelsY) {
            for (int x = region.first.x; x < region.first.x + region.columns; x += kSectorTexelsX) {
                if (!d.in_a_sector(x, y) || region.fetched[region.index(x, y)] != fetched) continue;
                const Rect corner = d.texel_cell(x, y);
                const Rect frame{corner.x, corner.y, kSectorTexelsX * d.cell, kSectorTexelsY * d.cell};
                d.canvas.frame(frame, fetched ? theme.accent : theme.outline, fetched ? 2.0f : 1.0f, 2);
            }
        }
    }
    const Rect first = d.texel_cell(0, 0),
               after = d.texel_cell(d.access.sampling.width, d.access.sampling.height);
    const Rect& p = d.panel;
    const float left = std::max(first.x, p.x), right = std::min(after.x, p.x + p.w),
                top = std::max(first.y, p.y), bottom = std::min(after.y, p.y + p.h);
    const auto edge = [&](Vec2 from, Vec2 to) { d.canvas.line(from, to, theme.bad, 2.5f); };
    if (left < right && first.y > p.y && first.y < p.y + p.h) edge({left, first.y}, {right, first.y});
    if (left < right && after.y > p.y && after.y < p.y + p.h) edge({left, after.y}, {right, after.y});
    if (top < bottom && first.x > p.x && first.x < p.x + p.w) edge({first.x, top}, {first.x, bottom});
    if (top < bottom && after.x > p.x && after.x < p.x + p.w) edge({after.x, top}, {after.x, bottom});
}

/// A dot of the lane's colour with a white and a black ring: it shows on every grey.
void draw_point(const FilterCanvas& d, int lane, float radius) {
    const bool dim = d.hovered() >= 0 && lane != d.hovered();
    const float alpha = dim ? 0.3f : 1.0f;
    const Vec2 at = d.sample_point(lane);
    const float ring = std::min(1.3f, 0.4f + 0.2f * radius);
    const auto dot = [&](float r, Color color) {
        d.canvas.mark(at, MarkShape::circle, r, with_alpha(color, alpha));
    };
    // Rings of points that lie close together would merge into a blot.
    if (radius >= 2.5f) dot(radius + 2 * ring, {255, 255, 255, 255});
    dot(radius + ring, {0, 0, 0, 255});
    dot(radius, lane_color(d.canvas.theme, lane));
    const Rect around{at.x - radius, at.y - radius, 2 * radius, 2 * radius};
    if (radius >= 9.5f && !d.shows_weights()) {
        d.canvas.label_inside({at.x - 12, at.y - 10, 24, 20}, std::to_string(lane), FontRole::body,
                              with_alpha(text_on(lane_color(d.canvas.theme, lane)), alpha));
    }
    const LaneTexel& texel = d.access.texel[lane];
    const float half = d.linear() ? 0.5f : 0.0f;
    d.canvas.hit(inset(around, -1), lane,
                 fmt::format("lane {}\nreads the texture at ({:.2f}, {:.2f})", lane,
                             float(texel.x) + float(texel.fraction_x) / kTexelParts + half,
                             float(texel.y) + float(texel.fraction_y) / kTexelParts + half));
}

/// Lanes of one request hang together; each has its point.
void draw_points(const FilterCanvas& d) {
    const Vec2 a = d.sample_point(0), b = d.sample_point(1);
    const float radius = std::clamp(0.3f * std::hypot(b.x - a.x, b.y - a.y), 1.0f, 10.0f);
    for (int lane = 0; lane < kWarpLanes; lane += kQuadLanes) {
        Path path{
            .points = {}, .color = d.canvas.theme.highlight, .width = std::clamp(radius * 0.5f, 1.0f, 3.0f)};
        for (int i = lane; i < lane + kQuadLanes; ++i) {
            if (d.active(i)) path.points.push_back(d.sample_point(i));
        }
        const bool dim = d.hovered() >= 0 && d.hovered() / kQuadLanes * kQuadLanes != lane;
        path.color = with_alpha(path.color, dim ? 0.2f : 0.9f);
        if (path.points.size() > 1) d.canvas.add(std::move(path));
    }
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        if (d.active(lane)) draw_point(d, lane, radius);
    }
}

void draw_shown_lane(const FilterCanvas& d) {
    if (d.shown() < 0) return;
    const LaneTexel& texel = d.access.texel[d.shown()];
    const int side = d.linear() ? 2 : 1;
    for (int k = 0; k < side * side; ++k)
        d.canvas.highlight(inset(d.texel_cell(texel.x + k % side, texel.y + k / side), 2.5f), 1);
}

/// In the outer corners of the four texels: the lane's point lies between them.
void draw_weights(const FilterCanvas& d) {
    if (!d.shows_weights()) return;
    const LaneTexel& texel = d.access.texel[d.shown()];
    for (int k = 0; k < 4; ++k) {
        const Rect cell = d.texel_cell(texel.x + k % 2, texel.y + k / 2);
        const std::string text = fmt::format("{:.1f} %", 100 * weight_of(texel, true, k % 2, k / 2));
        const float w = d.canvas.width(text, FontRole::body) + 6, h = 18;
        const Rect plate{k % 2 == 0 ? cell.x + 4 : cell.x + cell.w - 4 - w,
                         k / 2 == 0 ? cell.y + 4 : cell.y + cell.h - 4 - h, w, h};
        d.canvas.fill(plate, with_alpha(d.canvas.theme.panel, 0.9f), 3);
        d.canvas.label_inside(plate, d.canvas.count_text(text), FontRole::body, d.canvas.theme.text);
    }
}

}  // namespace

float texel_side(int columns, int rows, Vec2 room) {
    if (columns == 0 || rows == 0) return 0;
    return std::max(0.0f, std::min(room.x / float(columns), room.y / float(rows)));
}

TexelRegion region_of(const WarpAccess& access, Vec2 room) {
    TexelRegion region;
    if (access.active == 0) return region;
    constexpr int kFar = 1 << 30;
    int left = kFar, right = -kFar, top = kFar, bottom = -kFar;
    each_texel(access, [&](int, int x, int y) {
        left = std::min(left, x), right = std::max(right, x + 1);
        top = std::min(top, y), bottom = std::max(bottom, y + 1);
    });
    left = down_to(left, kSectorTexelsX), right = up_to(right, kSectorTexelsX);
    top = down_to(top, kSectorTexelsY), bottom = up_to(bottom, kSectorTexelsY);
    const auto grow = [&](int by_x, int by_y) {
        left -= by_x * kSectorTexelsX, right += by_x * kSectorTexelsX;
        top -= by_y * kSectorTexelsY, bottom += by_y * kSectorTexelsY;
    };
    constexpr int kOneSector = kSectorTexelsX * kSectorTexelsY;
    if ((right - left) * (bottom - top) <= kOneSector) grow(1, 1);
    // More texels beside it at the same size cost nothing and show where in the texture this is.
    const float side = texel_side(right - left, bottom - top, room);
    while (side >= 1 && float(right - left + 2 * kSectorTexelsX) * side <= room.x) grow(1, 0);
    if (side >= 1 && float(right - left + kSectorTexelsX) * side <= room.x) right += kSectorTexelsX;
    while (side >= 1 && float(bottom - top + 2 * kSectorTexelsY) * side <= room.y) grow(0, 1);
    region.first = {left, top};
    region.columns = right - left, region.rows = bottom - top;
    const std::size_t cells = region.columns * region.rows;
    region.lanes.assign(cells, 0);
    region.fetched.assign(cells, false);
    each_texel(access, [&](int lane, int x, int y) { region.lanes[region.index(x, y)] |= 1u << lane; });
    const std::set<std::uint64_t> sectors = fetched_sectors(access);
    const Sampling& how = access.sampling;
    for (int y = top; y < bottom; ++y) {
        for (int x = left; x < right; ++x) {
            const std::uint64_t address =
                sampled_address({x, y}, {how.width, how.height}, static_cast<Border>(how.border));
            region.fetched[region.index(x, y)] =
                !is_outside(address) && sectors.contains(address / kSectorBytes);
        }
    }
    return region;
}

int FilterCanvas::shown() const {
    if (hovered() >= 0 || !linear()) return hovered();
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        if (active(lane)) return lane;
    }
    return -1;
}

bool FilterCanvas::shows_weights() const { return linear() && shown() >= 0 && cell >= 60; }

Vec2 FilterCanvas::sample_point(int lane) const {
    const LaneTexel& texel = access.texel[lane];
    const float half = linear() ? 0.5f : 0.0f;
    const auto place = [&](int whole, int fraction, int first) {
        return (float(whole - first) + float(fraction) / kTexelParts + half) * cell;
    };
    return {panel.x + place(texel.x, texel.fraction_x, region.first.x),
            panel.y + place(texel.y, texel.fraction_y, region.first.y)};
}

Rect FilterCanvas::texel_cell(int x, int y) const {
    return {panel.x + float(x - region.first.x) * cell, panel.y + float(y - region.first.y) * cell, cell,
            cell};
}

bool FilterCanvas::inside(int x, int y) const {
    return x >= 0 && y >= 0 && x < access.sampling.width && y < access.sampling.height;
}

bool FilterCanvas::in_a_sector(int x, int y) const {
    return inside(x, y) || border() == Border::wrap || border() == Border::mirror;
}

int FilterCanvas::level(int x, int y) const {
    const int in_x = inside_texture(x, access.sampling.width, border()),
              in_y = inside_texture(y, access.sampling.height, border());
    return in_x < 0 || in_y < 0 ? 0 : test_card(in_x, in_y, access.sampling.width);
}

float weight_of(const LaneTexel& texel, bool linear, int right, int down) {
    if (!linear) return right == 0 && down == 0 ? 1.0f : 0.0f;
    const int x = right != 0 ? texel.fraction_x : kTexelParts - texel.fraction_x;
    const int y = down != 0 ? texel.fraction_y : kTexelParts - texel.fraction_y;
    return float(x * y) / (kTexelParts * kTexelParts);
}

void draw_filter_texels(const FilterCanvas& d) {
    const TexelRegion& region = d.region;
    for (int y = region.first.y; y < region.first.y + region.rows; ++y) {
        for (int x = region.first.x; x < region.first.x + region.columns; ++x) draw_texel(d, x, y);
    }
    draw_sector_frames(d);
    draw_shown_lane(d);
    draw_points(d);
    draw_weights(d);
}

}  // namespace warplens
