#include "app/pictures/plot/heatmap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

constexpr float kTickPoints = 22;  // least distance of two numbers at the bar

constexpr double kLogSpan = 10;  // a wider span of values is better seen in factors than in differences

/// The smallest and the largest value that is shown. Both are 0 if none is.
HeatScale extremes_of(const Heatmap& map) {
    HeatScale scale{.low = 0, .high = 0};
    for (const HeatmapCell& cell : map.cells) {
        const auto value = shown_value(map, cell);
        if (!value) continue;
        scale.low = scale.high == 0 ? *value : std::min(scale.low, *value);
        scale.high = std::max(scale.high, *value);
    }
    return scale;
}

/// Ticks of a logarithmic scale; of one that spans less than a decade its ends as well.
std::vector<Tick> narrow_log_ticks(const HeatScale& scale, float points) {
    std::vector<Tick> ticks = log_ticks(scale.low, scale.high, points, kTickPoints);
    const auto near = [&](double a, double b) {
        return std::abs(scale.position(a) - scale.position(b)) * points < kTickPoints;
    };
    if (ticks.size() > 2) return ticks;
    for (const double end : {scale.low, scale.high}) {
        if (std::ranges::none_of(ticks, [&](const Tick& tick) { return near(tick.value, end); }))
            ticks.push_back({end, fmt::format("{:.{}f}", end, end < 9.95 ? 2 : end < 99.5 ? 1 : 0)});
    }
    return ticks;
}

/// Ratios from 1 outwards, as many as have room: 0.5, 0.67, 1, 1.5, 2.
std::vector<Tick> ratio_ticks(const HeatScale& scale, float points) {
    std::vector<Tick> ticks{{1, "1"}};
    float last = 0.5f;
    for (const double ratio : {1.05, 1.1, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0}) {
        if (ratio > scale.high * 1.0001) break;
        const float at = scale.position(ratio);
        const bool end = ratio > scale.high * 0.9999;
        if ((at - last) * points < kTickPoints || (!end && (1 - at) * points < kTickPoints)) continue;
        last = at;
        ticks.push_back({ratio, fmt::format("{:.4g}", ratio)});
        ticks.insert(ticks.begin(), {1 / ratio, fmt::format("{:.2g}", 1 / ratio)});
    }
    return ticks;
}

}  // namespace

float HeatScale::position(double value) const {
    if (high <= low) return 1;
    const double t =
        log ? (value > 0 ? std::log(value / low) / std::log(high / low) : 0) : (value - low) / (high - low);
    return float(std::clamp(t, 0.0, 1.0));
}

Color HeatScale::color_at(const Theme& theme, float position) const {
    return ratio ? difference_color(theme, position) : heat_color(theme, position);
}

std::vector<Tick> HeatScale::ticks(float points) const {
    if (ratio) return ratio_ticks(*this, points);
    if (log) return narrow_log_ticks(*this, points);
    return linear_ticks(high, points, std::clamp(points / 6, kTickPoints, 80.0f));
}

HeatScale heat_scale(const Heatmap& map) {
    HeatScale scale = extremes_of(map);
    if (map.show == HeatmapShow::difference) {
        const double farthest = std::max(scale.high, scale.low > 0 ? 1 / scale.low : 1);
        scale.high = 100;
        for (const double end : {100.0, 30.0, 10.0, 5.0, 3.0, 2.0, 1.5, 1.25, 1.1})
            if (farthest <= end) scale.high = end;
        return {.low = 1 / scale.high, .high = scale.high, .log = true, .ratio = true};
    }
    if (scale.high <= 0) scale.high = 1;
    scale.log =
        map.log_colors.value_or(scale.high > kLogSpan * scale.low) && scale.low > 0 && scale.high > scale.low;
    if (!scale.log) scale.low = 0;
    return scale;
}

bool has_log_colors(const Heatmap& map) {
    const HeatScale scale = heat_scale(map);
    return scale.log && !scale.ratio;
}

}  // namespace warplens
