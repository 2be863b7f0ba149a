#include "app/learn/predict.h"
#include "app/experiment/devices.h"
#include "app/experiment/link.h"
#include "app/model/access/counts.h"
#include "tests/random_params.h"

#include <gtest/gtest.h>

namespace warplens::test::predict_tests {

namespace {

std::size_t device() { return find_device(device_table(), kDefaultDevice).value(); }

Truth truth(const std::string& link, int instruction, const std::optional<Observation>& seen = {},
            std::optional<double> seen_defaults = {}) {
    const Place place = follow_link(link, initial_state(all_scenarios().front(), device()), device_table());
    return truth_of(place.state, device_table(),
                    gather_evidence(place.state, device_table(), {.recorded = seen}), instruction,
                    seen_defaults);
}

}  // namespace

TEST(Predict, TruthIsTheReports) {
    const Truth strided = truth("global-stride?stride=8&op=load", 0);
    EXPECT_EQ(strided.count.name, "sectors");
    EXPECT_EQ(strided.count.amount, 32);
    EXPECT_EQ(strided.ideal, 4);
    EXPECT_EQ(strided.count.provenance, Provenance::exact);
    EXPECT_FALSE(strided.at_defaults);
    EXPECT_EQ(count_question(strided), "How many sectors does this load need?");
    EXPECT_EQ(truth("shared-stride?stride=32", 0).count.name, "wavefronts");
    EXPECT_EQ(truth("shared-stride?stride=32", 0).count.amount, 32);
    EXPECT_EQ(truth("transpose?variant=naive", -1).count.name, "") << "all instructions: nothing to count";
}

TEST(Predict, TruthIsTheReportsAtRandomSettings) {
    std::mt19937 random(11);
    for (int i = 0; i < 60; ++i) {
        const Scenario& scenario = all_scenarios()[static_cast<std::size_t>(i) % all_scenarios().size()];
        State state = initial_state(scenario, device());
        state.params = small_random_params(scenario, random);
        const Evidence evidence = gather_evidence(state, device_table());
        const Truth true_of = truth_of(state, device_table(), evidence, 0);
        const InstructionReport& row = evidence.report.instructions.front();
        const CostWords cost = cost_of(row.instruction.space, evidence.report.sector_rules);
        EXPECT_EQ(true_of.count.name, cost.name) << scenario.info->id;
        EXPECT_EQ(true_of.speed.amount.value_or(0), evidence.prediction.value);
        if (cost.name.empty()) continue;
        EXPECT_EQ(true_of.count.amount, cost.cost(row.warp)) << scenario.info->id;
    }
}

TEST(Predict, FewerCyclesAreFaster) {
    EXPECT_LT(truth("register-shuffle?way=global", 0).against, 1) << "cycles: more of them are slower";
    EXPECT_EQ(pace_of(truth("register-shuffle?way=global", 0).against), Pace::slower);
    EXPECT_EQ(pace_of(truth("global-stride?element=16", 0).against), Pace::faster);
    EXPECT_TRUE(truth("global-stride", 0).at_defaults);
    EXPECT_FALSE(truth("global-stride", 0).askable({true, true, true}).pace) << "compared with itself";
}

TEST(Predict, SpeedsAreRightWithinTwoAndNearWithinFour) {
    EXPECT_EQ(judge_speed(1000, 1999), Judged::right);
    EXPECT_EQ(judge_speed(2000, 1000), Judged::right);
    EXPECT_EQ(judge_speed(2001, 1000), Judged::near);
    EXPECT_EQ(judge_speed(250, 1000), Judged::near);
    EXPECT_EQ(judge_speed(249, 1000), Judged::off);
    EXPECT_EQ(judge_speed(0, 1000), Judged::off);
}

TEST(Predict, CountsAreExact) {
    EXPECT_EQ(judge_count(4, 4), Judged::right);
    EXPECT_EQ(judge_count(5, 4), Judged::near);
    EXPECT_EQ(judge_count(9, 4), Judged::off);
    EXPECT_EQ(judge_count(0, 0), Judged::right);
}

TEST(Predict, SpeedsAreJudgedByTheGpuWhereItWasAsked) {
    Observation seen;
    seen.point.value = 100;
    seen.provenance = Provenance::recorded;
    const Truth known = truth("global-stride?stride=8&op=load", 0, seen, 400.0);
    EXPECT_DOUBLE_EQ(known.seen_against.value(), 0.25);
    const std::vector<CheckedGuess> rows = compare({32, Pace::slower, 150}, {true, true, true}, known);
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0].model.text, "32");
    EXPECT_EQ(rows[0].judged, Judged::right);
    EXPECT_EQ(rows[0].model.provenance, Provenance::exact);
    EXPECT_EQ(rows[1].judged, Judged::right);
    EXPECT_EQ(rows[1].seen.text, "4× slower");
    EXPECT_EQ(rows[2].judged, Judged::right) << "of 100 seen, whatever the model says";
    EXPECT_EQ(rows[2].seen.provenance, Provenance::recorded);
    EXPECT_EQ(rows[2].model.provenance, Provenance::approximate);
    EXPECT_EQ(compare({{}, {}, 450}, {false, false, true}, known).front().judged, Judged::off);
}

TEST(Predict, WhatWasNotGuessedIsShownWithoutAVerdict) {
    const std::vector<CheckedGuess> rows =
        compare({}, {true, true, true}, truth("global-stride?stride=8&op=load", 0));
    ASSERT_EQ(rows.size(), 3u);
    for (const CheckedGuess& row : rows) EXPECT_FALSE(row.judged.has_value()) << row.model.name;
}

TEST(Predict, NumbersAsPeopleTypeThem) {
    EXPECT_EQ(parse_guess("12"), 12);
    EXPECT_EQ(parse_guess(" 1 024 "), 1024);
    EXPECT_EQ(parse_guess("12.5 %"), 12.5);
    EXPECT_EQ(parse_guess("2,5"), 2.5);
    for (const char* text : {"", "x", "-1", "1x", "1.2.3", "nan", "inf", "1e999"})
        EXPECT_FALSE(parse_guess(text).has_value()) << text;
}

}  // namespace warplens::test::predict_tests
