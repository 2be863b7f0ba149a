#include "app/experiment/measurements.h"

#include "app/experiment/devices.h"
#include "tests/devices.h"

#include <gtest/gtest.h>

namespace warplens::test::measurements_tests {

namespace {

Timing timing(double us, double useful_bytes) {
    Timing t;
    t.median_us = us;
    t.lower_us = us * 0.9;
    t.upper_us = us * 1.1;
    t.useful_bytes = useful_bytes;
    return t;
}

}  // namespace

TEST(Measurements, ASettingIsFoundAgainWhateverThePictureShows) {
    const Scenario& scenario = *find_scenario("global-stride");
    Params p = scenario.info->defaults;
    Measurements all;
    EXPECT_EQ(all.find(scenario, p), nullptr);
    all.add({1, {"global-stride", p}, timing(100, 1e6)});
    p.warp = 17;  // chooses the picture only
    ASSERT_NE(all.find(scenario, p), nullptr);
    EXPECT_EQ(std::get<Timing>(*all.find(scenario, p)).median_us, 100);
    p.stride = 2;
    EXPECT_EQ(all.find(scenario, p), nullptr);
    all.add({2, {"no-such-scenario", p}, timing(1, 1)});  // forgotten, not fatal
}

// The padding of a tile that is not padded, say.
TEST(Measurements, ASettingIsFoundAgainWhateverHasNoEffect) {
    int idle = 0;
    for (const Scenario& scenario : all_scenarios()) {
        for (const Preset& preset : scenario.info->presets) {
            const Params p = preset_params(scenario, preset);
            for (const Knob& knob : scenario.info->knobs) {
                Params other = p;
                other.*knob.field =
                    knob.kind == KnobKind::choice ? knob.choices.back().value : knob_limit(knob, p);
                if (other.*knob.field == p.*knob.field || knob.picture_only) continue;
                const bool none = !why_idle(knob, p).empty() && !why_idle(knob, other).empty();
                const bool some = why_idle(knob, p).empty() && why_idle(knob, other).empty();
                Measurements all;
                all.add({1, {std::string(scenario.info->id), p}, timing(100, 1e6)});
                const bool found = all.find(scenario, other) != nullptr;
                EXPECT_TRUE(found || !none) << scenario.info->id << knob.key;
                EXPECT_FALSE(found && some) << scenario.info->id << knob.key;
                idle += none ? 1 : 0;
            }
        }
    }
    EXPECT_GT(idle, 10);
}

TEST(Measurements, SharedMemoryIsTimedByThePicturedRequest) {
    const Scenario& scenario = *find_scenario("shared-tile");
    Params p = scenario.info->defaults;
    Measurements all;
    all.add({1, {"shared-tile", p}, Unavailable{"no reason"}});
    EXPECT_NE(all.find(scenario, p), nullptr);
    p.step = 1;
    EXPECT_EQ(all.find(scenario, p), nullptr);
}

TEST(Measurements, JobsBeginHereAndGoOutwardsAndLeaveOutWhatIsKnown) {
    const Scenario& scenario = *find_scenario("global-stride");
    Params p = scenario.info->defaults;
    p.stride = 10;
    const Knob& axis = *find_knob(scenario, "stride");
    Measurements all;
    std::vector<MeasureJob> jobs = all.jobs(scenario, p, &axis);
    ASSERT_EQ(jobs.size(), 65u);
    EXPECT_EQ(jobs[0].params.stride, 10);
    EXPECT_EQ(std::abs(jobs[1].params.stride - 10), 1);
    EXPECT_EQ(std::abs(jobs[64].params.stride - 10), 54);
    all.add({1, jobs[0], timing(1, 1)});
    EXPECT_EQ(all.jobs(scenario, p, &axis).size(), 64u);
}

TEST(Measurements, PointsAreUsefulGigabytesPerSecond) {
    const Scenario& scenario = *find_scenario("global-stride");
    const Params p = scenario.info->defaults;
    const Knob& axis = *find_knob(scenario, "stride");
    Measurements all;
    all.add({1, {"global-stride", p}, timing(100, 2e8)});
    const std::vector<MeasuredPoint> points = all.points(scenario, p, axis, h200());
    ASSERT_EQ(points.size(), 1u);
    EXPECT_EQ(points[0].x, 1);
    EXPECT_DOUBLE_EQ(points[0].value, 2000);  // 0.2 GB in 0.1 ms
    EXPECT_LT(points[0].lower, points[0].value);
    EXPECT_GT(points[0].upper, points[0].value);
}

TEST(Measurements, CyclesPerRequestBecomeWhatAllSmsMove) {
    const Scenario& scenario = *find_scenario("shared-stride");
    const Params p = scenario.info->defaults;  // stride 2: 2 wavefronts for 128 bytes
    Timing t = timing(10, 0);
    t.cycles_per_request = t.cycles_lower = t.cycles_upper = 2;
    EXPECT_NEAR(measured_point(scenario, p, t, h200()).value, predict(scenario, p, h200()).value, 1e-6);
    DeviceFacts half = h200();
    half.sm_count /= 2;
    EXPECT_NEAR(measured_point(scenario, p, t, half).value, measured_point(scenario, p, t, h200()).value / 2,
                1e-6);
}

TEST(Measurements, ARefusalIsTriedAgain) {
    const Scenario& scenario = *find_scenario("global-stride");
    const Params p = scenario.info->defaults;
    Measurements all;
    all.add({1, {"global-stride", p}, Unavailable{"the GPU has too little memory free"}});
    EXPECT_EQ(all.jobs(scenario, p, nullptr).size(), 1u);
}

}  // namespace warplens::test::measurements_tests
