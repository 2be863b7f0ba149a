#include "app/gl/imgui_compat.h"
#include "app/gl/paint_shapes.h"

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

constexpr float kSpacingPoints = 6.0f;  // between lines, along an edge
constexpr float kWidthPoints = 1.0f;

/// A line from lower left to upper right with soft sides, as two strips: a full middle and sides that fade
/// away.
struct LineWriter {
    ImDrawList* list;
    ImVec2 white;
    ImU32 color, clear;
    float half;  ///< from the middle to where it has faded, along x and along y [pixels]

    void write(ImVec2 from, ImVec2 to) const {
        const auto first = static_cast<ImDrawIdx>(list->_VtxCurrentIdx);
        for (const int i : {0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4})
            list->PrimWriteIdx(static_cast<ImDrawIdx>(first + i));
        list->PrimWriteVtx(ImVec2(from.x - half, from.y - half), white, clear);
        list->PrimWriteVtx(ImVec2(to.x - half, to.y - half), white, clear);
        list->PrimWriteVtx(from, white, color);
        list->PrimWriteVtx(to, white, color);
        list->PrimWriteVtx(ImVec2(from.x + half, from.y + half), white, clear);
        list->PrimWriteVtx(ImVec2(to.x + half, to.y + half), white, clear);
    }
};

}  // namespace

// Thousands of these lines are on screen at once, so they go straight into the vertex buffer: six vertices
// each, one reservation per rectangle. Lines are where x + y is a multiple of the spacing, counted from the
// picture's origin.
void paint_hatch(const PaintFrame& frame, const Rect& rect, Color color) {
    const float spacing = std::max(kSpacingPoints * frame.scale, 4.0f);
    const float half = std::max(kWidthPoints * frame.scale, 1.0f) * 0.70710678f;
    // Shrunk, because a line's sides stick out of the rectangle by half its width.
    const float left = rect.x + 0.5f * half, right = rect.x + rect.w - 0.5f * half;
    const float top = rect.y + 0.5f * half, bottom = rect.y + rect.h - 0.5f * half;
    if (right <= left || bottom <= top) return;

    const float origin = frame.origin_x + frame.origin_y;
    const int first = static_cast<int>(std::ceil((left + top - origin) / spacing));
    const int last = static_cast<int>(std::floor((right + bottom - origin) / spacing));
    if (last < first) return;
    const int lines = last - first + 1;

    ImDrawList* list = frame.list;
    list->PrimReserve(12 * lines, 6 * lines);
    const ImU32 solid = IM_COL32(color.r, color.g, color.b, color.a);
    const LineWriter writer{list, ImGui::GetFontTexUvWhitePixel(), solid, solid & ~IM_COL32_A_MASK, half};
    for (int i = first; i <= last; ++i) {
        const float sum = origin + static_cast<float>(i) * spacing;
        const float x0 = std::max(left, sum - bottom), x1 = std::min(right, sum - top);
        writer.write(ImVec2(x0, sum - x0), ImVec2(x1, sum - x1));
    }
}

}  // namespace warplens
