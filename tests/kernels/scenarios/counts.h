#pragma once

#include "app/experiment/settings.h"
#include "app/model/access/report.h"

#include <bit>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::test {

inline DeviceFacts cc90() {
    DeviceFacts device;
    device.cc = {9, 0};
    device.bank_rules = bank_rules_for(device.cc);
    device.sector_rules = sector_rules_for(device.cc);
    return device;
}

/// The counts of a scenario under settings as --set takes them.
inline Report report_of(std::string_view id, const std::vector<std::string>& settings) {
    const Scenario& scenario = *find_scenario(id);
    return analyze(scenario, apply_settings(scenario, settings), cc90());
}

/// Call visit(byte address) for every active lane of one instruction in one block.
template <class Visit>
void for_each_access(const Scenario& scenario, const Params& params, int instruction, Extent block,
                     Visit&& visit) {
    const LaunchShape shape = scenario.launch(params);
    const int steps = steps_of(shape, scenario.instruction(params, instruction));
    for (int step = 0; step < steps; ++step) {
        for (int warp = 0; warp < warps_per_block(shape); ++warp) {
            const WarpAccess access = scenario.warp(params, instruction, block, warp, step);
            for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
                visit(access.byte_address[static_cast<std::size_t>(std::countr_zero(rest))]);
            }
        }
    }
}

}  // namespace warplens::test
