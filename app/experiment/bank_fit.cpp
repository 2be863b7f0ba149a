#include "app/experiment/bank_fit.h"

#include "app/experiment/pipeline.h"
#include "app/model/time/bank_loop.h"

#include <algorithm>
#include <tuple>

namespace warplens {

FitPlot bank_fit(const State& state, const Measurements& measurements, const DeviceFacts& device,
                 const MeasuredOn& measured_on, const std::string& no_measurement) {
    const Scenario& scenario = *state.scenario;
    FitPlot plot{.title = std::string(scenario.info->title), .gpu = device.name};
    const Measurements::Outcome* here = measurements.find(scenario, state.params);
    measurements.for_each(scenario, [&](const Params& params, const Measurements::Outcome& outcome) {
        const auto* timing = std::get_if<Timing>(&outcome);
        if (timing == nullptr || timing->bank_cycles <= 0) return;
        const double wavefronts = wavefronts_per_request(scenario, params, device);
        if (wavefronts <= 0) return;
        plot.points.push_back({wavefronts, timing->bank_cycles, timing->bank_cycles_lower,
                               timing->bank_cycles_upper, describe_settings(scenario, params), params,
                               &outcome == here});
    });
    std::ranges::sort(plot.points, {}, [](const FitPlot::Point& point) {
        return std::tie(point.wavefronts, point.cycles, point.setting);
    });
    std::vector<FitSample> samples;
    for (const FitPlot::Point& point : plot.points) samples.push_back({point.wavefronts, point.cycles});
    plot.fit = fit_line(samples);
    if (!plot.points.empty()) {
        plot.measured_on = measured_on;
    } else {
        plot.no_measurement =
            no_measurement.empty()
                ? "No setting of this scenario has been measured yet: points appear here as "
                  "soon as one is."
                : no_measurement;
    }
    return plot;
}

}  // namespace warplens
