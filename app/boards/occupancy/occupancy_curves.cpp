#include "app/boards/occupancy/occupancy_canvas.h"
#include "app/pictures/access/explain.h"
#include "app/pictures/kit/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace warplens {
namespace {

using namespace std::string_view_literals;

/// One of the three plots.
struct StepPlot {
    const OccupancyCanvas& d;
    OccupancyKnob knob;
    std::vector<OccupancyStep> steps;
    Rect area;  ///< of the data

    int first() const { return steps.front().from; }
    int last() const { return steps.back().to; }
    /// Left edge of a value's own room: a step ends where the next value's begins.
    float x_of(double value) const {
        const double span = std::max(1, last() - first() + 1);
        return area.x + area.w * float((value - first()) / span);
    }
    int value_at(float x) const {
        const double span = std::max(1, last() - first() + 1);
        const auto at = int(std::floor((x - area.x) / area.w * span)) + first();
        return std::clamp(at, first(), last());
    }
    float y_of(int warps) const {
        const float share = float(warps) / float(d.now.max_warps);
        return area.y + area.h * (1 - share);
    }
    float bottom() const { return area.y + area.h; }
    bool in_bytes() const { return knob == OccupancyKnob::shared; }
};

/// The longest first.
constexpr std::array<std::string_view, 3> names_of(OccupancyKnob knob) {
    return knob == OccupancyKnob::threads ? std::array{"threads per block"sv, "threads"sv, ""sv}
           : knob == OccupancyKnob::registers
               ? std::array{"registers per thread"sv, "registers"sv, ""sv}
               : std::array{"shared memory per block"sv, "shared memory"sv, "shared"sv};
}

std::string value_text(const StepPlot& plot, int value) {
    return plot.in_bytes() ? format_size(value) : format_count(value);
}

/// With the unit at zero alone, so that three ticks have room.
std::string tick_text(const StepPlot& plot, int value) {
    if (!plot.in_bytes()) return format_count(value);
    return value == 0 ? std::string("0 KiB") : format_count(value / 1024);
}

/// Round values of the knob: multiples of a power of two, as these are what people set, or of three of them
/// where that makes a third tick.
std::vector<int> ticks_of(const StepPlot& plot) {
    const float least = plot.d.canvas.width(tick_text(plot, plot.last()), FontRole::body) + 6;
    const auto has_room = [&](int step) { return plot.x_of(plot.first() + step) - plot.area.x >= least; };
    int step = plot.in_bytes() ? 1024 : plot.knob == OccupancyKnob::threads ? 32 : 8;
    while (!has_room(step) && step < plot.last()) step *= 2;
    if (2 * step > plot.last() && has_room(step / 4 * 3)) step = step / 4 * 3;
    std::vector<int> ticks;
    for (int value = 0; value <= plot.last(); value += step) ticks.push_back(value);
    return ticks;
}

void draw_axes(const StepPlot& plot, bool percents) {
    Canvas& canvas = plot.d.canvas;
    const Theme& theme = canvas.theme;
    for (const int percent : {0, 50, 100}) {
        const float y = plot.area.y + plot.area.h * (1 - float(percent) / 100);
        canvas.line({plot.area.x, y}, {plot.area.x + plot.area.w, y},
                    percent == 0 ? theme.outline : theme.grid, 1);
        if (percents && (percent != 50 || plot.area.h > 60))
            canvas.label_middle({plot.area.x - 7, y}, fmt::format("{} %", percent), FontRole::body,
                                theme.text_weak, Anchor::end);
    }
    for (const int value : ticks_of(plot)) {
        const std::string text = tick_text(plot, value);
        const float x = std::max(plot.area.x, plot.x_of(value)),
                    half = canvas.width(text, FontRole::body) / 2;
        canvas.line({x, plot.bottom()}, {x, plot.bottom() + 4}, theme.outline, 1);
        const float centre =
            std::min(x, std::min(plot.area.x + plot.area.w + 12, canvas.style.size.x) - half);
        canvas.label({centre, plot.bottom() + 6 + ascent(FontRole::body)}, text, FontRole::body,
                     theme.text_weak, Anchor::middle);
    }
}

void draw_steps(const StepPlot& plot) {
    Canvas& canvas = plot.d.canvas;
    const Color color = canvas.theme.series[kSeriesMeasured];
    Path line{{}, color, 2, Dash::solid};
    for (const OccupancyStep& step : plot.steps) {
        const float left = plot.x_of(step.from), right = plot.x_of(step.to + 1), y = plot.y_of(step.warps);
        if (step.warps > 0) canvas.fill({left, y, right - left, plot.bottom() - y}, with_alpha(color, 0.22f));
        line.points.push_back({left, y});
        line.points.push_back({right, y});
    }
    canvas.add(std::move(line));
}

/// A mark for the launch as it is at present.
void draw_present(const StepPlot& plot) {
    Canvas& canvas = plot.d.canvas;
    const int value = value_of(plot.d.view.input, plot.knob);
    const float x = plot.x_of(value + 0.5);
    const Color color = plot.d.now.full() ? canvas.theme.good : canvas.theme.bad;
    canvas.line({x, plot.area.y - 4}, {x, plot.bottom()}, color, 1.5f, Dash::dashed);
    canvas.mark({x, plot.y_of(plot.d.now.warps())}, MarkShape::circle, 5, color);
}

void draw_name(const StepPlot& plot, float left, float baseline, float room) {
    Canvas& canvas = plot.d.canvas;
    const std::string value = value_text(plot, value_of(plot.d.view.input, plot.knob));
    const auto names = names_of(plot.knob);
    const auto fitting = std::ranges::find_if(names, [&](std::string_view name) {
        return canvas.width(fmt::format("{}  {}", name, value), FontRole::strong) <= room;
    });
    const std::string name(fitting == names.end() ? std::string_view() : *fitting);
    canvas.label({left, baseline}, name, FontRole::body, canvas.theme.text_weak);
    const float after = name.empty() ? 0 : canvas.width(name, FontRole::body) + 7;
    canvas.label({left + after, baseline}, value, FontRole::strong, canvas.theme.text);
}

const OccupancyStep& step_at(const StepPlot& plot, int value) {
    return *std::ranges::lower_bound(plot.steps, value, {}, &OccupancyStep::to);
}

/// A click at these values sets this: the end of a step, where one lies there, as nothing gets worse up to
/// it; else a value in the middle, rounded as people set it.
int chosen_value(const StepPlot& plot, int from, int to) {
    const OccupancyStep& step = step_at(plot, from);
    if (step.to <= to) return step.to;
    const int middle = (from + to) / 2;
    const int unit = plot.in_bytes() ? 256 : plot.knob == OccupancyKnob::threads ? kWarpLanes : 1;
    return std::clamp((middle + unit / 2) / unit * unit, plot.first(), plot.last());
}

/// The link that sets one knob of the board and leaves the others.
std::string occupancy_link(const OccupancyInput& input, OccupancyKnob knob, int value) {
    const std::string head = "?board=occupancy&occupancy.";
    const OccupancyInput there = with_value(input, knob, value);
    if (knob == OccupancyKnob::shared)
        return fmt::format("{}static={}&occupancy.dynamic={}", head, there.static_shared,
                           there.dynamic_shared);
    const std::string_view name = knob == OccupancyKnob::threads     ? "threads"
                                  : knob == OccupancyKnob::registers ? "registers"
                                                                     : "carveout";
    return fmt::format("{}{}={}", head, name, value);
}

/// Columns to point at and to click on.
void add_hits(const StepPlot& plot) {
    Canvas& canvas = plot.d.canvas;
    const int values = plot.last() - plot.first() + 1;
    const int each = plot.knob == OccupancyKnob::threads ? kWarpLanes : 1;
    const auto most = int(plot.area.w / 3);
    const int columns = std::max(1, std::min(values / each, most));
    const float width = plot.area.w / float(columns);
    for (int column = 0; column < columns; ++column) {
        const float x = plot.area.x + width * float(column);
        const int from = plot.value_at(x + 0.01f);
        const int to = column + 1 == columns ? plot.last() : std::max(from, plot.value_at(x + width - 0.01f));
        const int value = chosen_value(plot, from, to);
        const OccupancyStep& step = step_at(plot, value);
        const std::string same = step.from == step.to
                                     ? ""
                                     : fmt::format("\nthe same from {} to {}{}", format_count(step.from),
                                                   format_count(step.to), plot.in_bytes() ? " bytes" : "");
        canvas.hit(
            {x, plot.area.y - 4, width, plot.area.h + 4}, -1,
            fmt::format("{}: {}\n{}, {} of {} warps, {}{}\nClick to set it.", names_of(plot.knob).front(),
                        plot.in_bytes() ? counted(value, "byte") : format_count(value),
                        counted(step.blocks, "block"), step.warps, plot.d.now.max_warps,
                        format_percent(step.warps, plot.d.now.max_warps), same));
        canvas.picture.hits.back().link = occupancy_link(plot.d.view.input, plot.knob, value);
    }
}

}  // namespace

void draw_occupancy_curves(const OccupancyCanvas& d, Rect place) {
    constexpr float kAxis = 24, kBetween = 26;
    const float name = line_height(FontRole::body) + 6;
    if (place.h < kLeastCurves) return;
    const float left = d.canvas.width("100 %", FontRole::body) + 10;
    const float width = (place.w - left - 2 * kBetween) / 3;
    float x = place.x + left;
    for (const OccupancyKnob knob :
         {OccupancyKnob::threads, OccupancyKnob::registers, OccupancyKnob::shared}) {
        const StepPlot plot{d,
                            knob,
                            occupancy_curve(d.facts(), d.view.input, knob),
                            {x, place.y + name, width, place.h - name - kAxis}};
        draw_axes(plot, knob == OccupancyKnob::threads);
        draw_steps(plot);
        draw_present(plot);
        draw_name(plot, x, place.y + ascent(FontRole::body) + 2, width);
        add_hits(plot);
        x += width + kBetween;
    }
}

}  // namespace warplens
