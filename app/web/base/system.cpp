#include "app/base/system.h"

namespace warplens {

const bool kHasPaths = false;
const std::string_view kNoLaunches =
    "A browser cannot launch CUDA kernels; recordings of GPUs stand in place of measurements.";

}  // namespace warplens
