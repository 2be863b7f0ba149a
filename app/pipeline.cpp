#include "app/pipeline.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

TraceBlock trace_of(const WarpAccess& access, const BankReport& banks) {
    TraceBlock block{};
    const bool shared = access.space == Space::shared;
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

Curve model_curve(const State& state, const DeviceFacts& device, const Bandwidth& here) {
    Curve curve;
    curve.knob = state.axis;
    curve.log_axes = state.log_axes;
    curve.gpu = device.name;
    curve.caption = describe_settings(*state.scenario, state.params);
    curve.peak_source = here.peak_gb_per_s <= 0 ? ""
                        : !here.shared_memory
                            ? "datasheet"
                            : fmt::format("SMs × clock × {} B",
                                          device.bank_rules.banks * (device.bank_rules.wide_banks ? 8 : 4));
    if (state.axis == nullptr) return curve;
    curve.here = axis_position(*state.axis, state.params.*state.axis->field);
    for (const int value : axis_values(*state.axis, state.params)) {
        Params there = state.params;
        there.*state.axis->field = value;
        clamp_knobs(*state.scenario, there);
        curve.x.push_back(axis_position(*state.axis, value));
        curve.model.push_back(predict_bandwidth(*state.scenario, there, device));
    }
    return curve;
}

}  // namespace

std::vector<int> axis_values(const Knob& knob, const Params& params) {
    std::vector<int> values;
    const int limit = knob_limit(knob, params);
    if (knob.kind == KnobKind::choice) {
        for (const Choice& choice : knob.choices) {
            if (choice.value <= limit) values.push_back(choice.value);
        }
        return values;
    }
    for (int value = knob.min; value <= limit; ++value) values.push_back(value);
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
        const bool shared = row.instruction.space == Space::shared;
        analysis.banks.push_back(shared ? analyze_banks(row.access, device.bank_rules) : BankReport{});
        analysis.sectors.push_back(shared ? SectorReport{}
                                          : analyze_sectors(row.access, device.sector_rules));
        analysis.tiles.push_back(tile_shape(*state.scenario, state.params, row.instruction));
        analysis.trace.instructions[k] = trace_of(row.access, analysis.banks.back());
    }
    analysis.bandwidth = predict_bandwidth(*state.scenario, state.params, device);
    analysis.curve = model_curve(state, device, analysis.bandwidth);
    return analysis;
}

InstructionView view_of(const Analysis& analysis, int instruction) {
    const auto k = static_cast<std::size_t>(instruction);
    const InstructionReport& row = analysis.report.instructions.at(k);
    const bool shared = row.instruction.space == Space::shared;
    InstructionView view{&row, shared ? &analysis.banks[k] : nullptr, shared ? nullptr : &analysis.sectors[k],
                         instruction};
    view.bank_rules = analysis.trace_request.rules;
    return view;
}

Picture draw_instruction(const Analysis& analysis, int instruction, const State& state, const Style& style) {
    const InstructionView view = view_of(analysis, instruction);
    if (view.sectors != nullptr) return draw_sectors(view, style);
    return draw_banks(view, analysis.tiles[static_cast<std::size_t>(instruction)], state.color_by,
                      state.only_wavefront, style);
}

}  // namespace warplens
