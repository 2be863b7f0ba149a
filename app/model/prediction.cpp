#include "app/model/prediction.h"

#include "app/model/arithmetic.h"
#include "app/model/bandwidth.h"
#include "app/model/latency.h"
#include "app/model/spilling.h"

namespace warplens {

Prediction predict(const Scenario& scenario, const Params& params, const DeviceFacts& device) {
    switch (quantity_of(*scenario.info, params)) {
        case Quantity::cycles:
            return predict_cycles(scenario, params, device);
        case Quantity::gflop_per_s:
            if (scenario.info->kernel == Kernel::spill) return predict_spill(scenario, params, device);
            return predict_flop(scenario, params, device);
        case Quantity::gb_per_s:
            break;
    }
    return predict_bandwidth(scenario, params, device);
}

const QuantityWords& words_of(Quantity quantity) {
    static constexpr QuantityWords kWords[] = {
        {"Bandwidth", "useful bandwidth", "GB/s", "useful GB/s", "useful_gb_per_s",
         "Useful bandwidth: the bytes that lanes asked for, per second. Bytes fetched but not used do not count."},
        {"Latency", "latency", "cycles", "cycles/request", "cycles_per_request",
         "Cycles from one request to the next when each waits for the one before."},
        {"Speed", "speed", "GFLOP/s", "GFLOP/s", "gflop_per_s",
         "Floating-point operations per second, in thousand millions; a multiply-add counts as two."},
    };
    return kWords[static_cast<int>(quantity)];
}

}  // namespace warplens
