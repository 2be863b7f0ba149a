#include "app/pictures/plot/bandwidth.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace warplens {
namespace {

/// The distances of ticks to choose from: powers of two, which sizes and strides are most often, but what is
/// round in percentages and in degrees there.
std::vector<std::int64_t> tick_steps(const Curve& curve, const PlotArea& plot) {
    const std::int64_t most = std::max<std::int64_t>(4096, std::llround(plot.x_max));
    std::vector<std::int64_t> steps;
    if (!plot.x_even && curve.knob->unit == "%") {
        for (std::int64_t ten = 1; ten <= most; ten *= 10) steps.insert(steps.end(), {ten, 2 * ten, 5 * ten});
    } else if (!plot.x_even && curve.knob->unit == "degrees") {
        steps = {1, 5, 15, 30, 45, 90, 180, 360};
    } else {
        for (std::int64_t step = 1; step <= most; step *= 2) steps.push_back(step);
    }
    return steps;
}

/// Each step-th choice or power that is drawn. For a slider multiples of the step, whether a
/// point is drawn there or not: a plot over thousands of settings leaves most of them out.
std::vector<double> tick_values(const Curve& curve, const PlotArea& plot, std::int64_t step) {
    std::vector<double> values;
    if (plot.x_even) {
        for (std::size_t i = 0; i < curve.x.size(); i += static_cast<std::size_t>(step))
            values.push_back(curve.x[i]);
        return values;
    }
    const std::int64_t low = std::llround(plot.x_min), high = std::llround(plot.x_max);
    if (plot.x_log) {
        for (std::int64_t value = 1; value <= high; value *= 2) {
            if (value >= low) values.push_back(double(value));
        }
        return values;
    }
    for (std::int64_t value = (low + step - 1) / step * step; value <= high; value += step)
        values.push_back(double(value));
    return values;
}

}  // namespace

std::vector<Tick> setting_ticks(const Curve& curve, const PlotArea& plot, const TextMeasure& measure) {
    for (const std::int64_t step : tick_steps(curve, plot)) {
        // No number is narrower than 8 points.
        if (!plot.x_even && !plot.x_log && 8 * (plot.x_max - plot.x_min) > plot.rect.w * double(step))
            continue;
        std::vector<Tick> ticks;
        for (const double value : tick_values(curve, plot, step))
            ticks.push_back({value, setting_text(*curve.knob, value)});
        bool fits = true;
        for (std::size_t i = 1; i < ticks.size(); ++i) {
            const float need = (measure.width(ticks[i - 1].text, FontRole::body) +
                                measure.width(ticks[i].text, FontRole::body)) /
                                   2 +
                               8;
            fits = fits && plot.x_of(ticks[i].value) - plot.x_of(ticks[i - 1].value) >= need;
        }
        if (fits || plot.x_log) return ticks;
    }
    return {};
}

std::vector<Tick> choice_ticks(const Canvas& canvas, const Curve& curve, const PlotArea& plot, int lines) {
    std::vector<Tick> ticks;
    std::vector<NameSpot> names;
    for (const double value : curve.x) {
        ticks.push_back({value, setting_text(*curve.knob, value)});
        const float width = canvas.width(ticks.back().text, FontRole::body), x = plot.x_of(value),
                    least = plot.rect.x - 6 + width / 2;
        names.push_back({std::clamp(x, least, std::max(least, canvas.style.size.x - width / 2 - 2)), width});
    }
    const std::vector<int> line_of = lines_of_names(names, lines);
    if (line_of.size() != ticks.size()) return {};
    for (std::size_t i = 0; i < ticks.size(); ++i) ticks[i].line = line_of[i];
    return ticks;
}

int lines_of_choices(const Canvas& canvas, const Curve& curve, PlotArea plot, float room) {
    constexpr int kMostNameLines = 4;
    constexpr float kLeastPlot = 44, kTicks = 28, kNumbers = 52;
    if (curve.knob->kind != KnobKind::choice) return 1;
    plot.rect = {canvas.margin() + kNumbers, 0, canvas.inner_width() - kNumbers, room};
    for (int lines = 1; lines <= kMostNameLines; ++lines) {
        if (room - kTicks - kNameLine * float(lines - 1) < kLeastPlot) break;
        if (!choice_ticks(canvas, curve, plot, lines).empty()) return lines;
    }
    return 1;
}

}  // namespace warplens
