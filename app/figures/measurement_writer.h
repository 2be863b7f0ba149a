#pragma once

#include "app/model/catalogue.h"
#include "app/model/counters/agreement.h"
#include "app/model/time/fit.h"
#include "app/model/time/prediction.h"
#include "kernels/cuda/gpu.h"
#include "kernels/timing/timed.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace warplens {

/// Hardware counters of one launch beside what is expected of them.
struct CountedLaunch {
    ExpectedLaunch expected;
    std::vector<std::string> metrics;
    std::variant<CounterReading, Unavailable> outcome;  ///< values in the order of the metrics
};

/// One setting that was timed, beside what was predicted for it.
struct MeasuredSetting {
    Params params;
    std::variant<Timing, Unavailable> outcome;
    Prediction predicted;
    double predicted_cycles = 0;  ///< wavefronts per request, one per cycle. 0 without shared memory.
    std::optional<CountedLaunch> counted = std::nullopt;   ///< if counters were requested
    std::optional<KernelResources> kernel = std::nullopt;  ///< of a typed one, as the driver compiled it
};

/// Several measured settings, and the conditions of the measurement.
struct Measurement {
    const Scenario* scenario = nullptr;
    const Knob* swept = nullptr;  ///< null if there is only one setting
    GpuInfo gpu;
    CudaVersions versions;
    StopRule rule;
    std::string program;  ///< "warplens 0.1.0"
    std::vector<MeasuredSetting> settings;
    const Knob* swept_second = nullptr;  ///< null if at most one knob varies
};

/// The line through measured cycles per request (y) over predicted wavefronts per request (x) of all settings
/// that were timed in cycles. Empty if there are none, or if the same number of wavefronts is predicted for
/// all.
std::optional<LineFit> fit_of(const Measurement& measurement);

/// {"schema":1,…,"gpu":{…},"stop_rule":{…},"settings":[{"params":{…},"median_us":…,…,"predicted":{…}},…]}
/// If two knobs vary there is "swept_second"; if there is a fit, "fit" with slope, intercept, r_squared,
/// points. A setting that could not be timed has "unavailable" with the reason instead of the times.
nlohmann::ordered_json measurement_to_json(const Measurement& measurement);

}  // namespace warplens
