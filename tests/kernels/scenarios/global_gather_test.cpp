#include "kernels/scenarios/global_gather.h"

#include "kernels/launch_setting.h"
#include "tests/kernels/scenarios/counts.h"
#include "tests/random_params.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace warplens::test::global_gather_tests {
namespace {

constexpr int kThreads = GlobalGather::kBlockThreads;

Params random_setting(GatherPattern pattern, std::mt19937& random) {
    Params params = random_params(*find_scenario("global-gather"), random);
    params.pattern = static_cast<int>(pattern);
    return params;
}

constexpr GatherPattern kAll[] = {GatherPattern::random, GatherPattern::permuted, GatherPattern::sorted,
                                  GatherPattern::clustered};

TEST(GlobalGather, ShufflingBitsIsAPermutation) {
    for (const int bits : {2, 5, 8, 13}) {
        for (const std::uint32_t seed : {0u, 1u, 9999u}) {
            std::set<std::uint32_t> seen;
            for (std::uint32_t x = 0; x < 1u << bits; ++x) seen.insert(shuffle_bits(x, bits, seed));
            EXPECT_EQ(seen.size(), 1u << bits);
            EXPECT_EQ(*seen.rbegin(), (1u << bits) - 1);
        }
    }
}

TEST(GlobalGather, PatternsAreWhatTheirNamesSay) {
    std::mt19937 random(14);
    for (int trial = 0; trial < 100; ++trial) {
        for (const GatherPattern pattern : kAll) {
            const Params params = random_setting(pattern, random);
            std::set<std::int64_t> different;
            for (int t = 0; t < kThreads; ++t) {
                const std::int64_t place = GlobalGather::place_in_window(params, t);
                different.insert(place);
                ASSERT_TRUE(place >= 0 && place < std::int64_t{1} << params.window_log2);
                if (t % params.duplicates != 0) {
                    ASSERT_EQ(place, GlobalGather::place_in_window(params, t - 1)) << "duplicates share";
                }
                if (pattern == GatherPattern::sorted && t >= params.duplicates) {
                    ASSERT_GT(place, GlobalGather::place_in_window(params, t - params.duplicates));
                }
                if (pattern == GatherPattern::clustered) {
                    const int first = t - t % (GlobalGather::kClusterLanes * params.duplicates);
                    ASSERT_EQ(place / GlobalGather::kClusterElements,
                              GlobalGather::place_in_window(params, first) / GlobalGather::kClusterElements);
                }
            }
            if (pattern == GatherPattern::permuted || pattern == GatherPattern::sorted) {
                ASSERT_EQ(std::ssize(different), kThreads / params.duplicates);
            }
        }
    }
}

TEST(GlobalGather, TheAddressIsThatOfTheElementThatTheIndexNames) {
    const Scenario& scenario = *find_scenario("global-gather");
    std::mt19937 random(15);
    for (int trial = 0; trial < 50; ++trial) {
        const Params params = random_setting(kAll[trial % 4], random);
        const int thread = static_cast<int>(random() % kThreads);
        EXPECT_EQ(scenario.access(params, 0, {.block_x = 2, .x = thread}).byte_address,
                  static_cast<std::uint64_t>(4 * (2 * kThreads + thread)));
        EXPECT_EQ(
            scenario.access(params, 1, {.block_x = 2, .x = thread}).byte_address,
            static_cast<std::uint64_t>(GlobalGather::index_of(params, 2, thread) * params.element_bytes));
    }
}

TEST(GlobalGather, SectorsAreAsManyAsChanceSays) {
    // 32 lanes choose among n sectors: n (1 - (1 - 1/n)^32) different ones on average.
    for (const int window_log2 : {8, 10, 16}) {
        double sectors = 0;
        constexpr int kSeeds = 400;
        for (int seed = 0; seed < kSeeds; ++seed) {
            const Report report = report_of(
                "global-gather",
                {"window=2^" + std::to_string(window_log2), "seed=" + std::to_string(seed), "elements=2^10"});
            EXPECT_EQ(report.instructions[0].warp.sectors, 4) << "indices are read in order";
            sectors += static_cast<double>(report.instructions[1].block.sectors) / 8;
        }
        const double n = std::ldexp(1.0, window_log2 - 3);
        EXPECT_NEAR(sectors / kSeeds, n * (1 - std::pow(1 - 1 / n, 32)), 0.15) << window_log2;
    }
}

TEST(GlobalGather, IndicesCountAsAThirdBuffer) {
    const Params params = apply_settings(*find_scenario("global-gather"), {"elements=2^12", "element=16"});
    const GridAccesses global = describe_setting("global-gather", params)->grid;
    EXPECT_EQ(global.count[0], 4096);
    EXPECT_EQ(global.count[1], 0);
    EXPECT_EQ(global.count[2], 4096);
    EXPECT_EQ(global.useful_bytes, 4096 * (4 + 16));
    EXPECT_EQ(global.touched_in_all(), 4096 * (4 + 32)) << "at most a sector for each element";
}

TEST(GlobalGather, WhatHelps) {
    const auto sectors = [](const std::vector<std::string>& settings) {
        return report_of("global-gather", settings).instructions[1].warp.sectors;
    };
    EXPECT_EQ(sectors({"pattern=sorted", "window=2^8"}), 4) << "256 sorted indices of 256: all of them";
    EXPECT_EQ(sectors({"pattern=sorted", "window=2^16"}), 32);
    EXPECT_LE(sectors({"pattern=clustered"}), 16);
    EXPECT_EQ(sectors({"pattern=permuted", "duplicates=32"}), 1);
    EXPECT_LE(sectors({"pattern=permuted", "duplicates=8"}), 4);
}

}  // namespace
}  // namespace warplens::test::global_gather_tests
