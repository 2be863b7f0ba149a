#pragma once

#include "app/model/access/grid_map.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace warplens::test {

/// What one request takes. Without requests if it takes nothing.
inline RequestSums one_request(const Scenario& scenario, const Params& params, const DeviceFacts& device,
                               int k, const WarpPlace& place, int step) {
    const WarpAccess access = scenario.warp(params, k, place.block, place.warp_in_block, step);
    if (access.active == 0) return {};
    const Cost cost =
        cost_of(scenario.instruction(params, k), count_access(access, device), device.sector_rules);
    if (cost.words.name.empty()) return {};
    return {cost.requests, cost.cost,  cost.ideal, cost.cost,
            cost.cost,     cost.ideal, cost.ideal, {place, k, step, cost.cost, cost.ideal}};
}

/// What a cell takes, request by request.
inline RequestSums brute_cell(const Scenario& scenario, const Params& params, const DeviceFacts& device,
                              const GridMap& map, const GridCell& cell, int instruction) {
    const LaunchShape shape = scenario.launch(params);
    RequestSums sums;
    for (int k = 0; k < scenario.instruction_count(params); ++k) {
        if (instruction >= 0 && k != instruction) continue;
        const int steps = steps_of(shape, scenario.instruction(params, k));
        for (int again = 0; again < map.repeats; ++again)
            for (int y = cell.first.y; y < cell.first.y + cell.blocks.y; ++y)
                for (int x = cell.first.x; x < cell.first.x + cell.blocks.x; ++x)
                    for (int w = cell.first_warp; w < cell.first_warp + cell.warps; ++w)
                        for (int step = 0; step < steps; ++step)
                            sums.add(one_request(scenario, params, device, k,
                                                 {{x, y + again * map.grid.y}, w}, step));
    }
    return sums;
}

/// Laws of a map that counts all warps: each is in one cell, and cells take what their requests take one by
/// one.
inline void expect_brute_map(const Scenario& scenario, const Params& params, const DeviceFacts& device,
                             const GridMap& map, int instruction) {
    ASSERT_EQ(map.cells.size(), static_cast<std::size_t>(map.columns * map.rows));
    const LaunchShape shape = scenario.launch(params);
    EXPECT_EQ(map.warps(), std::int64_t{shape.grid.x} * shape.grid.y * warps_per_block(shape));
    std::int64_t warps = 0, worst = 0;
    for (std::size_t i = 0; i < map.cells.size(); ++i) {
        const GridCell& cell = map.cells[i];
        warps += map.warps(cell);
        ASSERT_EQ(map.cell_of(map.number_of({cell.first, cell.first_warp})), static_cast<int>(i));
        const RequestSums brute = brute_cell(scenario, params, device, map, cell, instruction);
        worst = std::max(worst, brute.worst.excess());
        ASSERT_TRUE(cell.sums.same_costs(brute))
            << "cell " << i << ": cost " << cell.sums.cost << " for " << brute.cost << ", requests "
            << cell.sums.requests << " for " << brute.requests;
        ASSERT_EQ(cell.sums.worst.excess(), brute.worst.excess()) << "cell " << i;
        if (brute.requests == 0) continue;
        const RequestSums::Worst& said = cell.sums.worst;
        ASSERT_TRUE(cell.contains(said.place));
        const RequestSums there =
            one_request(scenario, params, device, said.instruction, said.place, said.step);
        ASSERT_EQ(there.cost, said.cost) << "cell " << i;
        ASSERT_EQ(there.ideal, said.ideal) << "cell " << i;
    }
    EXPECT_EQ(warps, map.warps());
    EXPECT_EQ(map.worst >= 0 ? map.cells[map.worst].sums.worst.excess() : 0, worst);
}

}  // namespace warplens::test
