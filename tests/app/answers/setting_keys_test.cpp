// Answers about settings: kept ones equal fresh ones, whatever was asked before.
#include "app/answers/setting_keys.h"

#include "app/experiment/devices.h"
#include "app/experiment/quantities.h"
#include "tests/random_states.h"
#include "tests/sample.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

namespace warplens::test::setting_keys_tests {
namespace {

/// A step of a random walk: another value of one field of what is set, or another scenario.
void step(State& state, const Devices& devices, std::mt19937& random) {
    const auto any = [&](std::size_t count) { return random() % count; };
    switch (any(12)) {
        case 0:
            state = random_state(all_scenarios()[any(all_scenarios().size())], devices.size(), random);
            break;
        case 1:
            state.device = any(devices.size());
            break;
        case 2:
            state.cold = !state.cold;
            break;
        case 3:
            state.bank_mode =
                state.bank_mode == BankMode::four_bytes ? BankMode::eight_bytes : BankMode::four_bytes;
            break;
        case 4:
            look_at_random(state, random);
            break;
        default: {
            const auto knobs = state.scenario->info->knobs;
            const Knob& knob = knobs[any(knobs.size())];
            const std::vector<int> values = axis_values(knob, state.params);
            state.params = with_knob(*state.scenario, state.params, knob, values[any(values.size())]);
        }
    }
    state.compared.reset();
}

std::vector<double> values_of(const std::vector<Prediction>& all) {
    std::vector<double> values;
    for (const Prediction& one : all) values.push_back(one.value);
    return values;
}

std::vector<double> values_of(const Heatmap& map) {
    std::vector<double> values;
    for (const HeatmapCell& cell : map.cells) values.push_back(cell.model.value);
    return values;
}

/// All numbers as they are shown.
std::string texts_of(const Evidence& evidence) {
    std::string texts;
    for (const auto& scopes : evidence.counts)
        for (const auto& rows : scopes)
            for (const Quantity& row : rows) texts += row.key + ' ' + row.text + '\n';
    for (const auto* rows : {&evidence.predicted, &evidence.launch})
        for (const Quantity& row : *rows) texts += row.key + ' ' + row.text + '\n';
    return texts;
}

// A sample, and 10,000 steps with WARPLENS_ALL set.
TEST(SettingKeys, KeptEqualsFreshOverARandomWalk) {
    const auto table = std::make_shared<const Devices>(device_table());
    Store store(
        JobsRun::at_once, [] {}, std::size_t{4} << 20);  // so few bytes that some are forgotten
    std::mt19937 random(11);
    State state = initial_state(all_scenarios().front(), 0);
    const int steps = all_cases() ? 10'000 : 400;
    for (int i = 0; i < steps; ++i) {
        step(state, *table, random);
        store.advance();
        const Ready<Evidence> kept = evidence_of(store, state, table);
        EXPECT_EQ(kept->setting, static_cast<const Setting&>(state));
        const bool looked_at = i % 20 == 0;  // to ask afresh takes time
        if (looked_at) {
            Devices devices = *table;
            set_bank_mode(devices, state.bank_mode);
            const Evidence fresh = gather_evidence(state, devices);
            EXPECT_EQ(kept->prediction.value, fresh.prediction.value);
            EXPECT_EQ(texts_of(*kept), texts_of(fresh));
            if (state.axis != nullptr) {
                const Ready<AxisModel> axis = known_of(store.get(AxisKey{axis_question(state), table}));
                const Curve curve = model_curve(state, devices, fresh.prediction);
                EXPECT_EQ(values_of(axis->points), values_of(curve.model)) << state.scenario->info->id;
            }
        }
        if (i % 200 == 0 && has_heatmap(state)) {
            Devices devices = *table;
            set_bank_mode(devices, state.bank_mode);
            const Ready<Heatmap> cells = known_of(store.get(CellsKey{cells_question(state), table}));
            EXPECT_EQ(values_of(*cells), values_of(all_cells(state, devices[state.device])))
                << state.scenario->info->id;
        }
        if (testing::Test::HasFailure()) break;
    }
}

// Review D1: the numbers changed and the heatmap stayed.
TEST(SettingKeys, AHeatmapFollowsTheBankMode) {
    const auto table = std::make_shared<const Devices>(device_table());
    const Scenario& scenario = *find_scenario("shared-stride");
    State state = initial_state(scenario, find_device(*table, "K80").value());
    state.params.element_bytes = 8;
    state.axis = find_knob(scenario, "stride");
    state.second_axis = find_knob(scenario, "offset");
    Store store(JobsRun::at_once);
    const auto cells = [&] { return known_of(store.get(CellsKey{cells_question(state), table})); };
    const std::vector<double> four = values_of(*cells());
    state.bank_mode = BankMode::eight_bytes;
    EXPECT_NE(values_of(*cells()), four);
}

TEST(SettingKeys, AMapOfTheGridIsKeptWhileThePictureAloneChanges) {
    const auto table = std::make_shared<const Devices>(device_table());
    State state = initial_state(*find_scenario("transpose"), find_device(*table, "K80").value());
    Store store(JobsRun::at_once);
    const auto map = [&](int instruction) {
        return known_of(store.get(grid_map_key(state, instruction, table)));
    };
    const Ready<GridMap> first = map(1);
    state.params.warp = 99;
    state.cold = true;
    EXPECT_EQ(map(1), first);
    EXPECT_NE(map(-1), first);
    EXPECT_EQ(map(99), map(state.scenario->instruction_count(state.params) - 1));
    state.bank_mode = BankMode::eight_bytes;
    EXPECT_NE(map(1), first);
}

TEST(SettingKeys, TheKnobOfAnAxisMakesNoNewAxis) {
    const auto table = std::make_shared<const Devices>(device_table());
    State state = initial_state(*find_scenario("global-stride"), 0);
    Store store(JobsRun::at_once);
    const Ready<AxisModel> axis = known_of(store.get(AxisKey{axis_question(state), table}));
    for (state.params.stride = 1; state.params.stride < 20; ++state.params.stride)
        EXPECT_EQ(known_of(store.get(AxisKey{axis_question(state), table})), axis);
}

}  // namespace
}  // namespace warplens::test::setting_keys_tests
