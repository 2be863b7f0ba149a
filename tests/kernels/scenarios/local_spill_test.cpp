// What is spilled, as recorded from the assembler, and what the model makes of it.
#include "kernels/scenarios/local_spill.h"
#include "app/base/assets.h"
#include "app/model/time/spilling.h"
#include "kernels/timing/timed.h"
#include "tests/kernels/scenarios/counts.h"

#include <gtest/gtest.h>

namespace warplens::test::local_spill_tests {

namespace {

Prediction predicted(const std::vector<std::string>& settings) {
    static const std::vector<DeviceFacts> devices = load_devices(asset("assets/gpus.json"));
    const Scenario& scenario = *find_scenario("local-spill");
    return predict(scenario, apply_settings(scenario, settings),
                   devices.at(find_device(devices, "H200").value()));
}

Params test_params(const std::string& setting) {
    return apply_settings(*find_scenario("local-spill"), {setting});
}

}  // namespace

TEST(LocalSpill, TheRecordsAreSane) {
    Params p = LocalSpill::info.defaults;
    for (const Choice& live : LocalSpill::kLiveValues) {
        int before = 1 << 20;
        for (const Choice& budget : LocalSpill::kRegisters) {
            p.live_values = live.value, p.registers = budget.value;
            const SpillRecord record = LocalSpill::record(p);
            const int spilled = LocalSpill::spilled_values(p);
            EXPECT_LE(record.registers, budget.value);
            EXPECT_GE(spilled, 0);
            EXPECT_LE(spilled * LocalSpill::kWordBytes, record.frame_bytes);
            EXPECT_EQ(spilled == 0, record.frame_bytes == 0);
            EXPECT_GE(spilled + record.registers, live.value) << "a value must be somewhere";
            EXPECT_LE(spilled, before) << "more registers, more spills";
            before = spilled;
        }
        EXPECT_EQ(before, 0) << "255 registers are enough for " << live.value;
    }
}

// 65,536 registers for so many blocks of 256 threads, in portions of 8: by hand.
TEST(LocalSpill, LaunchBoundsLimitRegisters) {
    constexpr int kAllowed[] = {255, 255, 128, 80, 64, 48, 40, 32, 32};
    Params p = LocalSpill::info.defaults;
    p.registers = 255;
    for (const Choice& blocks : LocalSpill::kBlocksPerSm) {
        p.blocks_per_sm = blocks.value;
        EXPECT_EQ(LocalSpill::budget(p), kAllowed[blocks.value]) << blocks.value;
        const Params same = test_params("registers=" + std::to_string(kAllowed[blocks.value]));
        p.live_values = same.live_values;
        EXPECT_EQ(LocalSpill::spilled_values(p), LocalSpill::spilled_values(same));
    }
    p.registers = 24, p.blocks_per_sm = 1;
    EXPECT_EQ(LocalSpill::budget(p), 24) << "the smaller of both limits holds";
}

// What a thread does depends on what it gets, not on which of the two bounds gives it so little.
TEST(LocalSpill, KernelsWithTheSameBudgetAreTheSame) {
    Params p = LocalSpill::info.defaults;
    for (const Choice& live : LocalSpill::kLiveValues)
        for (const Choice& registers : LocalSpill::kRegisters)
            for (const Choice& blocks : LocalSpill::kBlocksPerSm) {
                p.live_values = live.value, p.registers = registers.value, p.blocks_per_sm = blocks.value;
                Params same = p;
                same.registers = LocalSpill::budget(p), same.blocks_per_sm = 0;
                ASSERT_EQ(LocalSpill::budget(same), same.registers);
                EXPECT_EQ(LocalSpill::launch(same).local_bytes, LocalSpill::launch(p).local_bytes);
                EXPECT_EQ(LocalSpill::launch(same).shared_bytes, LocalSpill::launch(p).shared_bytes);
                const int count = LocalSpill::instruction_count(p);
                ASSERT_EQ(LocalSpill::instruction_count(same), count);
                for (int k = 0; k < count; ++k) {
                    EXPECT_EQ(LocalSpill::instruction(same, k).steps, LocalSpill::instruction(p, k).steps);
                    for (ThreadId thread; thread.step < 2 * p.live_values; ++thread.step)
                        ASSERT_EQ(LocalSpill::access(same, k, thread).byte_address,
                                  LocalSpill::access(p, k, thread).byte_address);
                }
            }
}

TEST(LocalSpill, AStoreAndALoadOfFourFullSectorsForEachSpilledValue) {
    const Report none = test::report_of("local-spill", {"registers=80", "live=64"});
    ASSERT_EQ(none.instructions.size(), 1u);
    EXPECT_EQ(none.instructions[0].instruction.space, Space::registers);
    EXPECT_EQ(none.instructions[0].block.sectors, 0);

    const Report few = test::report_of("local-spill", {"registers=64", "live=64", "blocks=1"});
    ASSERT_EQ(few.instructions.size(), 3u);
    for (const int k : {1, 2}) {
        const InstructionReport& row = few.instructions[static_cast<std::size_t>(k)];
        EXPECT_EQ(row.instruction.space, Space::local);
        EXPECT_EQ(row.instruction.op, k == 1 ? Op::store : Op::load);
        EXPECT_EQ(row.kind, Provenance::recorded);
        EXPECT_EQ(row.warp.sectors, 4);
        EXPECT_EQ(row.block.sectors, LocalSpill::kRounds * 4 * 8 * 8);  // 8 spilled values, 8 warps
        EXPECT_EQ(row.block.bytes_used, row.block.bytes_moved);
    }
    EXPECT_EQ(few.instructions[0].block.instructions, LocalSpill::kRounds * (64 - 8 + 1) * 8);
    const Report all = test::report_of("local-spill", {"registers=24", "live=64", "blocks=1"});
    EXPECT_EQ(all.instructions[0].block.instructions, LocalSpill::kRounds * 5 * 8)
        << "60 of 64 values are spilled; four and the carry stay";
}

TEST(LocalSpill, SpillsCostSpeedAndSoDoMoreRegistersThanNeeded) {
    const double few = predicted({"registers=32", "live=64"}).value,
                 right = predicted({"registers=80", "live=64"}).value;
    EXPECT_GT(right, 2 * few);
    EXPECT_EQ(right, predicted({"registers=255", "live=64"}).value) << "the kernel takes 70 either way";
    EXPECT_GT(predicted({"registers=128", "live=96"}).value, predicted({"registers=168", "live=160"}).value);
    for (const Choice& budget : LocalSpill::kRegisters) {
        const Prediction p = predicted({"registers=" + std::to_string(budget.value), "live=160"});
        EXPECT_EQ(p.speed_unit, SpeedUnit::gflop_per_s);
        EXPECT_GT(p.value, 0);
        EXPECT_LT(p.value, p.peak);
        EXPECT_NE(p.limiter, Limiter::none);
    }
}

TEST(LocalSpill, FactsOrAReason) {
    const auto facts = spill_facts(LocalSpill::info.defaults);
    if (const auto* why = std::get_if<Unavailable>(&facts))
        EXPECT_FALSE(why->reason.empty());
    else
        EXPECT_LE(std::get<SpillFacts>(facts).registers, LocalSpill::info.defaults.registers);
}

}  // namespace warplens::test::local_spill_tests
