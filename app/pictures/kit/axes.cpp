#include "app/pictures/kit/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace warplens {
namespace {

/// Numbers small enough to need decimals get as many as the step has.
std::string tick_text(double value, double step) {
    if (step >= 1) return format_count(std::llround(value));
    return fmt::format("{:.{}f}", value, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
}

std::string superscript(int number) {
    constexpr const char* kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text;
    for (const char digit : std::to_string(number)) text += kDigits[digit - '0'];
    return text;
}

}  // namespace

std::vector<Tick> linear_ticks(double max, float points, float least_points) {
    if (max <= 0) return {{0, "0"}};
    const double least = max * static_cast<double>(least_points / std::max(points, 1.0f));
    double step = std::pow(10.0, std::floor(std::log10(least)));
    while (step < least) {
        const double lead = step / std::pow(10.0, std::floor(std::log10(step) + 1e-9));
        step *= lead > 1.5 && lead < 3 ? 2.5 : 2;
    }
    std::vector<Tick> ticks;
    for (int i = 0; i * step <= max * (1 + 1e-9); ++i) ticks.push_back({i * step, tick_text(i * step, step)});
    return ticks;
}

std::vector<Tick> log_ticks(double min, double max, float points, float least_points) {
    const double decade_points = static_cast<double>(points) / std::max(1e-9, std::log10(max / min));
    // The narrowest step of 1, 2, 5 is the factor 2.
    const bool between = decade_points * std::log10(2.0) >= static_cast<double>(least_points);
    const auto every =
        static_cast<int>(std::max(1.0, std::ceil(static_cast<double>(least_points) / decade_points)));
    std::vector<Tick> ticks;
    const auto first = static_cast<int>(std::floor(std::log10(min) + 1e-9));
    for (int power = first; std::pow(10.0, power) <= max; power += every) {
        for (const double lead : {1.0, 2.0, 5.0}) {
            const double decade = std::pow(10.0, power), value = decade * lead;
            if ((lead > 1 && !between) || value < min * (1 - 1e-9) || value > max * (1 + 1e-9)) continue;
            ticks.push_back({value, tick_text(value, std::min(decade, 1.0))});
        }
    }
    return ticks;
}

std::string value_text(double value, SpeedUnit speed_unit) {
    const double whole_from = speed_unit == SpeedUnit::cycles ? 100 : 10;
    return value < whole_from ? fmt::format("{:.1f}", value) : format_count(std::llround(value));
}

std::string lower_first(std::string_view text) {
    std::string lower(text);
    if (!lower.empty() && lower[0] >= 'A' && lower[0] <= 'Z')
        lower[0] = static_cast<char>(lower[0] - 'A' + 'a');
    return lower;
}

std::string axis_name(const Knob& knob) {
    const std::string name = lower_first(knob.label);
    const bool said = name.size() >= knob.unit.size() && name.ends_with(knob.unit);
    return said ? name : fmt::format("{}, {}", name, knob.unit);
}

std::string size_text(double bytes) {
    constexpr const char* kUnits[] = {"B", "KB", "MB", "GB", "TB"};
    std::size_t unit = 0;
    for (; bytes >= 1023.95 && unit + 1 < std::size(kUnits); ++unit) bytes /= 1024;
    const bool whole = std::abs(bytes - std::round(bytes)) < 0.05;
    return fmt::format("{:.{}f} {}", bytes, whole ? 0 : 1, kUnits[unit]);
}

std::string setting_text(const Knob& knob, double value) {
    if (knob.kind == KnobKind::power && knob.unit == "bytes") return size_text(value);
    if (knob.kind == KnobKind::power)
        return "2" + superscript(static_cast<int>(std::lround(std::log2(value))));
    const auto whole = static_cast<int>(std::lround(value));
    for (const Choice& choice : knob.choices) {
        if (choice.value == whole) return std::string(choice.name);
    }
    return format_count(whole);
}

std::vector<Tick> setting_ticks(const Curve& curve, const PlotArea& plot, const TextMeasure& measure) {
    const auto at = [&](double value) { return plot.x_of(value); };
    for (int step = 1; step <= 4096; step *= 2) {
        std::vector<Tick> ticks;
        for (std::size_t i = 0; i < curve.x.size(); ++i) {
            const double value = curve.x[i];
            const auto whole = static_cast<long>(std::lround(value));
            const bool power_of_two = whole > 0 && (whole & (whole - 1)) == 0;
            const bool wanted = plot.x_even  ? i % static_cast<std::size_t>(step) == 0
                                : plot.x_log ? power_of_two && value >= plot.x_min
                                             : whole % step == 0;
            if (wanted) ticks.push_back({value, setting_text(*curve.knob, value)});
        }
        bool fits = true;
        for (std::size_t i = 1; i < ticks.size(); ++i) {
            const float need = (measure.width(ticks[i - 1].text, FontRole::body) +
                                measure.width(ticks[i].text, FontRole::body)) /
                                   2 +
                               8;
            fits = fits && at(ticks[i].value) - at(ticks[i - 1].value) >= need;
        }
        if (fits || plot.x_log) return ticks;
    }
    return {};
}

}  // namespace warplens
