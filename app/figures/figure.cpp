#include "app/figures/figure.h"

#include "app/figures/figure_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace warplens {
namespace {

constexpr float kGap = FigurePage::kGap;

/// Where everything goes [points].
struct Layout {
    std::vector<Rect> instructions;
    Rect bandwidth;
    bool compact = false;
};

/// Rows of 128 bytes that a picture of banks has; 0 for global memory.
int rows_of_banks(const FigureContent::Item& item) {
    if (item.view.banks == nullptr) return 0;
    std::set<std::uint64_t> rows;
    const WarpAccess& access = item.view.report->access;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        if ((access.active >> lane & 1u) != 0) rows.insert(access.byte_address[lane] / kLineBytes);
    }
    const TileShape& tile = item.tile;
    const int tile_bytes = (tile.width + tile.padding) * tile.height * tile.element_bytes;
    return std::max(static_cast<int>(rows.size()), tile_bytes / kLineBytes);
}

/// @param tall  the one picture has many rows of cells: it wants to stand beside the plot, not above it.
Layout lay_out(const Rect& area, int instructions, bool bandwidth, bool tall) {
    Layout layout;
    layout.compact = instructions > 2;
    if (instructions == 0) {
        layout.bandwidth = area;
        return layout;
    }
    if (bandwidth && tall && area.w >= 1.2f * area.h) {
        const float plot = 0.4f * area.w;
        layout.instructions = {{area.x, area.y, area.w - plot - kGap, area.h}};
        layout.bandwidth = {area.x + area.w - plot, area.y, plot, area.h};
        return layout;
    }
    // The instructions are what the figure is about; four of them need the room more than the plot does.
    const float share = !bandwidth ? 0.0f : instructions > 2 ? 0.30f : 0.38f;
    const float plot = share * area.h;
    const Rect upper{area.x, area.y, area.w, area.h - plot - (bandwidth ? kGap : 0)};
    layout.instructions = figure_panels(upper, instructions);
    if (bandwidth) layout.bandwidth = {area.x, area.y + area.h - plot, area.w, plot};
    return layout;
}

bool has_plot(const FigureContent& content) {
    return content.curve != nullptr || content.heatmap != nullptr || content.fit != nullptr || content.board;
}

}  // namespace

std::vector<std::string> figure_caption(const FigureContent& content) {
    if (content.board) return content.board_caption;
    std::vector<std::string> caption;
    caption.push_back(content.settings.empty() ? "all parameters at their defaults"
                                               : content.settings + ", other parameters at their defaults");
    caption.push_back(content.device);
    if (!content.instructions.empty()) {
        caption.push_back(
            content.count_kind == Provenance::exact
                ? fmt::format("{} exact: counted from addresses", provenance_mark(Provenance::exact))
                : fmt::format("{} {} counts{}{}", provenance_mark(content.count_kind),
                              provenance_name(content.count_kind), content.count_source.empty() ? "" : ": ",
                              content.count_source));
    }
    const auto by_model = [&](SpeedUnit speed_unit) {
        caption.push_back(fmt::format("{} approximate: {} by a model",
                                      provenance_mark(Provenance::approximate),
                                      speed_words(speed_unit).unit));
    };
    if (content.curve != nullptr) {
        by_model(content.curve->speed_unit);
        const auto& series = content.curve->series;
        if (std::any_of(series.begin(), series.end(),
                        [](const MeasuredSeries& s) { return s.kind == Provenance::recorded; }))
            caption.push_back(
                fmt::format("{} recorded: median and quartiles", provenance_mark(Provenance::recorded)));
    }
    if (content.heatmap != nullptr) {
        by_model(content.heatmap->speed_unit);
        const MeasuredOn& on = content.heatmap->measured_on;
        if (content.heatmap->show != HeatmapShow::model && !on.gpu.empty())
            caption.push_back(
                fmt::format("{} {}: medians", provenance_mark(on.kind), provenance_name(on.kind)));
    }
    if (content.fit != nullptr) {
        caption.push_back(fmt::format("{} {}: wavefronts, counted from addresses",
                                      provenance_mark(content.count_kind),
                                      provenance_name(content.count_kind)));
        if (!content.fit->points.empty())
            caption.push_back(fmt::format("{} {}: cycles, by the SM's clock",
                                          provenance_mark(content.fit->measured_on.kind),
                                          provenance_name(content.fit->measured_on.kind)));
    }
    return caption;
}

std::vector<PlacedPicture> compose_figure(const FigureContent& content, const Theme& theme,
                                          const TextMeasure& measure, Vec2 size) {
    FigurePage page({content.title, content.subtitle,
                     content.caption ? figure_caption(content) : std::vector<std::string>{}, content.license},
                    theme, measure, size);
    const bool tall = content.instructions.size() == 1 && rows_of_banks(content.instructions.front()) > 8;
    const Layout layout =
        lay_out(page.body(), static_cast<int>(content.instructions.size()), has_plot(content), tall);
    std::vector<PlacedPicture> placed(1);  // the page comes first, once its panels are known
    Style style{.theme = &theme, .measure = &measure, .size = {}};
    const auto place = [&](const Rect& panel, auto&& draw) {
        page.panel(panel);
        const Rect inner = FigurePage::inside(panel);
        style.size = {inner.w, inner.h};
        placed.push_back({draw(), {inner.x, inner.y}});
    };
    style.compact = layout.compact;
    for (std::size_t i = 0; i < content.instructions.size(); ++i) {
        const FigureContent::Item& item = content.instructions[i];
        place(layout.instructions[i], [&] {
            return draw_access(item.view, item.tile, content.color_by, content.only_wavefront, style);
        });
    }
    style.compact = false;
    if (has_plot(content)) {
        place(layout.bandwidth, [&] {
            return content.board                ? content.board(style)
                   : content.heatmap != nullptr ? draw_heatmap(*content.heatmap, style)
                   : content.fit != nullptr     ? draw_fit(*content.fit, style)
                                                : draw_bandwidth(*content.curve, style);
        });
    }
    placed.front() = {std::move(page.picture), {0, 0}};
    return placed;
}

}  // namespace warplens
