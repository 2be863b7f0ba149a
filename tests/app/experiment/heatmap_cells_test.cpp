#include "app/experiment/heatmap_cells.h"

#include "app/experiment/devices.h"
#include "app/experiment/evidence.h"
#include "tests/devices.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warplens::test::heatmap_cells_tests {
namespace {

State two_axes(const char* id, const char* x, const char* y) {
    const Scenario& scenario = *find_scenario(id);
    State state = initial_state(scenario, 0);
    state.axis = find_knob(scenario, x);
    state.second_axis = find_knob(scenario, y);
    return state;
}

std::vector<int> grid(const char* id, const char* key, std::size_t most) {
    const Scenario& scenario = *find_scenario(id);
    return grid_values(*find_knob(scenario, key), scenario.info->defaults, most);
}

TEST(GridValues, AreAllOrMultiplesOfAPowerOfTwo) {
    EXPECT_EQ(grid("global-stride", "stride", 65).size(), 65u);
    EXPECT_EQ(grid("global-stride", "stride", 33)[1], 2);
    EXPECT_EQ(grid("shared-tile", "width", 33), ([] {
                  std::vector<int> even;
                  for (int i = 2; i <= 64; i += 2) even.push_back(i);
                  return even;
              }()))
        << "1 to 64: not the odd ones";
    for (const int size : grid("transpose", "matrix", 33)) EXPECT_EQ(size % 512, 0);
    EXPECT_EQ(grid("global-stride", "element", 33), (std::vector<int>{1, 2, 4, 8, 16}));
}

TEST(HeatmapCells, EachIsThePredictionOfItsSetting) {
    State state = two_axes("shared-tile", "padding", "walk");
    state.params.element_bytes = 8;
    const Heatmap map = all_cells(state, h200());
    ASSERT_EQ(map.cells.size(), map.x.size() * map.y.size());
    for (std::size_t i = 0; i < map.cells.size(); ++i) {
        Params there = state.params;
        there.padding = static_cast<int>(map.x[i % map.x.size()]);
        there.walk = static_cast<int>(map.y[i / map.x.size()]);
        EXPECT_TRUE(map.cells[i].known);
        EXPECT_EQ(map.cells[i].model.value, predict(*state.scenario, there, h200()).value) << i;
    }
    EXPECT_EQ(map.caption, "element=8") << "the axes are no part of it";
}

TEST(HeatmapCells, AreNeverTooMany) {
    for (const Scenario& scenario : all_scenarios()) {
        for (const Knob& x : scenario.info->knobs) {
            for (const Knob& y : scenario.info->knobs) {
                if (&x == &y || !can_be_axis(scenario, x) || !can_be_axis(scenario, y)) continue;
                const HeatmapAxes axes = heatmap_axes(x, y, scenario.info->defaults);
                EXPECT_LE(axes.columns.size() * axes.rows.size(), kMostCells) << scenario.info->id;
                EXPECT_GE(axes.columns.size() * axes.rows.size(), 1u);
            }
        }
    }
}

TEST(HeatmapCells, TheNearestSettingsComeFirst) {
    State state = two_axes("global-stride", "stride", "element");
    state.params.stride = 20;
    const std::vector<Params> settings = cell_settings(state);
    ASSERT_EQ(settings.size(), cells_question(state).size());
    EXPECT_EQ(settings[0], state.params) << "the present one leads";
    const auto distance = [&](const Params& p) {
        return std::hypot(p.stride - 20, std::log2(p.element_bytes) - 2);
    };
    for (std::size_t i = 1; i < settings.size(); ++i)
        EXPECT_LE(distance(settings[i - 1]), distance(settings[i]) + 1e-9);
}

TEST(HeatmapCells, AreTheSameWhereverTheAxesStand) {
    State state = two_axes("global-stride", "stride", "element");
    const CellsQuestion question = cells_question(state);
    state.params.stride = 7;  // both axes and what only chooses the picture
    state.params.element_bytes = 16;
    state.params.warp = 3;
    EXPECT_EQ(cells_question(state), question);
    EXPECT_EQ(all_cells(state, h200()).here_x, 7);
    state.params.offset = 1;
    EXPECT_NE(cells_question(state), question);
    state.params.offset = 0;
    state.bank_mode = BankMode::eight_bytes;  // was forgotten when fields were listed by hand
    EXPECT_NE(cells_question(state), question);
    state.bank_mode = BankMode::four_bytes;
    std::swap(state.axis, state.second_axis);
    EXPECT_NE(cells_question(state), question);
}

TEST(HeatmapCells, SayWhatCannotBe) {
    const State state = two_axes("transpose", "tile", "block_rows");
    const CellsQuestion cells = cells_question(state);
    const Heatmap map = all_cells(state, h200());
    int refused = 0;
    for (std::size_t i = 0; i < map.cells.size(); ++i) {
        const bool possible = map.y[i / map.x.size()] <= map.x[i % map.x.size()];
        EXPECT_EQ(cells.exists(i), possible);
        if (!possible) {
            ++refused;
            EXPECT_NE(map.cells[i].refused.find("Block rows takes one of"), std::string::npos)
                << map.cells[i].refused;
        }
    }
    for (const Params& params : cell_settings(state)) EXPECT_LE(params.block_rows, params.tile);
    EXPECT_GT(refused, 0);
}

TEST(HeatmapCells, SayWhatTheDeviceCannotRun) {
    DeviceFacts small = h200();
    small.shared_per_block_bytes = 16 * 1024;
    const Heatmap map = all_cells(two_axes("shared-stride", "stride", "element"), small);
    for (std::size_t i = 0; i < map.cells.size(); ++i) {
        const double bytes = (31 * map.x[i % map.x.size()] + 1) * map.y[i / map.x.size()];
        EXPECT_EQ(map.cells[i].refused.empty(), bytes <= 16 * 1024) << i;
    }
}

TEST(HeatmapCells, MeasuredValuesStandInTheirCells) {
    const State state = two_axes("global-stride", "stride", "element");
    Measurements measurements;
    Params there = state.params;
    there.stride = 3;
    there.element_bytes = 8;
    Timing timing;
    timing.median_us = timing.lower_us = timing.upper_us = 100;
    timing.useful_bytes = 2e8;
    measurements.add({1, {"global-stride", there}, timing});
    Heatmap map = all_cells(state, h200());
    add_measured(map, state, measurements, h200(), {Provenance::measured, "this GPU"});
    ASSERT_EQ(map.measured_cells(), 1u);
    const HeatmapCell& cell = map.cells[3 * map.x.size() + 3];
    ASSERT_TRUE(cell.measured);
    EXPECT_DOUBLE_EQ(cell.measured->value, 2000);
    EXPECT_EQ(map.measured_on.gpu, "this GPU");
    EXPECT_EQ(measurements.jobs(*state.scenario, cell_settings(state), false).size(), map.cells.size() - 1);
    EXPECT_EQ(measurements.jobs(*state.scenario, cell_settings(state), true).size(), map.cells.size());
}

}  // namespace
}  // namespace warplens::test::heatmap_cells_tests
