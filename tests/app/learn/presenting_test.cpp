#include "app/learn/presenting.h"

#include <gtest/gtest.h>

#include <set>

namespace warplens::test::presenting_tests {

// A clicker goes forward through everything, and the same way back.
TEST(Presenting, ATalkPassesEveryStopOnceAndComesBackTheSameWay) {
    std::vector<Talk> way{{&all_scenarios().front(), stops_of(all_scenarios().front()).front().params}};
    std::set<const Scenario*> seen{way.front().scenario};
    while (true) {
        const Talk next = next_stop(*way.back().scenario, way.back().params, 1);
        if (next.scenario == nullptr) break;
        ASSERT_LT(way.size(), 1000u) << "it goes round";
        seen.insert(next.scenario);
        way.push_back(next);
    }
    EXPECT_EQ(seen.size(), all_scenarios().size());
    std::size_t stops = 0;
    for (const Scenario& scenario : all_scenarios()) stops += stops_of(scenario).size();
    EXPECT_EQ(way.size(), stops);
    for (std::size_t i = way.size(); i-- > 1;) {
        const Talk before = next_stop(*way[i].scenario, way[i].params, -1);
        ASSERT_EQ(before.scenario, way[i - 1].scenario) << i;
        EXPECT_EQ(before.params, way[i - 1].params) << i;
    }
    EXPECT_EQ(next_stop(*way.front().scenario, way.front().params, -1).scenario, nullptr);
}

TEST(Presenting, FromASettingOfOnesOwnItBeginsWithTheFirstStop) {
    const Scenario& scenario = *find_scenario("global-stride");
    Params own = scenario.info->defaults;
    own.stride = 7;
    own.offset = 3;
    ASSERT_EQ(stop_at(stops_of(scenario), own), -1);
    for (const int direction : {1, -1}) {
        const Talk next = next_stop(scenario, own, direction);
        EXPECT_EQ(next.scenario, &scenario);
        EXPECT_EQ(next.params, stops_of(scenario).front().params);
    }
}

TEST(Presenting, StopsOfAScenarioDiffer) {
    for (const Scenario& scenario : all_scenarios()) {
        const std::vector<Stop> stops = stops_of(scenario);
        ASSERT_FALSE(stops.empty()) << scenario.info->id;
        EXPECT_GE(stop_at(stops, scenario.info->defaults), 0) << scenario.info->id;
        for (std::size_t i = 0; i < stops.size(); ++i)
            EXPECT_EQ(stop_at(stops, stops[i].params), static_cast<int>(i))
                << scenario.info->id << ": " << stops[i].name << " is set by an earlier one, too";
    }
}

}  // namespace warplens::test::presenting_tests
