#include "app/pictures/access/banks_drawing.h"
#include "app/pictures/access/explain.h"
#include "app/pictures/kit/cells.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

/// "4 + 4 + 4 + 4 = 16 wavefronts, ideal 4"
std::string sum_of_groups(const BankReport& report) {
    std::string text;
    for (int group = 0; group < report.groups; ++group) {
        text += fmt::format("{}{}", group == 0 ? "" : " + ", report.group_wavefronts[group]);
    }
    return fmt::format("{} = {}, ideal {}", text, counted(report.count.wavefronts, "wavefront"),
                       report.count.ideal);
}

std::string subtitle_of(const InstructionView& view, const Style& style, int only_wavefront) {
    const InstructionReport& report = *view.report;
    if (style.compact) return fmt::format("shared {}", op_name(report.access.op));
    const std::string_view label =
        report.instruction.label.empty() ? op_name(report.access.op) : report.instruction.label;
    if (only_wavefront >= 0 && view.banks->count.wavefronts > 0) {
        return fmt::format("wavefront {} of {}, {}", only_wavefront + 1, view.banks->count.wavefronts, label);
    }
    return fmt::format("one warp, {}", label);
}

void draw_compact_numbers(const BanksCanvas& d) {
    Canvas& canvas = d.canvas;
    if (canvas.style.counts_hidden) return;
    const BankCount& count = d.report.count;
    const float baseline = canvas.style.size.y - 6 - descent(FontRole::strong);
    const float room = canvas.style.size.x - 2 * canvas.margin();
    std::string text = d.report.groups > 1
                           ? sum_of_groups(d.report)
                           : fmt::format("{}, ideal {}", counted(count.wavefronts, "wavefront"), count.ideal);
    if (canvas.width(text, FontRole::strong) > room) {
        text = fmt::format("{}, ideal {}", counted(count.wavefronts, "wavefront"), count.ideal);
    }
    canvas.label({canvas.margin(), baseline}, elide(text, FontRole::strong, room, *canvas.style.measure),
                 FontRole::strong, count.excessive() > 0 ? canvas.theme.bad : canvas.theme.good);
}

}  // namespace

Picture draw_banks(const InstructionView& view, const TileShape& tile, ColorBy color_by, int only_wavefront,
                   const Style& style) {
    const InstructionReport& instruction = *view.report;
    const BankReport& report = *view.banks;
    const int only = only_wavefront < report.count.wavefronts && !style.counts_hidden ? only_wavefront : -1;
    Canvas canvas(
        style, style.compact ? fmt::format("{}  {}", view.index + 1, instruction.instruction.label) : "Banks",
        subtitle_of(view, style, only));
    canvas.picture.hits.reserve(static_cast<std::size_t>(report.groups * report.banks + kWarpLanes));
    float top = canvas.draw_title();
    const float edge = style.compact    ? 8.0f
                       : style.embedded ? 2.0f
                                        : 12.0f,
                width = style.size.x - 2 * canvas.margin();
    float bottom = style.size.y - edge;
    Sentences sentences;
    int legend_rows = 0;
    if (style.compact) {
        bottom -= line_height(FontRole::strong);
    } else {
        const float least_picture = report.groups > 1 ? 120.0f : 76.0f;
        sentences = fit_sentences(explain(view, tile), style, width, bottom - top - least_picture);
        bottom -= sentences.height() + 4;
        const float room = bottom - top;
        legend_rows = room > 330 ? 2 : room > 200 ? 1 : 0;
    }
    const bool with_sum = !style.compact && !style.counts_hidden && report.groups > 1 && bottom - top > 150;
    if (with_sum) {
        canvas.label({canvas.margin(), top + ascent(FontRole::strong)},
                     elide(sum_of_groups(report), FontRole::strong, width, *style.measure), FontRole::strong,
                     canvas.theme.text);
        top += line_height(FontRole::strong) + 4;
    }
    const Legend legend = banks_legend(view, tile, color_by, style);
    const auto places = legend.arrange(canvas, canvas.margin(), 0, width, legend_rows);
    const float legend_h = places.empty() ? 0 : places.back().sample.y + 6 + Legend::kRowHeight / 2 + 2;
    const BanksLayout layout = lay_out_banks(canvas, view, tile, top, bottom - legend_h);
    canvas.picture.shapes.reserve(static_cast<std::size_t>(report.groups) * (layout.rows.size() * 34 + 64) +
                                  96);
    const BanksCanvas drawing{canvas, instruction.access, report, layout, view.index, color_by, only};
    draw_blocks(drawing, tile);
    if (style.compact) {
        draw_compact_numbers(drawing);
    } else {
        const float y = style.size.y - edge - sentences.height();
        if (!places.empty()) draw_banks_legend(drawing, legend, bottom - legend_h + 2, legend_rows);
        draw_sentences(canvas, sentences, canvas.margin(), y);
    }
    return canvas.take();
}

}  // namespace warplens
