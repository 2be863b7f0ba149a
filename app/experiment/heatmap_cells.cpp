#include "app/experiment/heatmap_cells.h"

#include "app/experiment/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace warplens {
namespace {

/// The knobs that cells depend on, as one comparable value.
Params key_of(const State& state) {
    Params key = state.params;
    for (const Knob& knob : state.scenario->info->knobs) {
        if (knob.picture_only || &knob == state.axis || &knob == state.second_axis)
            key.*knob.field = state.scenario->info->defaults.*knob.field;
    }
    return key;
}

/// The index of the nearest value in a list, for distances.
int place_of(const std::vector<int>& values, int value) {
    const auto nearest = std::ranges::min_element(values, {}, [&](int v) { return std::abs(v - value); });
    return int(nearest - values.begin());
}

/// Why a setting is impossible although each knob alone allows it: the limit of one depends on the other.
std::string why_not(const State& state, const Params& wanted, const Params& clamped) {
    const Knob& knob =
        wanted.*state.axis->field != clamped.*state.axis->field ? *state.axis : *state.second_axis;
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

void HeatmapCells::set(const State& state, const DeviceFacts& device) {
    const bool keep = state_.scenario == state.scenario && state_.axis == state.axis &&
                      state_.second_axis == state.second_axis && state_.device == state.device &&
                      state_.cold == state.cold && device_.name == device.name && key_ == key_of(state) &&
                      axes_ == heatmap_axes(*state.axis, *state.second_axis, state.params);
    state_ = state;
    if (!keep) start_over(state, device);
    map_.show = state.heatmap_show;
    map_.log_colors = state.log_colors;
    map_.caption = describe_settings(*state.scenario, key_);
    map_.here_x = axis_position(*state.axis, state.params.*state.axis->field);
    map_.here_y = axis_position(*state.second_axis, state.params.*state.second_axis->field);
    sort_cells();
}

void HeatmapCells::start_over(const State& state, const DeviceFacts& device) {
    key_ = key_of(state);
    device_ = device;
    axes_ = heatmap_axes(*state.axis, *state.second_axis, state.params);
    map_ = {.x_knob = state.axis, .y_knob = state.second_axis, .gpu = device.name};
    map_.speed_unit = speed_unit_of(*state.scenario->info, state.params);
    for (const int value : axes_.columns) map_.x.push_back(axis_position(*state.axis, value));
    for (const int value : axes_.rows) map_.y.push_back(axis_position(*state.second_axis, value));
    map_.cells.resize(axes_.columns.size() * axes_.rows.size());
}

void HeatmapCells::sort_cells() {
    const int here_column = place_of(axes_.columns, state_.params.*state_.axis->field),
              here_row = place_of(axes_.rows, state_.params.*state_.second_axis->field);
    const auto distance = [&](std::size_t index) {
        const int column = int(index % axes_.columns.size()) - here_column,
                  row = int(index / axes_.columns.size()) - here_row;
        return column * column + row * row;
    };
    near_.resize(map_.cells.size());
    std::iota(near_.begin(), near_.end(), std::size_t{0});
    std::ranges::stable_sort(near_, {}, distance);
    order_.clear();
    std::ranges::copy_if(near_, std::back_inserter(order_),
                         [&](std::size_t index) { return !map_.cells[index].known; });
    next_ = 0;
}

/// The setting that the axes name, possible or not.
Params HeatmapCells::wanted_of(std::size_t index) const {
    Params there = state_.params;
    there.*state_.axis->field = axes_.columns[index % axes_.columns.size()];
    there.*state_.second_axis->field = axes_.rows[index / axes_.columns.size()];
    return there;
}

Params HeatmapCells::params_of(std::size_t index) const {
    Params there = wanted_of(index);
    clamp_knobs(*state_.scenario, there);
    return there;
}

bool HeatmapCells::cell_exists(std::size_t index) const {
    const Params there = params_of(index), wanted = wanted_of(index);
    return there.*state_.axis->field == wanted.*state_.axis->field &&
           there.*state_.second_axis->field == wanted.*state_.second_axis->field;
}

bool HeatmapCells::fill_next() {
    if (complete()) return false;
    const std::size_t index = order_[next_++];
    HeatmapCell& cell = map_.cells[index];
    const Params there = params_of(index);
    cell.known = true;
    if (!cell_exists(index)) {
        cell.refused = why_not(state_, wanted_of(index), there);
        return !complete();
    }
    cell.model = predict(*state_.scenario, there, device_, state_.cold);
    const LaunchShape shape = state_.scenario->launch(there);
    cell.refused = does_not_fit(device_, shape.block.x * shape.block.y, shape.shared_bytes);
    return !complete();
}

std::vector<Params> HeatmapCells::settings() const {
    std::vector<Params> settings{state_.params};
    for (const std::size_t index : near_) {
        const Params there = params_of(index);
        if (cell_exists(index) && there != state_.params) settings.push_back(there);
    }
    return settings;
}

void HeatmapCells::set_measured(const Measurements& measurements, const DeviceFacts& device,
                                const MeasuredOn& on) {
    bool any = false;
    for (std::size_t index = 0; index < map_.cells.size(); ++index) {
        HeatmapCell& cell = map_.cells[index];
        cell.measured.reset();
        if (!cell_exists(index)) continue;
        const Params there = params_of(index);
        const auto* timing = std::get_if<Timing>(measurements.find(*state_.scenario, there));
        if (timing == nullptr) continue;
        cell.measured = measured_point(*state_.scenario, there, *timing, device);
        any = true;
    }
    map_.measured_on = any ? on : MeasuredOn{};
    map_.no_measurement.clear();
}

void HeatmapCells::set_unmeasured(std::string why) {
    for (HeatmapCell& cell : map_.cells) cell.measured.reset();
    map_.measured_on = {};
    map_.no_measurement = std::move(why);
}

HeatmapCells all_cells(const State& state, const DeviceFacts& device) {
    HeatmapCells cells;
    cells.set(state, device);
    while (cells.fill_next()) {
    }
    return cells;
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
