#include "app/panels/speed.h"

#include "app/experiment/quantities.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {

std::string Speed::text() const {
    if (!known()) return {};
    const std::string_view kind =
        provenance == Provenance::approximate ? "predicted" : provenance_name(provenance);
    return fmt::format("{} {}{} {}, {}", provenance_mark(provenance), format_speed(value),
                       peak > 0 ? " of " + format_speed(peak) : "", unit, kind);
}

std::string Speed::short_text() const {
    return known() ? fmt::format("{} {} {}", provenance_mark(provenance), format_speed(value), unit)
                   : std::string();
}

float Speed::share() const { return peak > 0 ? float(std::min(1.0, value / peak)) : 0; }

Speed speed_of(const Frame& frame) {
    if (!frame.state->board->about_scenario || !frame.state->board->timed || frame.counts_hidden) return {};
    const Prediction& model = frame.evidence->prediction;
    const Observation* seen = frame.evidence->observed.best();
    const bool has_peak = model.below_peak() && model.speed_unit != SpeedUnit::cycles;
    // In the unit of the picture's axis.
    const bool tera = model.speed_unit == SpeedUnit::gflop_per_s && frame.state->board->key == "roofline";
    const double scale = tera ? 1e-3 : 1;
    return {.value = scale * (seen != nullptr ? seen->point.value : model.value),
            .unit = tera ? "TFLOP/s" : speed_words(model.speed_unit).unit,
            .provenance = seen != nullptr ? seen->provenance : Provenance::approximate,
            .peak = has_peak ? scale * model.peak : 0};
}

std::string short_verdict(const Explanation& words) {
    std::string text = words.headline.empty() ? words.verdict : words.headline;
    if (text.ends_with('.')) text.pop_back();
    return text;
}

std::string ratio_of_speeds(const Frame& frame) {
    if (frame.other == nullptr) return {};
    const Speed a = speed_of(*frame.other), b = speed_of(frame);
    if (!a.known() || !b.known() || a.unit != b.unit || a.provenance != b.provenance) return {};
    const bool less_is_faster = frame.evidence->prediction.speed_unit == SpeedUnit::cycles;
    const double ratio = less_is_faster ? a.value / b.value : b.value / a.value;
    const auto times = [](double n) { return fmt::format(fmt::runtime(n < 100 ? "{:.3g}" : "{:.0f}"), n); };
    if (ratio > 0.995 && ratio < 1.005) return "A and B are equally fast";
    return ratio > 1 ? fmt::format("B is {}x as fast as A", times(ratio))
                     : fmt::format("A is {}x as fast as B", times(1 / ratio));
}

}  // namespace warplens
