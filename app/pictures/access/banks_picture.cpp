#include "app/pictures/access/banks_canvas.h"
#include "app/pictures/access/explain.h"
#include "app/pictures/kit/fit_text.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

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

std::string subtitle_of(const InstructionView& view, const Style& style, int player_step) {
    if (style.compact || player_step < 0 || view.banks->count.wavefronts == 0)
        return subtitle_of(view, style, "shared");
    const InstructionReport& report = *view.report;
    return fmt::format(
        "wavefront {} of {}, {}", player_step + 1, view.banks->count.wavefronts,
        report.instruction.label.empty() ? op_name(report.access.op) : report.instruction.label);
}

/// Whether there are cells that one lane wants, and cells that several share.
std::pair<bool, bool> lanes_of_cells(const InstructionView& view) {
    const BankReport& report = *view.banks;
    const int granule = std::max(bank_word_bytes(view.bank_rules), view.report->access.bytes_per_lane);
    bool several = false, single = false;
    for (int group = 0; group < report.groups; ++group) {
        for (const WantedElement& element :
             collect_elements(view.report->access, lanes_of(group, report.lanes_per_group), granule)) {
            (std::popcount(element.lanes) > 1 ? several : single) = true;
        }
    }
    return {single, several};
}

/// Samples of what appears in this picture, and nothing else. The last one explains the cells' numbers.
Legend banks_legend(const InstructionView& view, const TileShape& tile, ColorBy color_by, bool by_tile,
                    const Style& style) {
    Legend legend;
    const BankReport& report = *view.banks;
    const Theme& theme = *style.theme;
    if (style.compact || view.report->access.active == 0) return legend;
    const Ramp ramp = ramp_of(color_by, theme);
    const int wavefronts = *std::ranges::max_element(report.group_wavefronts);
    const int most = std::max(1, most_words(view)), steps = color_by == ColorBy::words ? most : wavefronts;
    if (color_by == ColorBy::lane)
        legend.add("lanes 0 to 31", 96, [](Canvas& canvas, Rect sample) {
            const float step = sample.w / kWarpLanes;
            for (int lane = 0; lane < kWarpLanes; ++lane)
                canvas.fill({sample.x + step * float(lane), sample.y, step, sample.h},
                            lane_color(canvas.theme, lane));
        });
    const auto draw_ramp = [ramp, n = std::clamp(steps, 1, 8)](Canvas& canvas, Rect sample) {
        const float step = sample.w / float(n);
        for (int i = 0; i < n; ++i) {
            const float t = n == 1 ? 0 : float(i) / float(n - 1);
            canvas.box({.rect = {sample.x + step * float(i) + 0.5f, sample.y, step - 1, sample.h},
                        .fill = ramp_color(ramp, t),
                        .rounding = 1,
                        .plain = true});
        }
    };
    if (!style.counts_hidden) {  // else neither the colours nor the bars say anything
        const std::string_view what = shares_words(view.report->access.op) ? "word" : "lane";
        const std::string by_words = most == 1 ? fmt::format("1 {} in the bank", what)
                                               : fmt::format("1 to {} {}s in the bank", most, what);
        const std::string by_wavefront = fmt::format(
            "{}{}", wavefronts == 1 ? "the only wavefront" : fmt::format("wavefronts 1 to {}", wavefronts),
            report.groups > 1 ? " of each group" : "");
        if (color_by != ColorBy::lane)
            legend.add(color_by == ColorBy::words ? by_words : by_wavefront,
                       12.0f * float(std::clamp(steps, 1, 8)), draw_ramp);
        legend.add_line(fmt::format("ideal: 1 {} per bank", what), theme.good, 1.5f, Dash::dashed, 24);
        legend.add(fmt::format("bars: each tick up is twice the {}s", what));
    }
    const auto [single, several] = lanes_of_cells(view);
    if (several)
        legend.add("several lanes, one word", 14, [ramp](Canvas& canvas, Rect sample) {
            canvas.fill(sample, ramp_color(ramp, 0), 2);
            draw_double_outline(canvas, sample, ramp_color(ramp, 0), 2);
        });
    if (tile.padding > 0)
        legend.add_box("padding", {.fill = theme.panel, .rounding = 1.5f, .hatch = theme.hatch});
    if (single)
        legend.add(by_tile && tile.width > 0 ? "number in a cell: lane, in a grey one: bank"
                                             : "number in a cell: lane");
    return legend;
}

/// The line below a small picture: the sum over the groups where there is room for it.
std::string compact_numbers(const Canvas& canvas, const BankReport& report) {
    const std::string sum = sum_of_groups(report);
    if (report.groups > 1 && canvas.width(sum, FontRole::strong) <= canvas.inner_width()) return sum;
    return cost_text(report.count);
}

}  // namespace

Picture draw_banks(const InstructionView& view, const TileShape& tile, const AccessLook& asked,
                   const Style& style) {
    const BankReport& report = *view.banks;
    AccessLook look = asked;
    if (style.counts_hidden) look.step = -1;
    if (look.step >= report.count.wavefronts) look.step = look.share >= 0 ? report.count.wavefronts - 1 : -1;
    Canvas canvas(style, title_of(view, style, "Banks"), subtitle_of(view, style, look.step));
    canvas.picture.hits.reserve(report.groups * report.banks + kWarpLanes);
    const PictureFrame frame =
        open_frame(canvas, explain(view, tile), report.groups > 1 ? 120.0f : 76.0f, 0, 4);
    float top = frame.top;
    const float room = frame.bottom - top, width = canvas.inner_width();
    // Beside a huge verdict nothing else says what the colours mean.
    const float least_with_legend = style.silent ? 130 : 200;
    const int legend_rows = style.compact ? 0 : room > 330 ? 2 : room > least_with_legend ? 1 : 0;
    if (!style.compact && !style.counts_hidden && report.groups > 1 && room > 150) {
        const std::string sum = sum_of_groups(report);
        const std::string shorter =
            fit_text(canvas, {sum, sum.substr(0, sum.find(',')), cost_text(report.count), std::string()},
                     FontRole::strong, width);
        canvas.label({canvas.margin(), top + ascent(FontRole::strong)}, shorter, FontRole::strong,
                     canvas.theme.text);
        top += line_height(FontRole::strong) + 4;
    }
    Legend legend = banks_legend(view, tile, look.color_by, look.by_tile, style);
    float legend_height = legend.height(canvas, width, legend_rows);
    const float bottom = frame.bottom - (legend_height > 0 ? legend_height + 2 : 0);
    BanksLayout layout =
        lay_out_banks(canvas, view, tile, look.by_tile, top, frame.bottom, frame.bottom - bottom);
    if (legend_height > 0 &&
        !layout.numbers) {  // numbers in the cells say more than the legend, and so do rows
        BanksLayout higher = lay_out_banks(canvas, view, tile, look.by_tile, top, frame.bottom, 0);
        if (higher.numbers || (layout.folds() && !higher.folds()) || layout.row_pitch < kLeastRow) {
            layout = std::move(higher);
            legend_height = 0;
        }
    }
    canvas.picture.shapes.reserve(static_cast<std::size_t>(report.groups) * (layout.rows.size() * 34 + 64) +
                                  96);
    draw_blocks({{canvas, view.report->access}, report, layout, view.index, look});
    if (!layout.numbers && !legend.empty() && lanes_of_cells(view).first) legend.drop_last();
    if (legend_height > 0) legend.draw(canvas, canvas.margin(), bottom + 2, width, legend_rows);
    close_frame(canvas, frame, report.count.excessive() == 0, compact_numbers(canvas, report), "");
    return canvas.take();
}

}  // namespace warplens
