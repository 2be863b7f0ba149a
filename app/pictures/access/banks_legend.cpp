#include "app/pictures/access/banks_drawing.h"
#include "app/pictures/kit/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace warplens {
namespace {

// The samples are recognised by their names, so that a legend is nothing but names and widths.
constexpr std::string_view kIdeal = "ideal", kNumber = "number in a cell: lane",
                           kShared = "several lanes, one word", kPadding = "padding",
                           kOnly = "the only wavefront", kTileRow = "tile row starts";

void draw_ramp(const BanksCanvas& d, Rect sample, Ramp ramp, int steps) {
    const int n = std::clamp(steps, 1, 8);
    const float step = sample.w / static_cast<float>(n);
    for (int i = 0; i < n; ++i) {
        const float t = n == 1 ? 0 : static_cast<float>(i) / static_cast<float>(n - 1);
        d.canvas.fill({sample.x + step * static_cast<float>(i) + 0.5f, sample.y, step - 1, sample.h},
                      ramp_color(ramp, t), 1);
    }
}

void draw_sample(const BanksCanvas& d, Rect sample, std::string_view name) {
    Canvas& canvas = d.canvas;
    const Theme& theme = canvas.theme;
    const Ramp ramp = d.ramp();
    if (name.starts_with(kIdeal)) {
        const float y = sample.y + sample.h / 2;
        canvas.line({sample.x, y}, {sample.x + sample.w, y}, theme.good, 1.5f, Dash::dashed);
    } else if (name == kPadding) {
        canvas.box({.rect = sample, .fill = theme.panel, .rounding = 1.5f, .hatch = theme.hatch});
    } else if (name == kTileRow) {
        canvas.fill({sample.x + sample.w / 2 - 0.75f, sample.y, 1.5f, sample.h}, theme.outline);
    } else if (name == kShared) {
        const Color fill = ramp_color(ramp, 0);
        canvas.fill(sample, fill, 2);
        draw_double_outline(canvas, sample, fill, 2);
    } else if (name != kNumber) {
        const int most =
            *std::max_element(d.report.group_wavefronts.begin(), d.report.group_wavefronts.end());
        draw_ramp(d, sample, ramp, d.color_by == ColorBy::wavefront ? most : d.layout.most_words);
    }
}

}  // namespace

Legend banks_legend(const InstructionView& view, const TileShape& tile, ColorBy color_by,
                    const Style& style) {
    Legend legend;
    const BankReport& report = *view.banks;
    if (style.compact || view.report->access.active == 0) return legend;
    const int wavefronts = *std::max_element(report.group_wavefronts.begin(), report.group_wavefronts.end());
    const std::string_view of_group = report.groups > 1 ? " of each group" : "";
    int most = 1;
    for (const auto& group : report.words)
        most = std::max<int>(most, *std::max_element(group.begin(), group.end()));
    const int steps = color_by == ColorBy::wavefront ? wavefronts : most;
    const float ramp_width = 12.0f * static_cast<float>(std::clamp(steps, 1, 8));
    if (style.counts_hidden) {
        // Neither the colours nor the bars say anything then.
    } else if (color_by == ColorBy::words) {
        legend.add(most == 1 ? "1 word in the bank" : fmt::format("1 to {} words in the bank", most),
                   ramp_width);
    } else {
        legend.add(
            fmt::format("{}{}",
                        wavefronts == 1 ? std::string(kOnly) : fmt::format("wavefronts 1 to {}", wavefronts),
                        of_group),
            ramp_width);
    }
    if (!style.counts_hidden) legend.add(std::string(kIdeal) + ": 1 word per bank", 24);
    const int granule = std::max(bank_word_bytes(view.bank_rules), view.report->access.bytes_per_lane);
    bool several = false, single = false;
    for (int group = 0; group < report.groups; ++group) {
        for (const WantedElement& element :
             collect_elements(view.report->access, lanes_of(group, report.lanes_per_group), granule)) {
            (std::popcount(element.lanes) > 1 ? several : single) = true;
        }
    }
    if (several) legend.add(std::string(kShared), 14);
    if (tile.padding > 0) legend.add(std::string(kPadding), 14);
    if (single) legend.add(std::string(kNumber), 0);
    return legend;
}

void draw_banks_legend(const BanksCanvas& d, const Legend& legend, float y, int max_rows) {
    const float width = d.canvas.style.size.x - 2 * d.canvas.margin();
    const auto places = legend.arrange(d.canvas, d.canvas.margin(), y, width, max_rows);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const std::string& name = legend.items()[i].text;
        if (name == kNumber && !d.layout.numbers) continue;
        draw_sample(d, places[i].sample, name);
        d.canvas.label(places[i].baseline, name, FontRole::body, d.canvas.theme.text_weak);
    }
}

}  // namespace warplens
