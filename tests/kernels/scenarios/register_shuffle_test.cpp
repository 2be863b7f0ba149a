#include "kernels/scenarios/register_shuffle.h"

#include "app/model/access/report.h"

#include <gtest/gtest.h>

#include <array>
#include <map>

namespace warplens::test::register_shuffle_tests {

namespace {

using Exchange = RegisterShuffle::Exchange;
using Method = RegisterShuffle::Method;

Params setting(Method way, Exchange exchange, int distance) {
    return {.blocks_log2 = 2,
            .variant = static_cast<int>(way),
            .pattern = static_cast<int>(exchange),
            .distance = distance};
}

/// Carries out the instructions with value = lane number, and says whose value each lane ends up with.
std::array<int, kWarpLanes> carry_out(const Params& params, int block) {
    std::array<int, kWarpLanes> values;
    for (int lane = 0; lane < kWarpLanes; ++lane) values[lane] = lane;
    std::map<std::uint64_t, int> memory;
    for (int k = 0; k < RegisterShuffle::instruction_count(params); ++k) {
        const Instruction instruction = RegisterShuffle::instruction(params, k);
        const auto before = values;
        for (int lane = 0; lane < kWarpLanes; ++lane) {
            const std::uint64_t at =
                RegisterShuffle::access(params, k, {.block_x = block, .x = lane}).byte_address;
            if (instruction.op == Op::store)
                memory[at] = before[lane];
            else
                values[lane] = instruction.space == Space::registers ? before[at / 4] : memory.at(at);
        }
    }
    return values;
}

}  // namespace

TEST(RegisterShuffle, WhoseValueALaneTakes) {
    struct Example {
        Exchange exchange;
        int distance, lane, source;
    };
    for (const Example& e :
         {Example{Exchange::exclusive_or, 16, 3, 19}, Example{Exchange::exclusive_or, 1, 31, 30},
          Example{Exchange::up, 4, 4, 0}, Example{Exchange::up, 4, 3, 3}, Example{Exchange::down, 8, 23, 31},
          Example{Exchange::down, 8, 24, 24}, Example{Exchange::rotate, 8, 24, 0},
          Example{Exchange::rotate, 31, 0, 31}, Example{Exchange::broadcast, 5, 0, 5},
          Example{Exchange::broadcast, 5, 31, 5}}) {
        EXPECT_EQ(RegisterShuffle::source(setting(Method::shuffle, e.exchange, e.distance), e.lane),
                  e.source);
    }
}

TEST(RegisterShuffle, AllWaysLeadToTheSameValues) {
    for (int exchange = 0; exchange < 5; ++exchange) {
        for (int distance = 0; distance < kWarpLanes; ++distance) {
            const auto by = [&](Method way) {
                return carry_out(setting(way, static_cast<Exchange>(exchange), distance), 3);
            };
            const auto shuffled = by(Method::shuffle);
            EXPECT_EQ(shuffled, by(Method::shared)) << exchange << " " << distance;
            EXPECT_EQ(shuffled, by(Method::global)) << exchange << " " << distance;
        }
    }
}

TEST(RegisterShuffle, DistanceZeroChangesNothingButABroadcast) {
    for (const Exchange exchange : {Exchange::exclusive_or, Exchange::up, Exchange::down, Exchange::rotate}) {
        const auto values = carry_out(setting(Method::shuffle, exchange, 0), 0);
        for (int lane = 0; lane < kWarpLanes; ++lane) EXPECT_EQ(values[lane], lane);
    }
}

TEST(RegisterShuffle, NoWayHasConflictsAndGlobalIsCoalesced) {
    for (int exchange = 0; exchange < 5; ++exchange) {
        for (int distance = 0; distance < kWarpLanes; ++distance) {
            const auto totals = [&](Method way) {
                Totals sum;
                const Params params = setting(way, static_cast<Exchange>(exchange), distance);
                for (const InstructionReport& row :
                     analyze(*find_scenario("register-shuffle"), params, {}).instructions)
                    sum += row.warp;
                return sum;
            };
            EXPECT_EQ(totals(Method::shuffle).requests, 1);
            EXPECT_EQ(totals(Method::shuffle).bytes_moved, 0);
            EXPECT_EQ(totals(Method::shared).wavefronts, 2);
            EXPECT_EQ(totals(Method::shared).excessive_wavefronts(), 0);
            EXPECT_LE(totals(Method::global).sectors, 8);
        }
    }
}

TEST(RegisterShuffle, BlocksDoNotOverwriteEachOther) {
    const Params params = setting(Method::global, Exchange::exclusive_or, 1);
    const LaunchShape shape = RegisterShuffle::launch(params);
    EXPECT_EQ(shape.buffer_bytes[1], 4 * 128);
    EXPECT_EQ(RegisterShuffle::access(params, 0, {.block_x = 1}).byte_address, 128u);
}

}  // namespace warplens::test::register_shuffle_tests
