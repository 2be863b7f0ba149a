#pragma once

#include "app/pictures/kit/canvas.h"

#include <cstdint>
#include <string>

namespace warplens {

/// "lane 9", "lanes 0 to 31", "lanes 0, 2, 4 … 30 (16 of them)".
std::string name_lanes(std::uint32_t lanes);

/// The inner one of the two outlines that mark a cell which several lanes want.
void draw_double_outline(Canvas& canvas, Rect cell, Color fill, float rounding);

/// The ring around what belongs to the lane under the mouse.
void draw_highlight(Canvas& canvas, Rect cell, float rounding);

/// A rectangle made smaller on all sides, never turned inside out.
constexpr Rect inset(Rect r, float by) {
    const float dx = 2 * by < r.w ? by : r.w / 2, dy = 2 * by < r.h ? by : r.h / 2;
    return {r.x + dx, r.y + dy, r.w - 2 * dx, r.h - 2 * dy};
}

}  // namespace warplens
