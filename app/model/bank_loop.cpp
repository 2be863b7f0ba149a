#include "app/model/bank_loop.h"

#include "app/model/report.h"
#include "kernels/setting.h"

#include <algorithm>

namespace warplens {

bool timed_by_bank_loop(const Scenario& scenario, const Params& params) {
    bool only_shared = true;
    for (int k = 0; k < scenario.instruction_count(params); ++k)
        only_shared = only_shared && scenario.instruction(params, k).space == Space::shared;
    return how_measured(*scenario.info, params, only_shared) == Measured::banks;
}

double wavefronts_per_request(const Scenario& scenario, const Params& params, const DeviceFacts& device) {
    if (quantity_of(*scenario.info, params) != Quantity::gb_per_s) return 0;
    const LaunchShape shape = scenario.launch(params);
    const WarpPlace place = place_of_warp(shape, params.warp);
    Totals shared;
    int instructions = 0;
    for (int k = 0; k < scenario.instruction_count(params); ++k) {
        const Instruction instruction = scenario.instruction(params, k);
        if (instruction.space != Space::shared) continue;
        ++instructions;
        const int step = std::min(params.step, steps_of(shape, instruction) - 1);
        shared += count_access(scenario.warp(params, k, place.block, place.warp_in_block, step), device);
    }
    return instructions == 0 ? 0 : static_cast<double>(shared.wavefronts) / instructions;
}

}  // namespace warplens
