#include "kernels/scenarios/constant_convolution.h"

#include "app/base/assets.h"
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

TEST(ConstantConvolution, OneRequestForEachWeightAndWarp) {
    constexpr int kWarps = 64 * 64 / kWarpLanes;
    for (const int filter : {3, 5, 7, 9}) {
        const std::string size = "filter=" + std::to_string(filter) + "x" + std::to_string(filter);
        const std::int64_t taps = std::int64_t{filter} * filter * kWarps;
        const auto constant = rows(size + ",memory=constant");
        ASSERT_EQ(constant.size(), 3u);
        EXPECT_EQ(constant[1].instruction.space, Space::constant);
        EXPECT_EQ(constant[1].grid.requests, taps);
        const auto global = rows(size + ",memory=global");
        EXPECT_EQ(global[1].grid.requests, taps);
        EXPECT_EQ(global[1].grid.sectors, taps);
        const auto shared = rows(size + ",memory=shared");
        ASSERT_EQ(shared.size(), 5u);
        EXPECT_EQ(shared[3].grid.wavefronts, taps) << "a broadcast";
        EXPECT_EQ(shared[0].grid.requests, (filter * filter + 31) / 32 * 16) << "16 blocks copy the weights";
    }
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
    EXPECT_GT(constant.value, 1.5 * shared.value);
    EXPECT_NEAR(shared.value, global.value, 0.1 * shared.value);
    EXPECT_LT(constant.value, constant.peak);
    EXPECT_EQ(constant.flop, 2.0 * 81 * 4096 * 4096);
    EXPECT_GT(predict("filter=9x9").intensity, 0.49) << "2 operations for 4 bytes";
    EXPECT_LT(predict("filter=9x9").intensity, 0.51);
    EXPECT_EQ(predict("filter=3x3").limiter, "block launch overhead");
}

}  // namespace warplens::test::constant_convolution_tests
