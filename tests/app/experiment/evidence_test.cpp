#include "app/experiment/evidence.h"

#include "app/experiment/devices.h"
#include "app/experiment/quantities.h"

#include <gtest/gtest.h>

namespace warplens::test::evidence_tests {
namespace {

Setting setting_of(const char* scenario) {
    return initial_state(*find_scenario(scenario), find_device(device_table(), kDefaultDevice).value());
}

Observation observation(double value, Provenance provenance) {
    Observation seen;
    seen.point = {0, value, value - 1, value + 1};
    seen.timing.gpu = "a GPU";
    seen.timing.repeats = 9;
    seen.where = "Measured on a GPU";
    seen.provenance = provenance;
    return seen;
}

TEST(Quantities, SlowSpeedsKeepTheirDigits) {
    const std::pair<double, const char*> kSpeeds[] = {
        {0, "0.00"},     {0.00892, "0.00892"}, {0.0185, "0.0185"}, {0.5, "0.50"},
        {9.876, "9.88"}, {28.01, "28.0"},      {3724.02, "3 724"}};
    for (const auto& [value, text] : kSpeeds) EXPECT_EQ(format_speed(value), text);
}

TEST(Evidence, WhatAGpuSaysStandsBesideWhatIsPredicted) {
    const Evidence model = gather_evidence(setting_of("global-stride"), device_table());
    EXPECT_TRUE(model.seen.empty());
    const Evidence recorded = with_observed(model, {.recorded = observation(1000, Provenance::recorded)});
    ASSERT_EQ(recorded.seen.size(), 1u);
    EXPECT_EQ(recorded.seen.front().key, model.predicted.front().key);
    EXPECT_EQ(recorded.seen.front().amount, 1000);
    EXPECT_EQ(recorded.seen.front().provenance, Provenance::recorded);
    const Evidence both = with_observed(recorded, {.measured = observation(2000, Provenance::measured),
                                                   .recorded = recorded.observed.recorded});
    EXPECT_EQ(both.seen.front().amount, 2000) << "what was measured here counts for more";
    bool beside = false;
    for (const QuantityPair& row : number_rows(both, 0, CountScope::warp))
        beside = beside || (row.a.key == "useful_gb_per_s" && row.b.amount == 2000);
    EXPECT_TRUE(beside);
    EXPECT_TRUE(with_observed(both, {}).seen.empty());
}

TEST(Evidence, CountersStandBesideTheirExpectations) {
    const Evidence model = gather_evidence(setting_of("global-stride"), device_table());
    ASSERT_FALSE(model.counters.empty());
    const QuantityPair& first = model.counters.front();
    EXPECT_TRUE(first.b.text.empty());
    EXPECT_FALSE(judgement_of(model, first));
    CountResult counted;
    counted.job.metrics = {first.a.key};
    CounterReading reading;
    reading.values = {first.a.amount};
    counted.outcome = reading;
    const Evidence both = with_observed(model, {.counted = counted});
    EXPECT_EQ(both.counters.front().b.amount, first.a.amount);
    ASSERT_TRUE(judgement_of(both, both.counters.front()));
    EXPECT_EQ(judgement_of(both, both.counters.front())->verdict, Verdict::equal);
}

}  // namespace
}  // namespace warplens::test::evidence_tests
