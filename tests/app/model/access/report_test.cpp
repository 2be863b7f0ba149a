// Whole grids: the period against brute force, and the laws that make the period right.
#include "app/model/access/report.h"

#include "app/model/access/constant.h"
#include "kernels/scenarios/texture_walk.h"
#include "kernels/texture_layout.h"

#include "tests/random_params.h"
#include "tests/sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace warplens::test::report_tests {

namespace {

DeviceFacts device_of(ComputeCapability cc) {
    DeviceFacts device;
    device.cc = cc;
    device.bank_rules = bank_rules_for(cc);
    device.sector_rules = sector_rules_for(cc);
    return device;
}

/// Small enough for brute force.
Params shrink(const Scenario& scenario, Params params, std::mt19937& random) {
    params.elements_log2 = 10 + static_cast<int>(random() % 5);
    params.blocks_log2 = static_cast<int>(random() % 4);
    params.matrix = 32 + static_cast<int>(random() % 250);
    params.width = std::min(params.width, 64 + static_cast<int>(random() % 200));
    params.height = std::min(params.height, 64 + static_cast<int>(random() % 200));
    params.texture_log2 = 6 + static_cast<int>(random() % 2);
    params.footprint_log2 = 12 + static_cast<int>(random() % 4);
    clamp_knobs(scenario, params);
    return params;
}

/// How many bytes an instruction may touch from where its addresses are counted.
std::int64_t room_of(const Instruction& instruction, const LaunchShape& shape) {
    switch (instruction.space) {
        case Space::global:
        case Space::l2:
            return shape.buffer_bytes[instruction.buffer];
        case Space::shared:
        case Space::cluster:
            return shape.shared_bytes;
        case Space::constant:
            return kConstantBankBytes;
        case Space::texture:
            return std::int64_t{shape.texture.x} * shape.texture.y * kTexelBytes;
        case Space::local:
            return shape.local_bytes;
        case Space::registers:
            return kWarpLanes * 4;
    }
    return 0;
}

}  // namespace

TEST(Grid, PeriodEqualsBruteForce) {
    std::mt19937 random(seed(1));
    for (const Scenario& scenario : all_scenarios()) {
        if (scenario.info->irregular) continue;
        for (int trial = 0; trial < 60; ++trial) {
            const Params params = shrink(scenario, test::random_params(scenario, random), random);
            const DeviceFacts device =
                device_of(trial % 5 == 4 ? ComputeCapability{5, 2} : ComputeCapability{9, 0});
            for (int k = 0; k < scenario.instruction_count(params); ++k) {
                ASSERT_EQ(count_grid(scenario, params, k, device),
                          count_grid_by_force(scenario, params, k, device))
                    << scenario.info->id << " instruction " << k << " trial " << trial;
            }
        }
    }
}

// Found by the monkey: from the edge of the image to the same texel as the border of the next block.
TEST(Grid, BlocksThatBeginOutsideATextureCount) {
    const Scenario& scenario = *find_scenario("texture-walk");
    Params params = scenario.info->defaults;
    params.pattern = static_cast<int>(TextureWalk::Order::random);
    params.texture_log2 = 6;
    params.offset = TextureWalk::kTile;
    params.border = static_cast<int>(Border::border);
    const DeviceFacts device = device_of({9, 0});
    int farthest = 0;
    for (params.seed = 0; params.seed < 200; ++params.seed) {
        ASSERT_EQ(count_grid(scenario, params, 0, device), count_grid_by_force(scenario, params, 0, device))
            << params.seed;
        const auto at = [&](int x) { return scenario.access(params, 0, {x, 0}).byte_address; };
        farthest += at(1) - at(0) == kOutsideTexture;
    }
    EXPECT_GT(farthest, 0);
}

TEST(Grid, StepsThatCountAlikeDo) {
    std::mt19937 random(seed(6));
    for (const Scenario& scenario : all_scenarios()) {
        for (int trial = 0; trial < 20; ++trial) {
            const Params params = shrink(scenario, test::random_params(scenario, random), random);
            const LaunchShape shape = scenario.launch(params);
            for (int k = 0; k < scenario.instruction_count(params); ++k) {
                const Instruction instruction = scenario.instruction(params, k);
                const int period = instruction.step_period, steps = steps_of(shape, instruction);
                for (int other = 0; other < scenario.instruction_count(params); ++other) {
                    const Instruction mate = scenario.instruction(params, other);
                    if (mate.phase == instruction.phase) {
                        ASSERT_EQ(steps_of(shape, mate), steps);
                    }
                }
                if (period == 0) continue;
                const auto totals = [&](int step) {
                    Totals sum;
                    for (int warp = 0; warp < warps_per_block(shape); ++warp) {
                        sum += count_access(scenario.warp(params, k, {}, warp, step),
                                            device_of(ComputeCapability{9, 0}));
                    }
                    return sum;
                };
                for (int step = period; step < steps; step += 1 + steps / 50) {
                    ASSERT_EQ(totals(step), totals(step % period)) << scenario.info->id << " step " << step;
                }
            }
        }
    }
}

TEST(Grid, NeighbouringBlocksDifferByOneShift) {
    std::mt19937 random(seed(2));
    int compared = 0;
    for (const Scenario& scenario : all_scenarios()) {
        if (scenario.info->irregular) continue;
        for (int trial = 0; trial < 200; ++trial) {
            const Params params = test::random_params(scenario, random);
            const LaunchShape shape = scenario.launch(params);
            for (int k = 0; k < scenario.instruction_count(params); ++k) {
                const int warp = static_cast<int>(random() % warps_per_block(shape));
                const int step =
                    static_cast<int>(random() % steps_of(shape, scenario.instruction(params, k)));
                for (const Extent next : {Extent{1, 0}, Extent{0, 1}}) {
                    // The last block of a row or column may be partly empty.
                    if ((next.x == 1 && shape.grid.x < 3) || (next.y == 1 && shape.grid.y < 3)) continue;
                    ++compared;
                    const WarpAccess a = scenario.warp(params, k, {0, 0}, warp, step);
                    const WarpAccess b = scenario.warp(params, k, next, warp, step);
                    ASSERT_EQ(a.active, b.active) << scenario.info->id;
                    const std::uint64_t shift = scenario.access(params, k, {next.x, next.y}).byte_address -
                                                scenario.access(params, k, {}).byte_address;
                    for (int lane = 0; lane < kWarpLanes; ++lane) {
                        if ((a.active >> lane & 1u) == 0) continue;
                        ASSERT_EQ(b.byte_address[lane] - a.byte_address[lane], shift) << scenario.info->id;
                    }
                }
            }
        }
    }
    EXPECT_GT(compared, 1000);
}

TEST(Grid, AddressesStayInsideWhatTheLaunchAsksFor) {
    std::mt19937 random(seed(3));
    for (const Scenario& scenario : all_scenarios()) {
        for (int trial = 0; trial < (all_cases() ? 3000 : 300); ++trial) {
            const Params params = test::random_params(scenario, random);
            const LaunchShape shape = scenario.launch(params);
            const Extent last{shape.grid.x - 1, shape.grid.y - 1};
            for (int k = 0; k < scenario.instruction_count(params); ++k) {
                const Instruction instruction = scenario.instruction(params, k);
                const std::int64_t room = room_of(instruction, shape);
                const int steps = steps_of(shape, instruction);
                for (const Extent block : {Extent{0, 0}, last}) {
                    for (int step = 0; step < steps; step += 1 + steps / 7) {
                        for (int warp = 0; warp < warps_per_block(shape); ++warp) {
                            const WarpAccess access = scenario.warp(params, k, block, warp, step);
                            for (int lane = 0; lane < kWarpLanes; ++lane) {
                                if ((access.active >> lane & 1u) == 0) continue;
                                if (is_outside(access.byte_address[lane])) continue;
                                const auto address = static_cast<std::int64_t>(access.byte_address[lane]);
                                ASSERT_EQ(address % access.bytes_per_lane, 0);
                                ASSERT_GE(address, 0);
                                ASSERT_LE(address + access.bytes_per_lane, room) << scenario.info->id;
                            }
                        }
                    }
                }
            }
        }
    }
}

TEST(Grid, TilesAreWalkedOnceAndNothingElse) {
    const Scenario& scenario = *find_scenario("shared-tile");
    std::mt19937 random(seed(4));
    for (int trial = 0; trial < 200; ++trial) {
        Params params = test::random_params(scenario, random);
        const LaunchShape shape = scenario.launch(params);
        std::vector<int> visits(static_cast<std::size_t>(shape.shared_bytes / params.element_bytes));
        for (int step = 0; step < shape.steps; ++step) {
            for (int warp = 0; warp < warps_per_block(shape); ++warp) {
                const WarpAccess access = scenario.warp(params, 0, {}, warp, step);
                for (int lane = 0; lane < kWarpLanes; ++lane) {
                    if (access.active >> lane & 1u)
                        ++visits[access.byte_address[lane] / params.element_bytes];
                }
            }
        }
        EXPECT_EQ(std::count(visits.begin(), visits.end(), 1), params.width * params.height);
        EXPECT_EQ(std::accumulate(visits.begin(), visits.end(), 0), params.width * params.height);
    }
}

TEST(Grid, ATransposeTurnsTheMatrix) {
    const Scenario& scenario = *find_scenario("transpose");
    for (const int variant : {0, 1, 2, 3}) {
        for (const auto& [matrix, tile, rows] : {std::tuple{64, 32, 8}, {50, 16, 4}, {37, 8, 8}}) {
            Params params = scenario.info->defaults;
            params.variant = variant;
            params.matrix = matrix;
            params.tile = tile;
            params.block_rows = rows;
            const LaunchShape shape = scenario.launch(params);
            std::vector<int> in(matrix * matrix), out(matrix * matrix, -1), shared(4096, -1);
            std::iota(in.begin(), in.end(), 0);
            for (int by = 0; by < shape.grid.y; ++by) {
                for (int bx = 0; bx < shape.grid.x; ++bx) {
                    const auto walk = [&](int from, int to, auto move) {
                        for (int step = 0; step < shape.steps; ++step) {
                            for (int y = 0; y < shape.block.y; ++y) {
                                for (int x = 0; x < shape.block.x; ++x) {
                                    const LaneAccess a = scenario.access(params, from, {bx, by, x, y, step});
                                    const LaneAccess b = scenario.access(params, to, {bx, by, x, y, step});
                                    ASSERT_EQ(a.active, b.active);
                                    if (a.active) move(a.byte_address / 4, b.byte_address / 4);
                                }
                            }
                        }
                    };
                    if (variant == 0) {
                        walk(0, 1, [&](std::uint64_t a, std::uint64_t b) { out[b] = in[a]; });
                    } else {
                        walk(0, 1, [&](std::uint64_t a, std::uint64_t b) { shared[b] = in[a]; });
                        walk(2, 3, [&](std::uint64_t a, std::uint64_t b) { out[b] = shared[a]; });
                    }
                }
            }
            for (int y = 0; y < matrix; ++y) {
                for (int x = 0; x < matrix; ++x)
                    ASSERT_EQ(out[x * matrix + y], in[y * matrix + x]) << variant;
            }
        }
    }
}

}  // namespace warplens::test::report_tests
