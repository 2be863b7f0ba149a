#include "app/model/time/prediction.h"

#include "app/model/time/arithmetic.h"
#include "app/model/time/spilling.h"

#include <cmath>

namespace warplens {

Prediction predict(LaunchCounts& launch, bool cold) {
    const Scenario& scenario = launch.scenario;
    const Params& params = launch.params;
    const DeviceFacts& device = launch.device;
    const SpeedUnit unit = speed_unit_of(*scenario.info, params);
    if (!does_not_fit(scenario, params, device).empty()) return {.speed_unit = unit};
    switch (unit) {
        case SpeedUnit::cycles:
            return predict_cycles(scenario, params, device);
        case SpeedUnit::gflop_per_s:
            if (scenario.info->time == TimeModel::spills) return predict_spill(scenario, params, device);
            return predict_flop(scenario, params, device, cold);
        case SpeedUnit::gb_per_s:
        case SpeedUnit::sectors:  // of plots alone
            break;
    }
    return predict_bandwidth(launch, cold);
}

Prediction predict(const Scenario& scenario, const Params& params, const DeviceFacts& device, bool cold) {
    LaunchCounts launch(scenario, params, device);
    return predict(launch, cold);
}

std::string limiter_words(const Prediction& predicted) {
    const std::string name(limiter_name(predicted.limiter));
    const double share = predicted.cached_share();
    if (predicted.limiter != Limiter::dram || share <= 0) return name;
    return name + ", beside which caches deliver " + std::to_string(std::lround(100 * share)) +
           " % of the bytes";
}

const SpeedWords& speed_words(SpeedUnit speed_unit) {
    static constexpr SpeedWords kWords[] = {
        {"Bandwidth", "useful bandwidth", "GB/s", "useful GB/s", "useful_gb_per_s",
         "Useful bandwidth: the bytes that lanes request, per second. Bytes fetched but not used do not count."},
        {"Latency", "latency", "cycles", "cycles/instruction", "cycles_per_request",
         "Cycles from one instruction of a warp to the next when each waits for the one before."},
        {"Speed", "speed", "GFLOP/s", "GFLOP/s", "gflop_per_s",
         "Floating-point operations per second, in thousand millions; a multiply-add counts as two."},
        {"Sectors", "sectors", "sectors", "sectors/warp", "sectors_per_warp",
         "Sectors of 32 bytes that a warp fetches, on average over the texture. Counted from addresses; fewer are "
         "better."},
    };
    return kWords[int(speed_unit)];
}

}  // namespace warplens
