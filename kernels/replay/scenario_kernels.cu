// Finds the object file that contains the kernels of a scenario.
#include "kernels/replay/scenario_kernels.cuh"

#include "kernels/replay/dispatch.h"

namespace warplens {

std::optional<ScenarioKernels> scenario_kernels(std::string_view id) {
    std::optional<ScenarioKernels> kernels;
    with_scenario(id, [&]<class S>() { kernels = kernels_of<S>(); });
    return kernels;
}

}  // namespace warplens
