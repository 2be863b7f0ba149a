#include "app/experiment/heatmap_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace warplens {
namespace {

/// The index of the nearest value in a list, for distances.
int place_of(const std::vector<int>& values, int value) {
    const auto nearest = std::ranges::min_element(values, {}, [&](int v) { return std::abs(v - value); });
    return int(nearest - values.begin());
}

/// Why a setting is impossible although each knob alone allows it: the limit of one depends on the other.
std::string why_not(const CellsQuestion& question, const Params& wanted, const Params& clamped) {
    const Knob& knob = wanted.*question.x->field != clamped.*question.x->field ? *question.x : *question.y;
    return fmt::format("not possible: {} takes {} here", knob.label, describe_range(knob, clamped));
}

}  // namespace

std::vector<int> grid_values(const Knob& knob, const Params& params, std::size_t most) {
    const std::vector<int> all = axis_values(knob, params);
    std::vector<int> chosen = all;
    for (int step = 2; chosen.size() > most; step *= 2) {
        chosen.clear();
        for (std::size_t i = 0; i < all.size(); ++i) {
            const int number = knob.kind == KnobKind::slider ? all[i] : int(i);
            if (number % step == 0) chosen.push_back(all[i]);
        }
    }
    return chosen.empty() ? std::vector<int>{all.front()} : chosen;
}

HeatmapAxes heatmap_axes(const Knob& x, const Knob& y, const Params& params) {
    const std::size_t columns = std::min(axis_values(x, params).size(), kUsualColumns);
    HeatmapAxes axes;
    axes.rows = grid_values(y, params, std::clamp(kMostCells / columns, kUsualRows, 2 * kUsualRows));
    axes.columns =
        grid_values(x, params, std::clamp(kMostCells / axes.rows.size(), kUsualColumns, 2 * kUsualColumns));
    return axes;
}

Params CellsQuestion::wanted(std::size_t index, Params now) const {
    now.*x->field = axes.columns[index % axes.columns.size()];
    now.*y->field = axes.rows[index / axes.columns.size()];
    return now;
}

Params CellsQuestion::params_of(std::size_t index, const Params& now) const {
    Params there = wanted(index, now);
    clamp_knobs(*setting.scenario, there);
    return there;
}

bool CellsQuestion::exists(std::size_t index) const {
    const Params named = wanted(index, setting.params), there = params_of(index, setting.params);
    return there.*x->field == named.*x->field && there.*y->field == named.*y->field;
}

CellsQuestion cells_question(const State& state) {
    return {along_axes(state, {state.axis, state.second_axis}), state.axis, state.second_axis,
            heatmap_axes(*state.axis, *state.second_axis, state.params)};
}

Heatmap empty_heatmap(const CellsQuestion& question, const DeviceFacts& device) {
    const Setting& setting = question.setting;
    Heatmap map{.x_knob = question.x, .y_knob = question.y, .gpu = device.name};
    map.speed_unit = speed_unit_of(*setting.scenario->info, setting.params);
    map.caption = describe_settings(*setting.scenario, setting.params);
    for (const int value : question.axes.columns) map.x.push_back(axis_position(*question.x, value));
    for (const int value : question.axes.rows) map.y.push_back(axis_position(*question.y, value));
    map.cells.resize(question.size());
    return map;
}

void fill_cell(Heatmap& map, const CellsQuestion& question, std::size_t index, const DeviceFacts& device) {
    const Scenario& scenario = *question.setting.scenario;
    const Params &now = question.setting.params, there = question.params_of(index, now);
    HeatmapCell& cell = map.cells[index];
    cell.known = true;
    if (!question.exists(index)) {
        cell.refused = why_not(question, question.wanted(index, now), there);
        return;
    }
    cell.model = predict(scenario, there, device, question.setting.cold);
    cell.refused = does_not_fit(scenario, there, device);
}

Heatmap heatmap_of(const State& state, Heatmap cells) {
    cells.show = state.heatmap_show;
    cells.log_colors = state.log_colors;
    cells.here_x = axis_position(*state.axis, state.params.*state.axis->field);
    cells.here_y = axis_position(*state.second_axis, state.params.*state.second_axis->field);
    return cells;
}

Heatmap all_cells(const State& state, const DeviceFacts& device) {
    const CellsQuestion question = cells_question(state);
    Heatmap map = empty_heatmap(question, device);
    for (std::size_t index = 0; index < map.cells.size(); ++index) fill_cell(map, question, index, device);
    return heatmap_of(state, std::move(map));
}

std::vector<Params> cell_settings(const State& state) {
    const CellsQuestion question = cells_question(state);
    const int columns = int(question.axes.columns.size());
    const int here_column = place_of(question.axes.columns, state.params.*state.axis->field),
              here_row = place_of(question.axes.rows, state.params.*state.second_axis->field);
    std::vector<std::size_t> near(question.size());
    std::iota(near.begin(), near.end(), std::size_t{0});
    std::ranges::stable_sort(near, {}, [&](std::size_t index) {
        const int column = int(index) % columns - here_column, row = int(index) / columns - here_row;
        return column * column + row * row;
    });
    std::vector<Params> settings{state.params};
    for (const std::size_t index : near) {
        const Params there = question.params_of(index, state.params);
        if (question.exists(index) && there != state.params) settings.push_back(there);
    }
    return settings;
}

void add_measured(Heatmap& map, const State& state, const Measurements& measurements,
                  const DeviceFacts& device, const MeasuredOn& on) {
    const CellsQuestion question = cells_question(state);
    for (std::size_t index = 0; index < map.cells.size(); ++index) {
        if (!question.exists(index)) continue;
        const Params there = question.params_of(index, state.params);
        const auto* timing = std::get_if<Timing>(measurements.find(*state.scenario, there));
        if (timing == nullptr) continue;
        map.cells[index].measured = measured_point(*state.scenario, there, *timing, device);
        map.measured_on = on;
    }
}

const Knob* usual_second_axis(const Scenario& scenario, const Knob* first) {
    const Knob* any = nullptr;
    for (const Knob& knob : scenario.info->knobs) {
        if (&knob == first || !can_be_axis(scenario, knob)) continue;
        if (knob.axis) return &knob;
        if (any == nullptr) any = &knob;
    }
    return any;
}

}  // namespace warplens
