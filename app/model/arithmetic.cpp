#include "app/model/arithmetic.h"

namespace warplens {

Prediction predict_flop(const Scenario&, const Params&, const DeviceFacts&) {
    return {.quantity = Quantity::gflop_per_s};
}

}  // namespace warplens
