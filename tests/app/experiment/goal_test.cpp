#include "app/experiment/goal.h"
#include "app/experiment/devices.h"
#include "app/experiment/link.h"

#include <gtest/gtest.h>

namespace warplens::test::goal_tests {

namespace {

class SettingOfLink {
public:
    explicit SettingOfLink(const std::string& link)
        : devices_(device_table()),
          place_(follow_link(
              link, initial_state(all_scenarios().front(), find_device(devices_, kDefaultDevice).value()),
              devices_)),
          evidence_(gather_evidence(place_.state, devices_)) {}
    bool holds(const std::string& goal) const {
        return reached(parse_goal(goal), place_.state, evidence_, place_.instruction.value_or(0));
    }
    std::string progress(const std::string& goal) const {
        return progress_text(parse_goal(goal), place_.state, evidence_, place_.instruction.value_or(0));
    }

private:
    std::vector<DeviceFacts> devices_;
    Place place_;
    Evidence evidence_;
};

}  // namespace

TEST(Goal, LooksAtCountsKnobsAndPlaces) {
    const SettingOfLink eight("global-stride?stride=8&op=load");
    EXPECT_TRUE(eight.holds("sectors = 32"));
    EXPECT_FALSE(eight.holds("sectors = 31"));
    EXPECT_TRUE(
        eight.holds("sectors >= 32, stride = 8, op = load, scenario = global-stride, board = access"));
    EXPECT_FALSE(eight.holds("sectors >= 32, stride = 7"));
    EXPECT_TRUE(eight.holds("share = 12.5"));
    EXPECT_TRUE(eight.holds("share < 12.6, share > 12.4, share <= 12.5"));
    EXPECT_TRUE(eight.holds("excess = 28"));
    EXPECT_TRUE(eight.holds("speed > 100"));
    EXPECT_TRUE(eight.holds("elements = 2^25"));
    EXPECT_FALSE(eight.holds("wavefronts = 1")) << "global memory has no such number";
    EXPECT_FALSE(eight.holds("scenario = transpose"));
    EXPECT_FALSE(eight.holds("op = store"));
    EXPECT_FALSE(eight.holds("op = nonsense"));
}

TEST(Goal, CountsTheRequestInFront) {
    EXPECT_TRUE(SettingOfLink("transpose?variant=naive&instruction=0").holds("sectors = 4"));
    EXPECT_TRUE(SettingOfLink("transpose?variant=naive&instruction=1").holds("sectors = 32"));
    EXPECT_TRUE(SettingOfLink("transpose?variant=tile&instruction=2").holds("wavefronts = 32, excess = 31"));
    EXPECT_TRUE(SettingOfLink("transpose?variant=padded&instruction=all").holds("excess = 0"));
}

TEST(Goal, KnowsKnobsOfBoards) {
    EXPECT_TRUE(SettingOfLink("?board=occupancy&occupancy.registers=32").holds("occupancy.registers <= 32"));
    EXPECT_FALSE(SettingOfLink("?board=occupancy&occupancy.registers=33").holds("occupancy.registers <= 32"));
}

TEST(Goal, SaysHowFarItIs) {
    const SettingOfLink four("global-stride?stride=4&op=load");
    EXPECT_EQ(four.progress("sectors = 32, stride = 8"), "sectors: 16");
    EXPECT_EQ(four.progress("stride = 8"), "");
}

TEST(Goal, WhatCannotBeReadIsSaid) {
    for (const char* text : {"", "sectors", "= 4", "sectors =", "sectors 4", "sectors = 4, lines"}) {
        EXPECT_THROW(parse_goal(text), std::runtime_error) << text;
    }
}

}  // namespace warplens::test::goal_tests
