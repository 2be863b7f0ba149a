#include "app/figures/formats/drawing.h"

#include "app/pictures/kit/lit_cell.h"
#include "app/pictures/kit/shape_geometry.h"

#include <algorithm>

namespace warplens {
namespace {

constexpr float kThinnest = 0.5f;  // [points]; thinner lines vanish in print

/// Turns the shapes of one picture into those of the drawing, in their order.
class Lowering {
public:
    Lowering(const PlacedPicture& part, std::span<const std::uint32_t> words, bool has_image,
             std::vector<Drawn>& out)
        : origin_(part.position), of_a_(part.of_a), words_(words), has_image_(has_image), out_(out) {}

    void operator()(const Box& box) {
        const Rect rect = placed(box.rect);
        if (rect.w <= 0 || rect.h <= 0) return;
        const bool stroked = box.stroke.a > 0 && box.stroke_width > 0;
        DrawnBox drawn{rect, box.fill, stroked ? box.stroke : Color{0, 0, 0, 0},
                       stroked ? box.stroke_width : 0, box.rounding};
        if (box.hatch.a == 0) {
            if (box.fill.a > 0 || stroked) out_.emplace_back(drawn);
            return;
        }
        // The hatch lies on the fill and below the stroke.
        if (box.fill.a > 0) out_.emplace_back(DrawnBox{rect, box.fill, {0, 0, 0, 0}, 0, box.rounding});
        hatch(rect, box.hatch, box.pattern);
        drawn.fill.a = 0;
        if (stroked) out_.emplace_back(drawn);
    }

    void operator()(const Path& path) {
        if (path.points.size() < 2 || path.color.a == 0) return;
        DrawnLines lines{{{}}, path.color, std::max(path.width, kThinnest)};
        for (const Vec2 point : path.points) lines.lines.front().push_back(placed(point));
        if (path.dash != Dash::solid) {
            const DashPattern pattern = pattern_of(path.dash);
            lines.dash_on = pattern.on * lines.width;
            lines.dash_off = pattern.off * lines.width;
        }
        out_.emplace_back(std::move(lines));
    }

    void operator()(const Wire& wire) {
        if (wire.color.a == 0) return;
        out_.emplace_back(DrawnCurve{curve_of(placed(wire.from), placed(wire.to)), wire.color,
                                     std::max(wire.width, kThinnest)});
    }

    void operator()(const Label& label) {
        if (label.text.empty() || label.color.a == 0) return;
        out_.emplace_back(Label{placed(label.position), label.text, label.font, label.color, label.anchor});
    }

    void operator()(const Mark& mark) {
        const Vec2 c = placed(mark.center);
        if (mark.shape == MarkShape::circle) {
            out_.emplace_back(DrawnDisk{c, mark.radius, 0, mark.color});
        } else if (mark.shape == MarkShape::ring) {
            const float width = ring_width(mark.radius, kLeastMarkWidth);
            out_.emplace_back(DrawnDisk{c, mark.radius - 0.5f * width, width, mark.color});
        } else if (mark.shape == MarkShape::cross) {
            const float d = cross_reach(mark.radius);
            out_.emplace_back(DrawnLines{
                {{{c.x - d, c.y - d}, {c.x + d, c.y + d}}, {{c.x - d, c.y + d}, {c.x + d, c.y - d}}},
                mark.color,
                cross_width(mark.radius, kLeastMarkWidth)});
        } else {
            const MarkOutline outline = outline_of(mark.shape, c, mark.radius);
            out_.emplace_back(
                DrawnPolygon{{outline.corners.begin(), outline.corners.begin() + outline.count}, mark.color});
        }
    }

    void operator()(const HeatCell& cell) {
        if (const std::optional<Box> lit = lit_cell(cell, words_))
            out_.emplace_back(DrawnBox{placed(lit->rect), lit->fill, {0, 0, 0, 0}, 0, lit->rounding});
    }

    void operator()(const ImageBox& image) {
        if (has_image_) out_.emplace_back(DrawnImage{placed(image.rect), of_a_});
    }

private:
    Vec2 placed(Vec2 p) const { return {p.x + origin_.x, p.y + origin_.y}; }
    Rect placed(const Rect& r) const { return {r.x + origin_.x, r.y + origin_.y, r.w, r.h}; }

    void hatch(const Rect& rect, Color color, Hatch pattern) {
        constexpr float kInset = 0.35f * kHatchWidth;  // so that the lines' ends stay inside
        const Rect inner{rect.x + kInset, rect.y + kInset, rect.w - 2 * kInset, rect.h - 2 * kInset};
        DrawnLines drawn{{}, color, kHatchWidth};
        const HatchDirections directions = directions_of(pattern);
        for (int i = 0; i < directions.count; ++i) {
            for_each_hatch_line(
                inner, directions.direction[i], origin_, kHatchSpacing, [](int) {},
                [&](Vec2 from, Vec2 to) {
                    drawn.lines.push_back({from, to});
                });
        }
        if (!drawn.lines.empty()) out_.emplace_back(std::move(drawn));
    }

    Vec2 origin_;
    bool of_a_;
    std::span<const std::uint32_t> words_;
    bool has_image_;
    std::vector<Drawn>& out_;
};

}  // namespace

Drawing lower_figure(const std::vector<PlacedPicture>& figure, Vec2 size,
                     std::span<const std::uint32_t> trace_words, bool has_image,
                     std::span<const std::uint32_t> of_a) {
    Drawing drawing{size, {}};
    for (const PlacedPicture& part : figure) {
        DrawnGroup& group = drawing.groups.emplace_back(DrawnGroup{part.picture.title, {}});
        Lowering lower(part, part.of_a ? of_a : trace_words, has_image, group.shapes);
        for (const Shape& shape : part.picture.shapes) std::visit(lower, shape);
    }
    return drawing;
}

}  // namespace warplens
