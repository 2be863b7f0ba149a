#include "app/experiment/pipeline.h"

#include "app/model/access/local.h"
#include "app/model/device/caches.h"
#include "app/pictures/kit/axes.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

void add_details(Analysis& analysis, const WarpAccess& access, const DeviceFacts& device) {
    const Space space = access.space;
    analysis.banks.push_back(has_banks(space) ? analyze_banks(access, device.bank_rules) : BankReport{});
    analysis.sectors.push_back(!has_sectors(space) ? SectorReport{}
                               : space == Space::local
                                   ? analyze_sectors(interleave_local(access), local_rules(device))
                                   : analyze_sectors(access, device.sector_rules));
    analysis.constants.push_back(space == Space::constant ? analyze_constant(access) : ConstantReport{});
    analysis.textures.push_back(space == Space::texture ? analyze_texture(access) : TextureReport{});
}

TraceBlock trace_of(const WarpAccess& access, const BankReport& banks) {
    TraceBlock block{};
    const bool shared = has_banks(access.space);
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        const bool active = (access.active >> lane & 1u) != 0;
        block.active[lane] = active;
        block.address_low[lane] = active ? static_cast<std::uint32_t>(access.byte_address[lane]) : 0;
        block.address_high[lane] = active ? static_cast<std::uint32_t>(access.byte_address[lane] >> 32) : 0;
        block.wavefront[lane] = !active ? kTraceInactive : shared ? banks.wavefront[lane] : 0;
    }
    if (!shared) return block;
    for (int group = 0; group < kMaxGroups; ++group) {
        std::copy(banks.words[group].begin(), banks.words[group].end(), block.words[group]);
    }
    return block;
}

/// Where the plot's peak comes from; empty: there is no peak.
std::string peak_source(const Scenario& scenario, const DeviceFacts& device, const Prediction& here) {
    const double sm_hz = device.sm_count * device.clock_mhz * 1e6;
    if (here.peak <= 0 || here.speed_unit == SpeedUnit::cycles) return {};
    if (here.speed_unit == SpeedUnit::gb_per_s && here.shared_memory)
        return fmt::format("SMs × clock × {:.0f} B", here.peak * 1e9 / sm_hz);
    if (scenario.info->kernel == Kernel::chase) return "datasheet, of DRAM";
    return "datasheet";
}

Curve model_curve(const State& state, const DeviceFacts& device, const Prediction& here) {
    Curve curve;
    curve.speed_unit = here.speed_unit;
    curve.knob = state.axis;
    curve.log_axes = state.log_axes;
    curve.gpu = device.name;
    curve.caption = describe_settings(*state.scenario, state.params);
    curve.peak_source = peak_source(*state.scenario, device, here);
    if (state.axis == nullptr) return curve;
    curve.here = axis_position(*state.axis, state.params.*state.axis->field);
    for (const int value : plot_values(*state.axis, state.params)) {
        Params there = state.params;
        there.*state.axis->field = value;
        clamp_knobs(*state.scenario, there);
        curve.x.push_back(axis_position(*state.axis, value));
        curve.model.push_back(predict(*state.scenario, there, device, state.cold));
    }
    for (const CacheEdge& edge : cache_edges(*state.scenario, state.params, *state.axis, device)) {
        if (edge.bytes < curve.x.front() || edge.bytes > curve.x.back()) continue;
        curve.marks.push_back({edge.bytes, fmt::format("{} {}", edge.name, size_text(edge.bytes))});
    }
    return curve;
}

}  // namespace

std::vector<int> axis_values(const Knob& knob, const Params& params) {
    std::vector<int> values;
    const int limit = std::max(knob.min, knob_limit(knob, params));
    if (knob.kind == KnobKind::choice) {
        for (const Choice& choice : knob.choices) {
            if (choice.value <= limit) values.push_back(choice.value);
        }
        return values;
    }
    for (int value = knob.min; value <= limit; ++value) values.push_back(value);
    return values;
}

std::vector<int> plot_values(const Knob& knob, const Params& params) {
    constexpr std::size_t kMost = 65;
    const std::vector<int> all = axis_values(knob, params);
    const std::size_t step = (all.size() - 1) / kMost + 1;
    std::vector<int> values;
    for (std::size_t i = 0; i < all.size(); i += step) values.push_back(all[i]);
    return values;
}

double axis_position(const Knob& knob, int field_value) {
    return knob.kind == KnobKind::power ? static_cast<double>(std::int64_t{1} << field_value) : field_value;
}

std::string describe_settings(const Scenario& scenario, const Params& params) {
    std::string text;
    for (const Knob& knob : scenario.info->knobs) {
        if (params.*knob.field == scenario.info->defaults.*knob.field) continue;
        text += fmt::format("{}{}={}", text.empty() ? "" : ", ", knob.key, format_knob(knob, params));
    }
    return text;
}

Analysis analyze_state(const State& state, const std::vector<DeviceFacts>& devices) {
    const DeviceFacts& device = devices.at(state.device);
    Analysis analysis;
    analysis.report = analyze(*state.scenario, state.params, device);
    const Report& report = analysis.report;
    analysis.trace_request = {state.scenario->info->id,   state.params, report.place.block,
                              report.place.warp_in_block, report.step,  device.bank_rules};
    for (std::size_t k = 0; k < report.instructions.size(); ++k) {
        const InstructionReport& row = report.instructions[k];
        add_details(analysis, row.access, device);
        analysis.tiles.push_back(tile_shape(*state.scenario, state.params, row.instruction));
        analysis.trace.instructions[k] = trace_of(row.access, analysis.banks.back());
    }
    std::vector<Totals> grids;
    for (const InstructionReport& row : report.instructions) grids.push_back(row.grid);
    analysis.expected = expect_counters(*state.scenario, state.params, device, grids);
    analysis.prediction = predict(*state.scenario, state.params, device, state.cold);
    analysis.curve = model_curve(state, device, analysis.prediction);
    return analysis;
}

InstructionView view_of(const Analysis& analysis, int instruction) {
    const auto k = static_cast<std::size_t>(instruction);
    const InstructionReport& row = analysis.report.instructions.at(k);
    const Space space = row.instruction.space;
    InstructionView view{.report = &row, .shape = &analysis.report.shape, .index = instruction};
    view.bank_rules = analysis.trace_request.rules;
    view.place = analysis.report.place;
    if (has_banks(space)) view.banks = &analysis.banks[k];
    if (has_sectors(space)) view.sectors = &analysis.sectors[k];
    if (space == Space::constant) view.constant = &analysis.constants[k];
    if (space == Space::texture) view.texture = &analysis.textures[k];
    return view;
}

Picture draw_instruction(const Analysis& analysis, int instruction, const State& state, const Style& style) {
    const InstructionView view = view_of(analysis, instruction);
    return draw_access(view, analysis.tiles[static_cast<std::size_t>(instruction)], state.color_by,
                       state.only_wavefront, style);
}

}  // namespace warplens
