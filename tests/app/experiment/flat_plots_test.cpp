// A plot shows something: its values differ, or it says in words that they do not.
#include "app/experiment/evidence.h"
#include "app/experiment/plot.h"
#include "app/experiment/recordings.h"
#include "app/figures/export_job.h"
#include "tests/app/pictures/kit/pictures_of_settings.h"
#include "tests/random_params.h"
#include "tests/sample.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace warplens::test::flat_plots_tests {
namespace {

/// The lowest value over the highest one, of the model and of all recordings.
double flatness(const Curve& curve) {
    double least = 1e300, most = 0;
    const auto see = [&](double value) {
        if (value <= 0) return;
        least = std::min(least, value);
        most = std::max(most, value);
    };
    for (const Prediction& one : curve.model) see(one.value);
    for (const MeasuredSeries& series : curve.series)
        for (const MeasuredPoint& point : series.points) see(point.value);
    return most > 0 ? least / most : 1;
}

bool says_why(const Picture& picture) {
    return std::ranges::any_of(picture.shapes, [](const Shape& shape) {
        const auto* label = std::get_if<Label>(&shape);
        return label != nullptr && label->text.starts_with("the same for any");
    });
}

TEST(FlatPlots, EveryScenarioAndPresetHasAPlotThatChangesOrSaysWhyItDoesNot) {
    constexpr double kAlike = 0.95;
    const std::vector<DeviceFacts>& devices = all_devices();
    const std::size_t device = find_device(devices, kDefaultDevice).value();
    const Recordings recordings = open_figure_recordings({}, devices);
    int plots = 0;
    for (const Scenario& scenario : all_scenarios()) {
        State state = initial_state(scenario, device);
        if (state.axis == nullptr) continue;
        const auto check = [&](std::string_view name) {
            SCOPED_TRACE(fmt::format("{} {}, {}", scenario.info->id, name, state.axis->key));
            const Evidence evidence = gather_evidence(state, devices);
            Curve curve = model_curve(state, devices, evidence.prediction);
            if (!plots_sectors(state))
                curve.series =
                    recordings.series(scenario, state.params, *state.axis, {&devices, device, false});
            ++plots;
            if (flatness(curve) < kAlike) return;
            for (const Vec2 size : {Vec2{376, 260}, Vec2{632, 290}, Vec2{960, 400}}) {
                Style style = style_of(ThemeName::light, size);
                style.embedded = true;
                EXPECT_TRUE(says_why(draw_bandwidth(curve, style))) << size.x << " x " << size.y;
            }
        };
        check("");
        for (const Preset& preset : scenario.info->presets) {
            state.params = preset_params(scenario, preset);
            check(preset.name);
        }
    }
    EXPECT_GT(plots, 60);
}

// What decides how long the filter takes is the same at every setting; what it fetches is not.
TEST(FlatPlots, TheFiltersPlotShowsSectorsAndSaysThatItsSpeedStays) {
    const std::vector<DeviceFacts>& devices = all_devices();
    State state =
        initial_state(*find_scenario("texture-filter"), find_device(devices, kDefaultDevice).value());
    const Evidence evidence = gather_evidence(state, devices);
    const Curve sectors = model_curve(state, devices, evidence.prediction);
    EXPECT_EQ(sectors.speed_unit, SpeedUnit::sectors);
    EXPECT_LT(flatness(sectors), 0.5);
    EXPECT_TRUE(sectors.note.whole().starts_with("○ ") &&
                sectors.note.whole().ends_with("GB/s at any zoom: limited by block launch overhead"))
        << sectors.note.whole();
    state.plots_speed = true;
    const Curve speed = model_curve(state, devices, evidence.prediction);
    EXPECT_EQ(speed.speed_unit, SpeedUnit::gb_per_s);
    EXPECT_GT(flatness(speed), 0.95);
    EXPECT_EQ(speed.note.text, "");
    // The note looks at some settings of the axis; what it says holds at all of them.
    std::mt19937 random(seed(9));
    for (int trial = 0; trial < 20; ++trial) {
        state.params = random_params(*state.scenario, random);
        const Prediction here = gather_evidence(state, devices).prediction;
        state.plots_speed = false;
        const bool flat = !model_curve(state, devices, here).note.text.empty();
        state.plots_speed = true;
        EXPECT_EQ(flat, flatness(model_curve(state, devices, here)) >= 0.96)
            << describe_settings(*state.scenario, state.params);
    }
}

}  // namespace
}  // namespace warplens::test::flat_plots_tests
