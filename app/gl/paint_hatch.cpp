#include "app/gl/imgui_compat.h"
#include "app/gl/paint_shapes.h"
#include "app/pictures/kit/hatch.h"

#include <algorithm>

namespace warplens {
namespace {

constexpr float kRootOfTwo = 1.41421356f;

/// Draws a line with soft edges as two strips: a solid middle and edges that fade out.
struct LineWriter {
    ImDrawList* list;
    ImVec2 white;
    ImU32 color, clear;
    Vec2 side;  ///< from the middle to where the line has faded out [pixels]

    void write(Vec2 from, Vec2 to) const {
        const auto first = static_cast<ImDrawIdx>(list->_VtxCurrentIdx);
        for (const int i : {0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4})
            list->PrimWriteIdx(static_cast<ImDrawIdx>(first + i));
        list->PrimWriteVtx(ImVec2(from.x - side.x, from.y - side.y), white, clear);
        list->PrimWriteVtx(ImVec2(to.x - side.x, to.y - side.y), white, clear);
        list->PrimWriteVtx(ImVec2(from.x, from.y), white, color);
        list->PrimWriteVtx(ImVec2(to.x, to.y), white, color);
        list->PrimWriteVtx(ImVec2(from.x + side.x, from.y + side.y), white, clear);
        list->PrimWriteVtx(ImVec2(to.x + side.x, to.y + side.y), white, clear);
    }
};

}  // namespace

// Thousands of these lines are on screen at once, so they are written directly to the vertex buffer: six
// vertices each, with one reservation per rectangle and direction.
void paint_hatch(const PaintFrame& frame, const Rect& rect, Color color, Hatch pattern) {
    const float spacing = std::max(kHatchSpacing * frame.scale, 4.0f);
    const float half = std::max(kHatchWidth * frame.scale, 1.0f) * 0.70710678f;
    // Smaller, because the edges of a line extend beyond it by half its width.
    const Rect inner{rect.x + 0.5f * half, rect.y + 0.5f * half, rect.w - half, rect.h - half};
    const ImU32 solid = IM_COL32(color.r, color.g, color.b, color.a);
    LineWriter writer{frame.list, ImGui::GetFontTexUvWhitePixel(), solid, solid & ~IM_COL32_A_MASK, {}};
    const HatchDirections directions = directions_of(pattern);
    for (int i = 0; i < directions.count; ++i) {
        const HatchDirection direction = directions.direction[i];
        const Vec2 normal = direction.normal();
        writer.side = {normal.x * half * kRootOfTwo, normal.y * half * kRootOfTwo};
        for_each_hatch_line(
            inner, direction, {frame.origin_x, frame.origin_y}, spacing,
            [&](int lines) {
                if (lines > 0) frame.list->PrimReserve(12 * lines, 6 * lines);
            },
            [&](Vec2 from, Vec2 to) { writer.write(from, to); });
    }
}

}  // namespace warplens
