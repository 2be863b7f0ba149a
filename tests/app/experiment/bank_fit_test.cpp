#include "app/experiment/evidence.h"
#include "app/experiment/plot.h"

#include "app/experiment/devices.h"
#include "tests/devices.h"

#include <gtest/gtest.h>

namespace warplens::test::bank_fit_tests {
namespace {

Timing cycles(double value) {
    Timing timing;
    timing.bank_cycles = value;
    timing.bank_cycles_lower = 0.99 * value;
    timing.bank_cycles_upper = 1.01 * value;
    return timing;
}

TEST(BankFit, GathersWhatWasMeasuredOfTheScenarioAlone) {
    const Scenario& scenario = *find_scenario("shared-stride");
    const State state = initial_state(scenario, 0);  // stride 2
    Measurements measurements;
    for (const int stride : {1, 2, 4, 32}) {
        Params there = state.params;
        there.stride = stride;
        measurements.add({1, {"shared-stride", there}, cycles(1.1 * stride + 0.5)});
    }
    Params other = state.params;
    other.stride = 3;
    measurements.add({1, {"shared-stride", other}, Unavailable{"no"}});
    measurements.add({1, {"shared-broadcast", find_scenario("shared-broadcast")->info->defaults}, cycles(9)});
    const FitPlot plot = bank_fit(state, measurements, h200(), {Provenance::measured, "this GPU"}, "");
    ASSERT_EQ(plot.points.size(), 4u);
    for (std::size_t i = 1; i < 4; ++i) EXPECT_LT(plot.points[i - 1].wavefronts, plot.points[i].wavefronts);
    EXPECT_EQ(plot.points[3].wavefronts, 32);
    EXPECT_EQ(plot.points[3].setting, "stride=32");
    EXPECT_EQ(plot.points[3].params.stride, 32);
    EXPECT_TRUE(plot.points[1].here);
    EXPECT_FALSE(plot.points[0].here);
    ASSERT_TRUE(plot.fit);
    EXPECT_NEAR(plot.fit->slope, 1.1, 1e-9);
    EXPECT_NEAR(plot.fit->intercept, 0.5, 1e-9);
    EXPECT_EQ(plot.measured_on.gpu, "this GPU");
    EXPECT_EQ(plot.no_measurement, "");
}

TEST(BankFit, SaysWhyThereAreNoPoints) {
    const State state = initial_state(*find_scenario("shared-stride"), 0);
    EXPECT_EQ(bank_fit(state, Measurements(), h200(), {}, "no GPU").no_measurement, "no GPU");
    EXPECT_NE(bank_fit(state, Measurements(), h200(), {Provenance::measured, "this GPU"}, "").no_measurement,
              "");
    EXPECT_FALSE(bank_fit(state, Measurements(), h200(), {Provenance::measured, "this GPU"}, "").fit);
}

}  // namespace
}  // namespace warplens::test::bank_fit_tests
