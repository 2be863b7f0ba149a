#include "kernels/scenarios/shared_reduction.h"

#include "tests/kernels/scenarios/counts.h"

#include <gtest/gtest.h>

#include <numeric>

namespace warplens::test::shared_reduction_tests {
namespace {

Totals shared_totals(const Report& report, bool loads) {
    Totals sum;
    for (const InstructionReport& row : report.instructions) {
        if (row.instruction.space == Space::shared && is_load(row.instruction.op) == loads) sum += row.grid;
    }
    return sum;
}

/// What the instructions do to data: a register for each thread, which the first load of a step sets and the
/// others add to; an exchange adds; a store writes it. Barriers stand where the launch says.
class Machine {
public:
    Machine(const Scenario& scenario, const Params& params)
        : scenario_(scenario), params_(params), shape_(scenario.launch(params)) {
        for (int b = 0; b < kMaxBuffers; ++b) {
            global_[b].resize(static_cast<std::size_t>(shape_.buffer_bytes[b]) / 4);
        }
        std::iota(global_[0].begin(), global_[0].end(), 1);
    }

    /// @return  what the grid has written to buffer 1
    const std::vector<std::int64_t>& run() {
        for (int block = 0; block < shape_.grid.x; ++block) {
            shared_.assign(static_cast<std::size_t>(shape_.shared_bytes) / 4, 0);
            registers_.assign(static_cast<std::size_t>(shape_.block.x), 0);
            const int count = scenario_.instruction_count(params_);
            for (int first = 0; first < count;) {
                int end = first;
                while (end < count && phase_of(end) == phase_of(first)) ++end;
                const int steps = steps_of(shape_, scenario_.instruction(params_, first));
                for (int step = 0; step < steps; ++step) run_step(block, first, end, step);
                first = end;
            }
        }
        return global_[1];
    }

private:
    int phase_of(int index) const { return scenario_.instruction(params_, index).phase; }

    /// All threads run one instruction before the next: within a step, no thread may store what another still
    /// has to load, or the scenario would be a race. A test of its own looks for that.
    void run_step(int block, int first, int end, int step) {
        for (int index = first; index < end; ++index) {
            const Instruction what = scenario_.instruction(params_, index);
            const std::vector<std::int64_t> before = registers_;
            for (int thread = 0; thread < shape_.block.x; ++thread) {
                const LaneAccess access = scenario_.access(params_, index, {block, 0, thread, 0, step});
                if (!access.active) continue;
                std::int64_t& mine = registers_[static_cast<std::size_t>(thread)];
                const auto word = static_cast<std::size_t>(access.byte_address / 4);
                if (what.space == Space::registers) {
                    const int warp_start = thread / kWarpLanes * kWarpLanes;
                    mine += before[static_cast<std::size_t>(warp_start) + word];
                    continue;
                }
                std::vector<std::int64_t>& memory =
                    what.space == Space::shared ? shared_ : global_[what.buffer];
                if (what.op == Op::store)
                    memory.at(word) = mine;
                else
                    mine = index == first ? memory.at(word) : mine + memory.at(word);
            }
        }
    }

    const Scenario& scenario_;
    Params params_;
    LaunchShape shape_;
    std::vector<std::int64_t> global_[kMaxBuffers], shared_, registers_;
};

TEST(SharedReduction, AgreesWithPublishedCounts) {
    const Report report = report_of("shared-reduction", {"variant=interleaved", "block=256", "blocks=4096"});
    const Totals loads = shared_totals(report, true), stores = shared_totals(report, false);
    EXPECT_EQ(loads.requests, 102'400);
    EXPECT_EQ(stores.requests, 81'920);
    EXPECT_EQ(loads.wavefronts + stores.wavefronts, 614'400);
    EXPECT_EQ(loads.excessive_wavefronts() + stores.excessive_wavefronts(), 430'080);
}

TEST(SharedReduction, OnlyTheInterleavedVariantHasConflicts) {
    for (const char* variant : {"variant=divergent", "variant=sequential", "variant=shuffle"}) {
        for (const char* block : {"block=64", "block=256", "block=1024"}) {
            const Report report = report_of("shared-reduction", {variant, block});
            EXPECT_EQ(shared_totals(report, true).excessive_wavefronts(), 0) << variant;
            EXPECT_EQ(shared_totals(report, false).excessive_wavefronts(), 0) << variant;
        }
    }
    const Report report = report_of("shared-reduction", {"variant=sequential", "blocks=1"});
    EXPECT_EQ(shared_totals(report, true).wavefronts + shared_totals(report, false).wavefronts, 45);
}

TEST(SharedReduction, EveryVariantAddsUpTheBlock) {
    const Scenario& scenario = *find_scenario("shared-reduction");
    for (int variant = 0; variant < 4; ++variant) {
        for (const int block : {64, 128, 256, 512, 1024}) {
            Params params = scenario.info->defaults;
            params.variant = variant;
            params.block_x = block;
            params.blocks_log2 = 2;
            Machine machine(scenario, params);
            const std::vector<std::int64_t>& sums = machine.run();
            ASSERT_EQ(sums.size(), 4u);
            for (std::int64_t b = 0; b < 4; ++b) {
                const std::int64_t first = b * block + 1, last = first + block - 1;
                EXPECT_EQ(sums[static_cast<std::size_t>(b)], (first + last) * block / 2)
                    << "variant " << variant << ", block " << block;
            }
        }
    }
}

TEST(SharedReduction, NoThreadReadsWhatAnotherWritesInTheSameStep) {
    const Scenario& scenario = *find_scenario("shared-reduction");
    for (int variant = 0; variant < 3; ++variant) {
        for (const int block : {64, 1024}) {
            Params params = scenario.info->defaults;
            params.variant = variant;
            params.block_x = block;
            EXPECT_TRUE(scenario.launch(params).barrier_each_step);
            for (int step = 0; step < SharedReduction::halvings(params); ++step) {
                std::vector<int> writer(static_cast<std::size_t>(block), -1);
                for (int thread = 0; thread < block; ++thread) {
                    const LaneAccess store = scenario.access(params, 4, {.x = thread, .step = step});
                    if (store.active) writer[store.byte_address / 4] = thread;
                }
                for (int thread = 0; thread < block; ++thread) {
                    for (const int load : {2, 3}) {
                        const LaneAccess access = scenario.access(params, load, {.x = thread, .step = step});
                        const int other = writer[access.byte_address / 4];
                        EXPECT_TRUE(!access.active || other == -1 || other == thread);
                    }
                }
            }
        }
    }
}

}  // namespace
}  // namespace warplens::test::shared_reduction_tests
