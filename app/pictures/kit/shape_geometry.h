#pragma once

#include "app/pictures/kit/picture.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace warplens {

/// How markers are drawn, in every painter alike. Sizes are chosen so that all look as large as a circle.
struct MarkOutline {
    std::array<Vec2, 4> corners{};
    int count = 0;  ///< of corners; 0 if the shape is not a filled polygon
};
constexpr MarkOutline outline_of(MarkShape shape, Vec2 c, float radius) {
    const float d = 1.2f * radius, side = 0.88f * radius;
    switch (shape) {
        case MarkShape::diamond:
            return {{{{c.x, c.y - d}, {c.x + d, c.y}, {c.x, c.y + d}, {c.x - d, c.y}}}, 4};
        case MarkShape::triangle:
            return {{{{c.x, c.y - d}, {c.x + 0.95f * d, c.y + 0.7f * d}, {c.x - 0.95f * d, c.y + 0.7f * d}}},
                    3};
        case MarkShape::triangle_down:
            return {{{{c.x - 0.95f * d, c.y - 0.7f * d}, {c.x + 0.95f * d, c.y - 0.7f * d}, {c.x, c.y + d}}},
                    3};
        case MarkShape::square:
            return {{{{c.x - side, c.y - side},
                      {c.x + side, c.y - side},
                      {c.x + side, c.y + side},
                      {c.x - side, c.y + side}}},
                    4};
        case MarkShape::circle:
        case MarkShape::ring:
        case MarkShape::cross:
            break;
    }
    return {};
}

/// Width of a ring's line; its outer edge is at the radius. @param least  [same unit as radius]
constexpr float ring_width(float radius, float least) { return std::max(least, 0.3f * radius); }

/// Half the side of the square whose diagonals a cross is, and the width of its lines.
constexpr float cross_reach(float radius) { return 0.88f * radius; }
constexpr float cross_width(float radius, float least) { return std::max(least, 0.55f * radius); }
inline constexpr float kLeastMarkWidth = 1.5f;  ///< of rings and crosses [points]

/// On and off lengths of a dash, in line widths.
struct DashPattern {
    float on, off;
};
constexpr DashPattern pattern_of(Dash dash) {
    return dash == Dash::dashed ? DashPattern{4, 3} : DashPattern{1, 2};
}

/// The control points of a wire: it leaves and arrives upright.
constexpr std::array<Vec2, 4> curve_of(Vec2 from, Vec2 to) {
    const float reach = 0.5f * (to.y - from.y);
    return {from, {from.x, from.y + reach}, {to.x, to.y - reach}, to};
}

/// Corners of heat cells: just enough to look like the other cells. @param unit  a point, in the rectangle's
/// unit
constexpr float heat_cell_radius(const Rect& rect, float unit) {
    return std::min(2.0f * unit, 0.15f * std::min(rect.w, rect.h));
}

/// Hatch lines stand so far apart, across the line for level and upright ones, along an edge for slanting
/// ones.
inline constexpr float kHatchSpacing = 6.0f;  ///< [points]
inline constexpr float kHatchWidth = 1.0f;    ///< [points]

/// One direction of hatch lines: they lie where a * x + b * y is a multiple of the spacing.
struct HatchDirection {
    float a = 0, b = 0;  ///< each -1, 0 or 1

    bool slanting() const { return a != 0 && b != 0; }
    /// Unit vector across the lines.
    Vec2 normal() const {
        const float length = slanting() ? 0.70710678f : 1.0f;
        return {a * length, b * length};
    }
};

/// The directions that a pattern is made of.
struct HatchDirections {
    HatchDirection direction[2];
    int count = 0;
};
constexpr HatchDirections directions_of(Hatch pattern) {
    constexpr HatchDirection kRising{1, 1}, kFalling{1, -1}, kLevel{0, 1}, kUpright{1, 0};
    const HatchDirections by_pattern[] = {{{kRising, {}}, 1},       {{kFalling, {}}, 1},
                                          {{kLevel, {}}, 1},        {{kUpright, {}}, 1},
                                          {{kRising, kFalling}, 2}, {{kLevel, kUpright}, 2}};
    return by_pattern[int(pattern)];
}

/// The ends of all hatch lines of one direction, clipped to a rectangle: what every painter draws, so that a
/// hatch is the same in all of them.
/// @param rect    already shrunk by what the lines' sides stick out
/// @param origin  lines are counted from there, so that hatched neighbours join: the picture's corner
/// @param lines   called first, with their number, which may be 0
/// @param line    called with both ends of each
template <class Lines, class Line>
void for_each_hatch_line(const Rect& rect, HatchDirection d, Vec2 origin, float spacing, Lines lines,
                         Line line) {
    const float left = rect.x - origin.x, right = left + rect.w;
    const float top = rect.y - origin.y, bottom = top + rect.h;
    if (!(right > left) || !(bottom > top)) return lines(0);
    // Along the level and the upright direction there is one end each; slanting lines cut two edges.
    const float low = d.a * left + (d.b < 0 ? d.b * bottom : d.b * top);
    const float high = d.a * right + (d.b < 0 ? d.b * top : d.b * bottom);
    const int first = int(std::ceil(low / spacing));
    const int last = int(std::floor(high / spacing));
    if (last < first) return lines(0);
    lines(last - first + 1);
    for (int i = first; i <= last; ++i) {
        const float sum = float(i) * spacing;  // a * x + b * y of this line
        Vec2 from{left, sum}, to{right, sum};  // level
        if (d.slanting()) {
            const float x0 = std::fmax(left, d.b > 0 ? sum - bottom : sum + top);
            const float x1 = std::fmin(right, d.b > 0 ? sum - top : sum + bottom);
            from = {x0, (sum - x0) * d.b};
            to = {x1, (sum - x1) * d.b};
        } else if (d.a != 0) {
            from = {sum, top};
            to = {sum, bottom};
        }
        line(Vec2{from.x + origin.x, from.y + origin.y}, Vec2{to.x + origin.x, to.y + origin.y});
    }
}

}  // namespace warplens
