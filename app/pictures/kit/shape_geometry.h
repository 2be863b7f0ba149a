#pragma once

#include "app/pictures/kit/picture.h"

#include <algorithm>
#include <array>

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

}  // namespace warplens
