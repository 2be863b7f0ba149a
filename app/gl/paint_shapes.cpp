#include "app/gl/paint_shapes.h"

#include "app/gl/imgui_compat.h"
#include "app/pictures/kit/shape_geometry.h"

#include <algorithm>
#include <cmath>

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

ImU32 packed(Color c) { return IM_COL32(c.r, c.g, c.b, c.a); }
ImVec2 im(Vec2 p) { return ImVec2(p.x, p.y); }

/// Thin horizontal and vertical lines are sharp only if they lie on the middle of a pixel.
void snap_straight(Vec2& a, Vec2& b, float width) {
    const float shift = int(std::lround(width)) % 2 == 1 ? 0.5f : 0.0f;
    if (a.x == b.x) a.x = b.x = std::floor(a.x) + shift;
    if (a.y == b.y) a.y = b.y = std::floor(a.y) + shift;
}

void paint_line(const PaintFrame& frame, Vec2 a, Vec2 b, ImU32 color, float width) {
    snap_straight(a, b, width);
    // ImGui adds half a pixel to both ends.
    frame.list->AddLine(ImVec2(a.x - 0.5f, a.y - 0.5f), ImVec2(b.x - 0.5f, b.y - 0.5f), color, width);
}

/// Whether the angle between two segments is so large that a gap would be visible between them.
bool needs_join(Vec2 a, Vec2 b, Vec2 c, float width) {
    const float ux = b.x - a.x, uy = b.y - a.y, vx = c.x - b.x, vy = c.y - b.y;
    const float lengths = std::hypot(ux, uy) * std::hypot(vx, vy);
    if (width < 1.25f || lengths == 0) return false;
    return (ux * vx + uy * vy) / lengths < (width > 4 ? 0.995f : 0.95f);
}

void paint_dashes(const PaintFrame& frame, const Path& path, float width) {
    const DashPattern pattern = pattern_of(path.dash);
    const float on = pattern.on * width, period = on + pattern.off * width;
    float travelled = 0;  // along the whole path, so that dashes continue around corners
    for (std::size_t i = 1; i < path.points.size(); ++i) {
        const Vec2 a = frame.at(path.points[i - 1]), b = frame.at(path.points[i]);
        const float length = std::hypot(b.x - a.x, b.y - a.y);
        if (length == 0) continue;
        const auto along = [&](float d) {
            return Vec2{a.x + (b.x - a.x) * d / length, a.y + (b.y - a.y) * d / length};
        };
        for (float start = -std::fmod(travelled, period); start < length; start += period) {
            const float from = std::max(start, 0.0f), to = std::min(start + on, length);
            if (to > from) paint_line(frame, along(from), along(to), packed(path.color), width);
        }
        travelled += length;
    }
}

/// Draws lines over a rectangle. The pattern is the same for the whole picture, so that hatched neighbours
/// join.
/// @param rect  [pixels]
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

}  // namespace

Rect PaintFrame::snapped(const Rect& points) const {
    const float left = std::round(origin_x + points.x * scale);
    const float top = std::round(origin_y + points.y * scale);
    const float right = std::round(origin_x + (points.x + points.w) * scale);
    const float bottom = std::round(origin_y + (points.y + points.h) * scale);
    return {left, top, right - left, bottom - top};
}

void paint(const PaintFrame& frame, const Box& box) {
    const Rect rect = frame.snapped(box.rect);
    const ImVec2 min(rect.x, rect.y), max(rect.x + rect.w, rect.y + rect.h);
    // Less than a pixel is not seen.
    const bool round = !frame.square_corners && box.rounding * frame.scale >= 1;
    const float rounding = round ? box.rounding * frame.scale : 0;
    if (box.fill.a > 0) frame.list->AddRectFilled(min, max, packed(box.fill), rounding);
    if (box.hatch.a > 0) paint_hatch(frame, rect, box.hatch, box.pattern);
    if (box.stroke.a > 0 && box.stroke_width > 0) {
        const float width = std::max(1.0f, std::round(box.stroke_width * frame.scale));
        // The middle of the stroke lies half its width inside the edge; ImGui has already put it half a pixel
        // inside.
        const float inset = 0.5f * (width - 1);
        ui::add_rect(frame.list, ImVec2(min.x + inset, min.y + inset), ImVec2(max.x - inset, max.y - inset),
                     packed(box.stroke), std::max(0.0f, rounding - inset), width);
    }
}

// AddPolyline is not used, because its mitred joins make the spikes of a bandwidth curve thin or invisible.
void paint(const PaintFrame& frame, const Path& path) {
    const float width = std::max(1.0f, path.width * frame.scale);
    if (path.dash != Dash::solid) return paint_dashes(frame, path, width);
    const ImU32 color = packed(path.color);
    for (std::size_t i = 1; i < path.points.size(); ++i) {
        const Vec2 a = frame.at(path.points[i - 1]), b = frame.at(path.points[i]);
        paint_line(frame, a, b, color, width);
        if (i + 1 < path.points.size() && needs_join(a, b, frame.at(path.points[i + 1]), width))
            frame.list->AddCircleFilled(im(b), 0.5f * width, color);
    }
}

void paint(const PaintFrame& frame, const Wire& wire) {
    const Vec2 a = frame.at(wire.from), b = frame.at(wire.to);
    const auto curve = curve_of(a, b);
    const float length = std::hypot(b.x - a.x, b.y - a.y);
    const int segments = std::clamp(int(length / 12), 8, 64);
    frame.list->AddBezierCubic(im(curve[0]), im(curve[1]), im(curve[2]), im(curve[3]), packed(wire.color),
                               std::max(1.0f, wire.width * frame.scale), segments);
}

void paint(const PaintFrame& frame, const Label& label) {
    if (label.text.empty()) return;
    const Fonts& fonts = *frame.fonts;
    const float zoom = frame.scale / fonts.scale();
    Vec2 at = frame.at(label.position);
    if (label.anchor != Anchor::start) {
        const float width = fonts.width(label.text, label.font) * frame.scale;
        at.x -= label.anchor == Anchor::middle ? 0.5f * width : width;
    }
    const float x = std::round(at.x), y = std::round(at.y) - std::round(fonts.baseline(label.font) * zoom);
    frame.list->AddText(fonts.font(label.font), fonts.imgui_size(label.font) * zoom, ImVec2(x, y),
                        packed(label.color), label.text.data(), label.text.data() + label.text.size());
}

void paint(const PaintFrame& frame, const Mark& mark) {
    const Vec2 c = frame.at(mark.center);
    const float r = mark.radius * frame.scale, least = kLeastMarkWidth * frame.scale;
    const ImU32 color = packed(mark.color);
    ImDrawList* list = frame.list;
    if (mark.shape == MarkShape::circle) {
        list->AddCircleFilled(im(c), r, color);
    } else if (mark.shape == MarkShape::ring) {
        const float width = ring_width(r, least);
        list->AddCircle(im(c), r - 0.5f * width, color, 0, width);
    } else if (mark.shape == MarkShape::cross) {
        const float d = cross_reach(r), width = cross_width(r, least);
        list->AddLine(ImVec2(c.x - d, c.y - d), ImVec2(c.x + d, c.y + d), color, width);
        list->AddLine(ImVec2(c.x - d, c.y + d), ImVec2(c.x + d, c.y - d), color, width);
    } else {
        const MarkOutline outline = outline_of(mark.shape, c, r);
        ImVec2 corners[4];
        for (int i = 0; i < outline.count; ++i) corners[i] = im(outline.corners[i]);
        list->AddConvexPolyFilled(corners, outline.count, color);
    }
}

}  // namespace warplens
