#pragma once

#include "app/model/catalogue.h"
#include "app/model/prediction.h"
#include "kernels/gpu.h"
#include "kernels/timed.h"

#include <nlohmann/json.hpp>

#include <string>
#include <variant>
#include <vector>

namespace warplens {

/// One setting that was timed, beside what was predicted for it.
struct MeasuredSetting {
    Params params;
    std::variant<Timing, Unavailable> outcome;
    Prediction predicted;
    double predicted_cycles = 0;  ///< wavefronts per request, one a cycle; 0 without shared memory
};

/// A row of them, and under which conditions.
struct Measurement {
    const Scenario* scenario = nullptr;
    const Knob* swept = nullptr;  ///< null: one setting only
    GpuInfo gpu;
    CudaVersions versions;
    StopRule rule;
    std::string program;  ///< "warplens 0.1.0"
    std::vector<MeasuredSetting> settings;
};

/// {"schema":1,…,"gpu":{…},"stop_rule":{…},"settings":[{"params":{…},"median_us":…,…,"predicted":{…}},…]}
/// A setting that could not be timed has "unavailable" with the reason in place of the times.
nlohmann::ordered_json measurement_to_json(const Measurement& measurement);

}  // namespace warplens
