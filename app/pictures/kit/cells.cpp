#include "app/pictures/kit/cells.h"

#include <fmt/format.h>

#include <bit>

namespace warplens {

std::string name_lanes(std::uint32_t lanes) {
    const int count = std::popcount(lanes), first = std::countr_zero(lanes),
              last = 31 - std::countl_zero(lanes);
    if (count == 0) return "no lane";
    if (count == 1) return fmt::format("lane {}", first);
    if (last - first + 1 == count) return fmt::format("lanes {} to {}", first, last);
    std::string text = "lanes ";
    int named = 0;
    for (std::uint32_t rest = lanes; rest != 0 && named < 3; rest &= rest - 1, ++named) {
        text += fmt::format("{}{}", named == 0 ? "" : ", ", std::countr_zero(rest));
    }
    return count <= 3 ? text : text + fmt::format(" … {} ({} of them)", last, count);
}

void draw_double_outline(Canvas& canvas, Rect cell, Color fill, float rounding) {
    const Color ink = text_on(fill);
    const float width = cell.w >= 12 && cell.h >= 12 ? 1.5f : 1.0f;
    canvas.frame(inset(cell, width / 2), canvas.theme.text, width, rounding);
    canvas.frame(inset(cell, 2.5f * width), ink, width, rounding * 0.6f);
}

void draw_highlight(Canvas& canvas, Rect cell, float rounding) {
    canvas.frame(inset(cell, -2), canvas.theme.highlight, 2.5f, rounding + 2);
}

}  // namespace warplens
