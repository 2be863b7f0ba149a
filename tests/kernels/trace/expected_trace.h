#pragma once

#include "app/model/access/banks.h"
#include "app/model/catalogue.h"
#include "kernels/trace/trace.h"

#include <algorithm>
#include <cstring>

namespace warplens::test {

/// The trace as the model sees it.
inline Trace expected_trace(const TraceRequest& request) {
    const Scenario& scenario = *find_scenario(request.scenario);
    Trace trace{};
    for (int i = 0; i < scenario.instruction_count(request.params); ++i) {
        const Instruction instruction = scenario.instruction(request.params, i);
        const int step = pictured_step(scenario.launch(request.params), instruction, request.step);
        const WarpAccess access =
            scenario.warp(request.params, i, request.block, request.warp_in_block, step);
        const bool shared = access.space == Space::shared || access.space == Space::cluster;
        const BankReport banks = shared ? analyze_banks(access, request.rules) : BankReport{};
        TraceBlock& block = trace.instructions[i];
        for (int lane = 0; lane < kWarpLanes; ++lane) {
            block.active[lane] = access.active >> lane & 1u;
            if (block.active[lane] == 0) {
                block.wavefront[lane] = kTraceInactive;
                continue;
            }
            block.address_low[lane] = static_cast<std::uint32_t>(access.byte_address[lane]);
            block.address_high[lane] = static_cast<std::uint32_t>(access.byte_address[lane] >> 32);
            if (shared) block.wavefront[lane] = banks.wavefront[lane];
        }
        if (!shared) continue;
        for (int group = 0; group < kMaxGroups; ++group) {
            std::copy(banks.words[group].begin(), banks.words[group].end(), block.words[group]);
        }
    }
    return trace;
}

inline bool same_trace(const Trace& a, const Trace& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

}  // namespace warplens::test
