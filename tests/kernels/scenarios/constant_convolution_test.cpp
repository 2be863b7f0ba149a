#include "kernels/scenarios/constant_convolution.h"

#include "app/base/assets.h"
#include "app/model/counters/agreement.h"
#include "app/model/time/arithmetic.h"
#include "tests/kernels/scenarios/counts.h"

#include <gtest/gtest.h>

namespace warplens::test::constant_convolution_tests {

namespace {

std::vector<InstructionReport> rows(const std::string& settings) {
    return test::report_of("constant-convolution", {"size=64", settings}).instructions;
}

Prediction predict(const std::string& settings) {
    static const std::vector<DeviceFacts> all = load_devices(asset("assets/gpus.json"));
    const Scenario& scenario = *find_scenario("constant-convolution");
    return predict_flop(scenario, apply_settings(scenario, {settings}),
                        all.at(find_device(all, "H200").value()));
}

}  // namespace

TEST(ConstantConvolution, EveryWarpNeedsEveryWeight) {
    constexpr int kWarps = 64 * 64 / kWarpLanes;
    for (const int filter : {3, 5, 7, 9}) {
        const std::string size = "filter=" + std::to_string(filter) + "x" + std::to_string(filter);
        const std::int64_t weights = std::int64_t{filter} * filter;
        const auto constant = rows(size + ",memory=constant");
        ASSERT_EQ(constant.size(), 3u);
        EXPECT_EQ(constant[1].instruction.space, Space::constant);
        EXPECT_EQ(constant[1].grid.instructions, weights * kWarps);
        const auto global = rows(size + ",memory=global");
        ASSERT_EQ(global.size(), 3u);
        EXPECT_EQ(global[1].grid.requests, weights * kWarps);
        EXPECT_EQ(global[1].grid.sectors, weights * kWarps);
        const auto shared = rows(size + ",memory=shared");
        ASSERT_EQ(shared.size(), 6u);
        EXPECT_EQ(shared[0].grid.requests, (weights + 31) / 32 * 16) << "16 blocks copy the weights";
        EXPECT_EQ(shared[3].grid.requests, weights / 4 * kWarps) << "four weights at once";
        EXPECT_EQ(shared[3].grid.wavefronts, 2 * shared[3].grid.requests) << "16 bytes take two trips";
        EXPECT_EQ(shared[4].grid.wavefronts, kWarps) << "the last weight, a broadcast";
    }
}

TEST(ConstantConvolution, FourWeightsAtOnceAndTheLastAloneAreAllWeights) {
    Params p = ConstantConvolution::info.defaults;
    p.memory = static_cast<int>(WeightMemory::shared);
    for (const int filter : {3, 5, 7, 9}) {
        p.filter = filter;
        std::vector<int> loaded;
        for (const int index : {3, 4}) {
            const Instruction load = ConstantConvolution::instruction(p, index);
            for (int step = 0; step < load.steps; ++step) {
                const auto address =
                    ConstantConvolution::access(p, index, {.x = 7, .step = step}).byte_address;
                EXPECT_EQ(address % static_cast<unsigned>(load.bytes_per_lane), 0u);
                for (int byte = 0; byte < load.bytes_per_lane; byte += 4)
                    loaded.push_back(static_cast<int>(address) / 4 + byte / 4);
            }
        }
        ASSERT_EQ(loaded.size(), static_cast<std::size_t>(filter) * filter);
        for (int i = 0; i < filter * filter; ++i) EXPECT_EQ(loaded[static_cast<std::size_t>(i)], i);
    }
}

TEST(ConstantConvolution, OperandsAreNoRequests) {
    // idc__requests counts what kernels read of their arguments, and nothing for weights in constant memory:
    // on an H200 it is the same for all filters.
    const Scenario& scenario = *find_scenario("constant-convolution");
    const auto requests = [&](const char* memory) {
        return expect_counters(scenario, apply_settings(scenario, {"size=64", memory}), test::cc90())
            .find("idc__requests.sum");
    };
    EXPECT_EQ(requests("memory=constant"), nullptr);
    EXPECT_EQ(requests("memory=global"), nullptr);
}

TEST(ConstantConvolution, LoadsFromSharedMemoryAsCountedOnAnH200) {
    const Scenario& scenario = *find_scenario("constant-convolution");
    const auto count = [&](const char* filter, std::string_view metric) {
        const ExpectedLaunch launch = expect_counters(
            scenario, apply_settings(scenario, {"size=64", "memory=shared", filter}), test::cc90());
        const ExpectedCounter* counter = launch.find(metric);
        return counter == nullptr ? -1 : counter->expected;
    };
    constexpr std::string_view kInstructions = "smsp__inst_executed_op_shared_ld.sum",
                               kWavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                               kGlobal = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
    EXPECT_EQ(count("filter=3x3", kInstructions), 384);
    EXPECT_EQ(count("filter=3x3", kWavefronts), 640);
    EXPECT_EQ(count("filter=3x3", kGlobal), 1'168);
    EXPECT_EQ(count("filter=9x9", kInstructions), 2'688);
    EXPECT_EQ(count("filter=9x9", kWavefronts), 5'248);
    EXPECT_EQ(count("filter=9x9", kGlobal), 10'416);
}

TEST(ConstantConvolution, TapsToTheRightAreMisaligned) {
    for (const int tap : {0, 1, 2, 5}) {
        const auto row = rows("filter=5x5,tap=" + std::to_string(tap))[0];
        EXPECT_EQ(row.warp.sectors, tap % 5 == 0 ? 4 : 5) << tap;
    }
}

TEST(ConstantConvolution, EveryTapReadsItsNeighbour) {
    Params p = ConstantConvolution::info.defaults;
    p.matrix = 64;
    p.filter = 3;
    const auto element = [&](int x, int y, int step) {
        return static_cast<int>(
            ConstantConvolution::access(p, 0, {.block_x = 1, .block_y = 2, .x = x, .y = y, .step = step})
                .byte_address /
            4);
    };
    const int pitch = ConstantConvolution::pitch(p);
    EXPECT_EQ(pitch, 128);
    EXPECT_EQ(element(0, 0, 0), 16 * pitch + 32);
    EXPECT_EQ(element(5, 3, 0), 19 * pitch + 37);
    EXPECT_EQ(element(5, 3, 5), 20 * pitch + 39) << "row 1, column 2 of the filter";
}

TEST(ConstantConvolution, ConstantMemoryLeavesThePipeToTheImage) {
    const Prediction constant = predict("filter=9x9,memory=constant"),
                     shared = predict("filter=9x9,memory=shared"),
                     global = predict("filter=9x9,memory=global");
    EXPECT_GT(constant.value, 1.3 * shared.value)
        << "81 trips of the image against 81 and 41 of the weights; recorded: 1.30 (H200), 1.26 (H100)";
    EXPECT_GT(shared.value, 1.2 * global.value) << "four weights at once take two trips, alone four";
    EXPECT_LT(constant.value, constant.peak);
    EXPECT_EQ(constant.flop, 2.0 * 81 * 4096 * 4096);
    EXPECT_GT(predict("filter=9x9").intensity, 0.49) << "2 operations for 4 bytes";
    EXPECT_LT(predict("filter=9x9").intensity, 0.51);
    EXPECT_EQ(predict("filter=3x3").limiter, Limiter::block_launch);
}

}  // namespace warplens::test::constant_convolution_tests
