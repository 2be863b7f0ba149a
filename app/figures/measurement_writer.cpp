#include "app/figures/measurement_writer.h"

#include "app/experiment/kernel_table.h"
#include "app/figures/report_writer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace warplens {
namespace {

using nlohmann::ordered_json;

ordered_json timing_to_json(const Timing& timing) {
    ordered_json json{{"median_us", timing.median_us},
                      {"lower_us", timing.lower_us},
                      {"upper_us", timing.upper_us},
                      {"repeats", timing.repeats}};
    if (timing.useful_bytes > 0) {
        json["useful_bytes"] = timing.useful_bytes;
        json["useful_gb_per_s"] = timing.gb_per_s();
    }
    if (timing.flop > 0) {
        json["flop"] = timing.flop;
        json["gflop_per_s"] = timing.median_us > 0 ? timing.flop / timing.median_us * 1e-3 : 0;
    }
    if (timing.cycles_per_request > 0) {
        json["cycles_per_request"] = timing.cycles_per_request;
        json["cycles_lower"] = timing.cycles_lower;
        json["cycles_upper"] = timing.cycles_upper;
    }
    if (timing.bank_cycles > 0) {
        json["bank_cycles"] = {{"median", timing.bank_cycles},
                               {"lower", timing.bank_cycles_lower},
                               {"upper", timing.bank_cycles_upper}};
    }
    if (timing.library_us > 0) {
        json["library"] = {{"name", timing.library}, {"median_us", timing.library_us}};
        const bool computes = timing.flop > 0;
        json["library"][computes ? "gflop_per_s" : "useful_gb_per_s"] =
            (computes ? timing.flop : timing.useful_bytes) / timing.library_us * 1e-3;
    }
    json["fits_l2"] = timing.fits_l2;
    json[kColdKey] = timing.cold;
    if (timing.sm_clock_mhz > 0) json["sm_clock_mhz"] = timing.sm_clock_mhz;
    json["method"] = timing.method;
    return json;
}

/// [{"metric":…,"kind":"exact","expected":…,"counted":…,"verdict":"equal"}, …], or the reason why there are
/// none.
ordered_json counters_to_json(const CountedLaunch& counted) {
    if (const auto* why = std::get_if<Unavailable>(&counted.outcome)) return {{"unavailable", why->reason}};
    const auto& reading = std::get<CounterReading>(counted.outcome);
    ordered_json rows = ordered_json::array();
    for (std::size_t i = 0; i < counted.metrics.size(); ++i) {
        const ExpectedCounter* counter = counted.expected.find(counted.metrics[i]);
        if (counter == nullptr || !reading.values.at(i)) continue;
        const Judgement judgement = judge_counter(counted.expected, *counter, *reading.values[i]);
        rows.push_back({{"metric", counter->words->metric},
                        {"kind", provenance_name(counter->kind)},
                        {"expected", counter->expected},
                        {"counted", *reading.values[i]},
                        {"verdict", verdict_name(judgement.verdict)}});
        if (!judgement.reason.empty()) rows.back()["reason"] = judgement.reason;
    }
    return {{"passes", reading.passes}, {"elapsed_ms", reading.elapsed_ms}, {"counters", std::move(rows)}};
}

ordered_json setting_to_json(const Scenario& scenario, const MeasuredSetting& setting) {
    ordered_json json{{"params", params_to_json(scenario, setting.params)}};
    if (const auto* timing = std::get_if<Timing>(&setting.outcome))
        json.update(timing_to_json(*timing));
    else
        json["unavailable"] = std::get<Unavailable>(setting.outcome).reason;
    json["predicted"] = {{"kind", provenance_name(Provenance::approximate)},
                         {speed_words(setting.predicted.speed_unit).key, setting.predicted.value}};
    if (setting.predicted_cycles > 0) json["predicted"]["bank_cycles"] = setting.predicted_cycles;
    if (setting.kernel) json["kernel"] = kernel_to_json(*setting.kernel);
    if (setting.counted) json["counters"] = counters_to_json(*setting.counted);
    return json;
}

}  // namespace

std::optional<LineFit> fit_of(const Measurement& measurement) {
    std::vector<FitSample> samples;
    for (const MeasuredSetting& setting : measurement.settings) {
        const auto* timing = std::get_if<Timing>(&setting.outcome);
        if (timing == nullptr || timing->bank_cycles <= 0 || setting.predicted_cycles <= 0) continue;
        samples.push_back({setting.predicted_cycles, timing->bank_cycles});
    }
    return fit_line(samples);
}

ordered_json measurement_to_json(const Measurement& measurement) {
    ordered_json json{{"schema", 1},
                      {"program", measurement.program},
                      {"kind", provenance_name(Provenance::measured)},
                      {"scenario", measurement.scenario->info->id}};
    json["swept"] = measurement.swept == nullptr ? ordered_json() : ordered_json(measurement.swept->key);
    if (measurement.swept_second != nullptr) json["swept_second"] = measurement.swept_second->key;
    json["gpu"] = {{"name", measurement.gpu.name},
                   {"cc", fmt::format("{}.{}", measurement.gpu.cc_major, measurement.gpu.cc_minor)},
                   {"l2_fetch_granularity_bytes", measurement.gpu.l2_fetch_granularity_bytes},
                   {"cuda_driver", cuda_version_text(measurement.versions.driver)},
                   {"cuda_runtime", cuda_version_text(measurement.versions.runtime)}};
    const StopRule& rule = measurement.rule;
    json["stop_rule"] = {{"warm_up", rule.warm_up},         {"min_repeats", rule.min_repeats},
                         {"max_repeats", rule.max_repeats}, {"relative_error", rule.relative_error},
                         {"max_seconds", rule.max_seconds}, {kColdKey, rule.cold}};
    if (const auto fit = fit_of(measurement)) {
        json["fit"] = {{"of", "bank_cycles over predicted wavefronts per request"},
                       {"slope", fit->slope},
                       {"intercept", fit->intercept},
                       {"r_squared", fit->r_squared},
                       {"points", fit->points}};
    }
    json["settings"] = ordered_json::array();
    for (const MeasuredSetting& setting : measurement.settings) {
        json["settings"].push_back(setting_to_json(*measurement.scenario, setting));
    }
    return json;
}

}  // namespace warplens
