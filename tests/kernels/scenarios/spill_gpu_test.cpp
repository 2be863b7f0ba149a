// What the compiled kernels say about themselves against what was recorded.
#include "kernels/cuda/gpu.h"
#include "kernels/scenarios/local_spill.h"
#include "kernels/timing/timed.h"

#include <gtest/gtest.h>

namespace warplens::test::spill_gpu_tests {
namespace {

TEST(SpillGpu, EveryKernelKeepsItsBudgetAndSpillsAsRecorded) {
    const auto gpus = list_gpus();
    if (const auto* why = std::get_if<Unavailable>(&gpus)) GTEST_SKIP() << why->reason;
    const GpuInfo& gpu = std::get<std::vector<GpuInfo>>(gpus).front();
    Params p = LocalSpill::info.defaults;
    for (const Choice& live : LocalSpill::kLiveValues) {
        for (const Choice& budget : LocalSpill::kRegisters) {
            p.live_values = live.value, p.registers = budget.value;
            const auto outcome = spill_facts(p);
            const auto* why = std::get_if<Unavailable>(&outcome);
            ASSERT_EQ(why, nullptr) << why->reason;
            const SpillFacts facts = std::get<SpillFacts>(outcome);
            const SpillRecord record = LocalSpill::record(p);
            EXPECT_LE(facts.registers, budget.value) << live.name << " values";
            EXPECT_GE(facts.local_bytes / LocalSpill::kWordBytes + facts.registers, live.value);
            // The table is of CC 9.0 and one compiler; tests/commands/spill_table.sh compares it exactly.
            const int tolerance = gpu.cc_major == 9 ? 16 : 64;
            EXPECT_NEAR(facts.local_bytes, record.frame_bytes, tolerance) << live.name << ", " << budget.name;
        }
    }
}

}  // namespace
}  // namespace warplens::test::spill_gpu_tests
