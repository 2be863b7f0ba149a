#include "app/pictures/access/explain.h"
#include "app/pictures/access/filter_canvas.h"
#include "app/pictures/kit/fit_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

/// The pixels that the pictured warp draws.
struct PixelArea {
    int x = 0, y = 0, columns = 0, rows = 0;
};

PixelArea pixels_of(const InstructionView& view) {
    const LaunchShape& shape = *view.shape;
    const int first = view.place.warp_in_block * kWarpLanes;
    const int columns = std::min(shape.block.x, kWarpLanes);
    return {view.place.block.x * shape.block.x + first % shape.block.x,
            (view.place.block.y * shape.block.y + first / shape.block.x) % shape.image.y, columns,
            kWarpLanes / columns};
}

/// The image with the warp's pixels marked. @return  the mark.
Rect draw_image(Canvas& canvas, const InstructionView& view, Rect image) {
    canvas.fill(image, canvas.theme.cell_empty);
    canvas.add(ImageBox{image});
    canvas.frame(inset(image, -1), canvas.theme.outline, 1, 0);
    const PixelArea area = pixels_of(view);
    const float pixel = image.w / float(view.shape->image.x);
    const Rect exact{image.x + float(area.x) * pixel, image.y + float(area.y) * pixel,
                     float(area.columns) * pixel, float(area.rows) * pixel};
    constexpr float kLeast = 7;  // still to be seen
    const float w = std::min(std::max(exact.w, kLeast), image.w),
                h = std::min(std::max(exact.h, kLeast), image.h);
    Rect mark{exact.x + (exact.w - w) / 2, exact.y + (exact.h - h) / 2, w, h};
    mark.x = std::clamp(mark.x, image.x, image.x + image.w - w);
    mark.y = std::clamp(mark.y, image.y, image.y + image.h - h);
    canvas.frame(inset(mark, -3), {0, 0, 0, 255}, 1.5f, 3);
    canvas.frame(inset(mark, -1.5f), {255, 255, 255, 255}, 1.5f, 2);
    canvas.frame(mark, canvas.theme.bad, 1.5f, 1);
    canvas.hit(
        image, -1,
        fmt::format("an image of {} x {} pixels, one thread each\nthe mark: pixels ({}, {}) to ({}, {}) of "
                    "the pictured warp",
                    view.shape->image.x, view.shape->image.y, area.x, area.y, area.x + area.columns - 1,
                    area.y + area.rows - 1));
    return inset(mark, -3);
}

/// "lane 0: 41 % of 235 + 12 % of 20 + ... = 143"; where that has no room "lane 0: the weighted mean of 235,
/// 20, 235, 48 = 143", or "lane 0: 4 texels make 143".
std::string arithmetic(const FilterCanvas& d, float width) {
    const int lane = d.shown();
    if (lane < 0 || !d.linear()) return {};
    const LaneTexel& texel = d.access.texel[lane];
    std::string text = fmt::format("lane {}: ", lane);
    std::string levels;
    float sum = 0;
    for (int k = 0; k < 4; ++k) {
        const float weight = weight_of(texel, true, k % 2, k / 2);
        const int level = d.level(texel.x + k % 2, texel.y + k / 2);
        sum += weight * float(level);
        text += fmt::format("{}{:.1f} % of {}", k == 0 ? "" : " + ", 100 * weight, level);
        levels += fmt::format("{}{}", k == 0 ? "" : ", ", level);
    }
    return fit_text(d.canvas,
                    {text + fmt::format(" = {:.0f}", sum),
                     fmt::format("lane {}: the weighted mean of {} is {:.0f}", lane, levels, sum),
                     fmt::format("lane {}: 4 texels make {:.0f}", lane, sum)},
                    FontRole::body, width);
}

void draw_legend(Canvas& canvas, float x, float y, float width) {
    const Theme& theme = canvas.theme;
    Legend legend;
    legend.add_box("sector fetched", {.stroke = theme.accent, .stroke_width = 2, .rounding = 2}, 16);
    legend.add_box("texel not used", {.stroke = theme.outline, .hatch = theme.hatch}, 16);
    legend.add("where a lane reads", 10, [](Canvas& on, Rect sample) {
        const Vec2 middle{sample.x + sample.w / 2, sample.y + sample.h / 2};
        on.mark(middle, MarkShape::circle, 5, {0, 0, 0, 255});
        on.mark(middle, MarkShape::circle, 4, lane_color(on.theme, 20));
    });
    legend.add_line("one request", theme.highlight, 2, Dash::solid, 16);
    legend.draw(canvas, x, y, width, 1);
}

/// From the mark in the image to the texels: these are those.
void draw_lens(Canvas& canvas, Rect mark, Rect panel) {
    const Color color = with_alpha(canvas.theme.bad, 0.8f);
    canvas.line({mark.x + mark.w, mark.y}, {panel.x - 4, panel.y}, color, 1);
    canvas.line({mark.x + mark.w, mark.y + mark.h}, {panel.x - 4, panel.y + panel.h}, color, 1);
}

}  // namespace

Picture draw_filter(const InstructionView& view, const Style& style) {
    const TextureCount& count = view.texture->count;
    Canvas canvas(style, title_of(view, style, "Texture"),
                  style.compact ? "texture" : subtitle_of(view, style, "texture"));
    const Explanation explanation = explain(view);
    const PictureFrame frame = open_frame(canvas, explanation, 120);
    const float left = canvas.margin() + 2, right = style.size.x - canvas.margin() - 2, top = frame.top + 1;
    const bool legend = !style.compact && frame.bottom - top > 170;
    const bool formula = legend && view.report->access.sampling.linear;
    const float below = (legend ? Legend::kRowHeight + 6 : 0) + (formula ? line_height(FontRole::body) : 0);
    const float height = std::max(0.0f, frame.bottom - top - below - 2);

    constexpr float kGap = 28;
    const float side = std::max(0.0f, std::min(height, 0.46f * (right - left - kGap)));
    const Rect mark = draw_image(canvas, view, {left, top, side, side});
    const Vec2 room{right - left - side - kGap, height};
    FilterCanvas d{{canvas, view.report->access}, view, region_of(view.report->access, room), {}};
    d.cell = texel_side(d.region.columns, d.region.rows, room);
    if (d.cell >= 1) {
        d.panel = {left + side + kGap, top, d.cell * float(d.region.columns), d.cell * float(d.region.rows)};
        draw_lens(canvas, mark, d.panel);
        draw_filter_texels(d);
    }
    if (legend) draw_legend(canvas, left, top + height + 5, right - left);
    if (formula) {
        const float baseline = top + height + 5 + Legend::kRowHeight + ascent(FontRole::body) + 2;
        canvas.label_elided({left, baseline}, canvas.count_text(arithmetic(d, right - left)), FontRole::body,
                            canvas.theme.text, right - left);
    }
    close_frame(canvas, frame, explanation.good, cost_text(count.sectors, "sector", count.ideal_sectors),
                counted(count.requests, "request"));
    return canvas.take();
}

}  // namespace warplens
