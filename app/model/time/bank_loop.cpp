#include "app/model/time/bank_loop.h"

#include "app/model/access/report.h"

namespace warplens {

bool has_bank_loop(const Scenario& scenario, const Params& params) {
    for (int k = 0; k < scenario.instruction_count(params); ++k) {
        if (scenario.instruction(params, k).space == Space::shared) return true;
    }
    return false;
}

double wavefronts_per_request(const Scenario& scenario, const Params& params, const DeviceFacts& device) {
    const LaunchShape shape = scenario.launch(params);
    const WarpPlace place = place_of_warp(shape, params.warp);
    Totals shared;
    for (int k = 0; k < scenario.instruction_count(params); ++k) {
        const Instruction instruction = scenario.instruction(params, k);
        if (instruction.space != Space::shared) continue;
        const int step = pictured_step(shape, instruction, params.step);
        shared += count_access(scenario.warp(params, k, place.block, place.warp_in_block, step), device);
    }
    return shared.requests == 0 ? 0 : double(shared.wavefronts) / double(shared.requests);
}

}  // namespace warplens
