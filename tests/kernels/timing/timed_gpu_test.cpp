// Times that a GPU must agree with whatever its model: order, proportion, exact bytes, and refusals with a
// reason. Tests whose name begins with Speed compare times: leave them out under compute-sanitizer
// (--gtest_filter=-*Speed*).
#include "kernels/timing/timed.h"

#include "app/model/access/banks.h"
#include "app/model/catalogue.h"
#include "kernels/cuda/gpu.h"
#include "kernels/launch_setting.h"
#include "tests/random_params.h"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

namespace warplens::test::timed_gpu_tests {
namespace {

class TimedGpu : public testing::Test {
protected:
    void SetUp() override {
        const auto gpus = list_gpus();
        if (const auto* why = std::get_if<Unavailable>(&gpus)) GTEST_SKIP() << why->reason;
    }

    Timing time(std::string_view scenario, const Params& p, const StopRule& rule = {}) {
        auto outcome = kernels_.time(scenario, p, rule);
        if (const auto* why = std::get_if<Unavailable>(&outcome)) {
            ADD_FAILURE() << scenario << ": " << why->reason;
            return {};
        }
        return std::get<Timing>(std::move(outcome));
    }

    std::string refusal(std::string_view scenario, const Params& p) {
        const auto outcome = kernels_.time(scenario, p, {});
        const auto* why = std::get_if<Unavailable>(&outcome);
        return why == nullptr ? "" : why->reason;
    }

    TimedKernels kernels_;
};

Params defaults_of(std::string_view scenario) { return find_scenario(scenario)->info->defaults; }

TEST_F(TimedGpu, SpeedOfABiggerGridIsNoBetterThanItsSize) {
    Params small = defaults_of("global-stride"), big = small;
    small.elements_log2 = 20;
    big.elements_log2 = 26;
    const Timing one = time("global-stride", small), many = time("global-stride", big);
    EXPECT_GT(many.median_us, 8 * one.median_us) << "64 times the work";
    EXPECT_LE(many.lower_us, many.median_us);
    EXPECT_GE(many.upper_us, many.median_us);
    EXPECT_TRUE(one.fits_l2);
    EXPECT_FALSE(one.gpu.empty());
    EXPECT_FALSE(one.method.empty());
    RecordProperty("gb_per_s", std::to_string(many.gb_per_s()));
    EXPECT_GT(many.gb_per_s(), 10);
}

TEST_F(TimedGpu, SpeedOfStridedAccessIsLower) {
    Params packed = defaults_of("global-stride"), strided = packed;
    strided.stride = 16;
    EXPECT_GT(time("global-stride", packed).gb_per_s(), 1.5 * time("global-stride", strided).gb_per_s());
}

TEST_F(TimedGpu, SpeedOfSharedMemoryFollowsTheWavefronts) {
    for (const int operation : {0, 1}) {
        for (const int stride : {0, 1, 2, 4, 8, 16, 32, 33}) {
            Params p = defaults_of("shared-stride");
            p.stride = stride;
            p.operation = operation;
            const int wavefronts = stride == 0 || stride == 33 ? 1 : stride;
            const Timing timing = time("shared-stride", p);
            EXPECT_GT(timing.cycles_per_request, 0.95 * wavefronts)
                << "stride " << stride << " op " << operation;
            EXPECT_LT(timing.cycles_per_request, 1.15 * wavefronts + 0.5)
                << "stride " << stride << " op " << operation;
            EXPECT_EQ(timing.useful_bytes, 0);
        }
    }
}

TEST_F(TimedGpu, BytesAreExact) {
    Params p = defaults_of("global-stride");
    p.elements_log2 = 20;
    p.mask = 0x0fff'ffff;
    EXPECT_EQ(time("global-stride", p).useful_bytes, (1 << 20) / 32 * 28 * 4 * 2);
    Params matrix = defaults_of("transpose");
    matrix.matrix = 1000;
    EXPECT_EQ(time("transpose", matrix).useful_bytes, 1000 * 1000 * 4 * 2);
}

TEST_F(TimedGpu, EveryScenarioRunsAtRandomSettings) {
    std::mt19937 random(3);
    const StopRule quick{.warm_up = 1, .min_repeats = 2, .max_repeats = 2};
    const GpuInfo gpu = std::get<0>(list_gpus()).front();
    for (const Scenario& scenario : all_scenarios()) {
        for (int i = 0; i < 25; ++i) {
            const Params p = test::small_random_params(scenario, random);
            const auto setting = describe_setting(scenario.info->id, p);
            if (refuse_gpu(*scenario.info, gpu)) continue;
            if (refuse_launch(*scenario.info, p, setting->shape, limits_of(gpu)))
                continue;  // a small GPU, a large tile
            if (!setting->any_lane) {
                EXPECT_FALSE(refusal(scenario.info->id, p).empty());
            } else {
                EXPECT_GT(time(scenario.info->id, p, quick).median_us, 0) << scenario.info->id;
            }
            const auto once = kernels_.launch_once(scenario.info->id, p);
            const auto* why = std::get_if<Unavailable>(&once);
            EXPECT_EQ(why, nullptr) << scenario.info->id << ": " << why->reason;
        }
    }
}

TEST_F(TimedGpu, EveryScenarioIsTimedAtItsDefaultsAndPresets) {
    const StopRule quick{.warm_up = 1, .min_repeats = 2, .max_repeats = 3};
    const GpuInfo gpu = std::get<0>(list_gpus()).front();
    for (const Scenario& scenario : all_scenarios()) {
        std::vector<Params> settings{scenario.info->defaults};
        for (const Preset& preset : scenario.info->presets)
            settings.push_back(preset_params(scenario, preset));
        for (const Params& p : settings) {
            if (refuse_gpu(*scenario.info, gpu)) {
                EXPECT_NE(refusal(scenario.info->id, p).find("needs compute capability"), std::string::npos);
                continue;
            }
            SCOPED_TRACE(scenario.info->id);
            const Timing timing = time(scenario.info->id, p, quick);
            EXPECT_GT(timing.median_us, 0);
            EXPECT_FALSE(timing.method.empty());
            switch (speed_unit_of(*scenario.info, p)) {
                case SpeedUnit::cycles:
                    EXPECT_GT(timing.cycles_per_request, 0);
                    EXPECT_LE(timing.cycles_lower, timing.cycles_per_request);
                    break;
                case SpeedUnit::gflop_per_s:
                    EXPECT_GT(timing.flop, 0);
                    break;
                case SpeedUnit::gb_per_s:
                    EXPECT_GT(timing.useful_bytes + timing.cycles_per_request, 0);
                    break;
                case SpeedUnit::sectors:
                    ADD_FAILURE() << "sectors are counted, not measured";
            }
        }
    }
}

/// Cycles of one request at a setting: median.
#define CYCLES(scenario, ...)                        \
    [&] {                                            \
        Params p = defaults_of(scenario);            \
        __VA_ARGS__;                                 \
        return time(scenario, p).cycles_per_request; \
    }()

TEST_F(TimedGpu, SpeedOfConstantMemoryFollowsTheDistinctWords) {
    const double uniform = CYCLES("constant-lookup", p.words = 1);
    const double eight = CYCLES("constant-lookup", p.words = 8);
    const double all = CYCLES("constant-lookup", p.words = 32);
    EXPECT_GT(uniform, 10);
    EXPECT_GT(eight, 1.5 * uniform);
    EXPECT_GT(all, 2.5 * eight);
    const GpuInfo gpu = std::get<0>(list_gpus()).front();
    if (gpu.cc_major != 9)
        GTEST_SKIP() << "only compute capability 9.0 was measured: " << uniform << ", " << all;
    EXPECT_NEAR(uniform, 34.5, 4) << "H200, measured apart from this program";
    EXPECT_NEAR(all, 375, 20) << "H200, measured apart from this program";
}

TEST_F(TimedGpu, SpeedOfAnExchangeIsBestInRegisters) {
    const double shuffle = CYCLES("register-shuffle", p.variant = 0);
    const double shared = CYCLES("register-shuffle", p.variant = 1);
    const double global = CYCLES("register-shuffle", p.variant = 2);
    EXPECT_GT(shuffle, 10);
    EXPECT_LT(shuffle, 40);
    EXPECT_GT(shared, shuffle);
    EXPECT_GT(global, shuffle);
}

TEST_F(TimedGpu, SpeedOfANeighboursSharedMemoryLiesBetweenOwnAndGlobal) {
    const GpuInfo gpu = std::get<0>(list_gpus()).front();
    if (const auto why = refuse_gpu(*find_scenario("cluster-shared")->info, gpu)) GTEST_SKIP() << why->reason;
    const double own = CYCLES("cluster-shared", p.variant = 0);
    const double neighbour = CYCLES("cluster-shared", p.variant = 1);
    const double global = CYCLES("cluster-shared", p.variant = 2);
    EXPECT_GT(own, 15);
    EXPECT_LT(own, 60);
    EXPECT_GT(neighbour, 2 * own);
    EXPECT_GT(global, neighbour);
}

TEST_F(TimedGpu, SpeedOfMatrixLoadsFollowsTheWavefronts) {
    Params p = defaults_of("shared-matrix-load");
    for (const int matrices : {1, 2, 4}) {
        p.matrices = matrices;
        const Scenario& scenario = *find_scenario("shared-matrix-load");
        const BankReport banks = analyze_banks(scenario.warp(p, 0, {}, 0, 0), BankRules{});
        const Timing timing = time("shared-matrix-load", p);
        EXPECT_GT(timing.cycles_per_request, 0.95 * banks.count.wavefronts) << matrices;
        EXPECT_LT(timing.cycles_per_request, 1.25 * banks.count.wavefronts + 1) << matrices;
    }
}

TEST_F(TimedGpu, TooLargeASettingNamesBothSizesAndTheNextOneWorks) {
    Params p = defaults_of("global-stride");
    p.elements_log2 = 29;
    p.element_bytes = 16;
    p.stride = 64;
    const std::string why = refusal("global-stride", p);
    EXPECT_NE(why.find("520.0 GiB"), std::string::npos)
        << why;  // 512 GiB read with stride, 8 GiB written packed
    EXPECT_NE(why.find("free"), std::string::npos) << why;
    p = defaults_of("global-stride");
    p.elements_log2 = 16;
    EXPECT_GT(time("global-stride", p).median_us, 0);
}

TEST_F(TimedGpu, NothingToTimeIsAReason) {
    Params p = defaults_of("global-stride");
    p.elements_log2 = 12;
    p.mask = 0;
    EXPECT_NE(refusal("global-stride", p).find("no lane"), std::string::npos);
    p = defaults_of("shared-stride");
    p.mask = 0;
    EXPECT_NE(refusal("shared-stride", p).find("no lane"), std::string::npos);
    EXPECT_NE(refusal("no-such-thing", {}).find("no-such-thing"), std::string::npos);
}

TEST_F(TimedGpu, CancelStopsSoon) {
    const std::atomic<bool> cancel = true;
    const auto begin = std::chrono::steady_clock::now();
    const auto outcome = kernels_.time("transpose", defaults_of("transpose"), {.max_seconds = 60}, &cancel);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    ASSERT_TRUE(std::holds_alternative<Unavailable>(outcome));
    EXPECT_EQ(std::get<Unavailable>(outcome).reason, "cancelled");
    EXPECT_LT(seconds.count(), 20);
}

}  // namespace
}  // namespace warplens::test::timed_gpu_tests
