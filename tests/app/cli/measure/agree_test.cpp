#include "app/cli/measure/measure.h"

#include "app/base/errors.h"
#include "app/experiment/devices.h"
#include "tests/devices.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include <sstream>

namespace warplens::test::agree_tests {
namespace {

/// A GPU whose counters are as expected, plus `more` in those whose metric contains `where`.
ReadCounters counters(std::string where = "nowhere", double more = 0) {
    return [=](const CountJob& job) -> std::variant<CounterReading, Unavailable> {
        const Scenario& scenario = *find_scenario(job.setting.scenario);
        const ExpectedLaunch expected = expect_counters(scenario, job.setting.params, h200());
        CounterReading reading{.passes = 1};
        for (const std::string& metric : job.metrics) {
            const ExpectedCounter* counter = expected.find(metric);
            const double extra = metric.find(where) != std::string::npos ? more : 0;
            reading.values.push_back((counter == nullptr ? 0 : counter->expected) + extra);
        }
        return reading;
    };
}

std::vector<const Scenario*> all() {
    std::vector<const Scenario*> scenarios;
    for (const Scenario& scenario : all_scenarios()) scenarios.push_back(&scenario);
    return scenarios;
}

const GpuInfo kGpu{.name = "a GPU"};

TEST(Agree, AGpuThatCountsLikeTheModelIsEqualEverywhere) {
    int done = 0;
    const Agreement agreement =
        compare_with_counters(all(), 60, 3, h200(), counters(), [&](int now) { done = now; });
    EXPECT_EQ(agreement.settings, 60);
    EXPECT_EQ(done, 60);
    EXPECT_TRUE(agreement.differences.empty());
    EXPECT_GT(agreement.rows.size(), 60u);
    for (const auto& [key, row] : agreement.rows) {
        EXPECT_GT(row.by_verdict[0], 0) << key.first << " " << key.second->name();
        EXPECT_EQ(row.by_verdict[1] + row.by_verdict[2], 0) << key.first << " " << key.second->name();
    }
}

TEST(Agree, OneSectorTooManyIsFoundAndNamedWithItsSetting) {
    const Scenario* stride = find_scenario("global-stride");
    const Agreement agreement =
        compare_with_counters({stride}, 12, 3, h200(), counters("t_sectors", 1), [](int) {});
    EXPECT_GT(agreement.off_exact(), 0);
    const std::string text = agreement_text(agreement, kGpu, 3);
    EXPECT_NE(text.find("off: global-stride --set "), std::string::npos) << text;
    EXPECT_NE(text.find("| global-stride | global loads: sectors | 0 |"), std::string::npos) << text;
    const auto json = agreement_to_json(agreement, kGpu, 3);
    EXPECT_EQ(json["off_exact"], agreement.off_exact());
    EXPECT_EQ(json["differences"].size(), agreement.differences.size());
}

TEST(Agree, WhatAKernelReadsOfItsOwnIsSubtractedFromConstantRequests) {
    const Scenario* lookup = find_scenario("constant-lookup");
    const auto with_arguments = [](const CountJob& job) {
        auto outcome = counters()(job);
        const Scenario& scenario = *find_scenario(job.setting.scenario);
        const ExpectedLaunch expected = expect_counters(scenario, job.setting.params, h200());
        for (auto& value : std::get<CounterReading>(outcome).values)
            value = *value + 4 * static_cast<double>(expected.warps);
        return outcome;
    };
    const Agreement agreement = compare_with_counters({lookup}, 8, 1, h200(), with_arguments, [](int) {});
    ASSERT_EQ(agreement.rows.size(), 1u);
    EXPECT_EQ(agreement.rows[0].second.by_verdict[0], 8);
}

TEST(Agree, MoreWavefrontsThanArbitrationUsuallyCostsAreProvenByAddressesOrOff) {
    const std::vector<const Scenario*> ladder{find_scenario("matrix-ladder")};
    int asked = 0;
    const auto off = [&](bool as_predicted, const std::string& metric, double more) {
        asked = 0;
        Agreement agreement = compare_with_counters(ladder, 6, 1, h200(), counters(metric, more), [](int) {});
        const std::int64_t before = agreement.off_exact();
        EXPECT_GT(before, 0);
        prove_arbitration(agreement, [&](std::string_view scenario, const std::string& settings) {
            EXPECT_EQ(scenario, "matrix-ladder");
            EXPECT_NE(settings.find("variant="), std::string::npos);
            ++asked;
            return as_predicted;
        });
        std::int64_t in_rows = 0;
        for (const auto& [key, row] : agreement.rows) in_rows += row.by_verdict[2];
        EXPECT_EQ(in_rows, agreement.off_exact());
        return agreement.off_exact();
    };
    EXPECT_EQ(off(true, "wavefronts_mem_shared_op_st", 1e9), 0);
    EXPECT_GT(asked, 0);
    EXPECT_LE(asked, 6) << "asked once for each setting";
    EXPECT_GT(off(false, "wavefronts_mem_shared_op_st", 1e9), 0);
    EXPECT_GT(off(true, "wavefronts_mem_shared_op_st", -1), 0) << "fewer wavefronts are no arbitration";
    EXPECT_EQ(asked, 0);
    EXPECT_GT(off(true, "t_sectors", 1), 0) << "sectors know no arbitration";
    EXPECT_EQ(asked, 0);
}

TEST(Agree, SettingsThatCannotBeLaunchedAreCountedByReason) {
    const auto refuse = [](const CountJob&) -> std::variant<CounterReading, Unavailable> {
        return Unavailable{"too large"};
    };
    const Agreement agreement =
        compare_with_counters({find_scenario("transpose")}, 5, 1, h200(), refuse, [](int) {});
    EXPECT_EQ(agreement.settings, 0);
    EXPECT_EQ(agreement.refused.at("too large"), 5);
    EXPECT_NE(agreement_text(agreement, kGpu, 1).find("5 x not launched: too large"), std::string::npos);
}

TEST(Agree, TheSameSeedGivesTheSameSettings) {
    const auto json = [](unsigned seed) {
        const Agreement agreement = compare_with_counters({find_scenario("global-stride")}, 10, seed, h200(),
                                                          counters("t_sectors", 1), [](int) {});
        return agreement_to_json(agreement, kGpu, seed)["differences"].dump();
    };
    EXPECT_EQ(json(5), json(5));
    EXPECT_NE(json(5), json(6));
}

TEST(Agree, NeedsAGpuAndSaysSo) {
    std::ostringstream out;
    try {
        run_agree({.cpu = true}, out);
        FAIL() << "ran without a GPU";
    } catch (const NoGpu& error) {
        EXPECT_NE(std::string(error.what()).find("agree needs an NVIDIA GPU"), std::string::npos);
    }
    EXPECT_THROW(run_agree({.scenario = "no-such", .cpu = true}, out), UsageError);
}

}  // namespace
}  // namespace warplens::test::agree_tests
