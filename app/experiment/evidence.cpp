#include "app/experiment/evidence.h"

#include "app/experiment/accuracy.h"

#include "app/experiment/quantities.h"

#include <algorithm>

namespace warplens {
namespace {

void add_details(Evidence& evidence, const WarpAccess& access, const DeviceFacts& device) {
    const Space space = access.space;
    evidence.banks.push_back(has_banks(space) ? analyze_banks(access, device.bank_rules) : BankReport{});
    evidence.sectors.push_back(!has_sectors(space) ? SectorReport{}
                               : space == Space::local
                                   ? analyze_sectors(interleave_local(access), local_rules(device))
                                   : analyze_sectors(access, device.sector_rules));
    evidence.constants.push_back(space == Space::constant ? analyze_constant(access) : ConstantReport{});
    evidence.textures.push_back(space == Space::texture ? analyze_texture(access) : TextureReport{});
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

}  // namespace

Evidence gather_evidence(const Setting& setting, const std::vector<DeviceFacts>& devices, Observed observed) {
    const DeviceFacts& device = devices.at(setting.device);
    Evidence evidence;
    evidence.setting = setting;
    evidence.report = analyze(*setting.scenario, setting.params, device);
    const Report& report = evidence.report;
    evidence.trace_request = {setting.scenario->info->id, setting.params, report.place.block,
                              report.place.warp_in_block, report.step,    device.bank_rules};
    for (std::size_t k = 0; k < report.instructions.size(); ++k) {
        const InstructionReport& row = report.instructions[k];
        add_details(evidence, row.access, device);
        evidence.tiles.push_back(tile_shape(*setting.scenario, setting.params, row.instruction));
        evidence.trace.instructions[k] = trace_of(row.access, evidence.banks.back());
    }
    std::vector<Totals> grids;
    for (const InstructionReport& row : report.instructions) grids.push_back(row.grid);
    LaunchCounts launch(*setting.scenario, setting.params, device, grids);
    evidence.expected = expect_counters(launch);
    evidence.prediction = predict(launch, setting.cold);
    evidence.error = &known_error(*setting.scenario, setting.params, device);
    add_model_quantities(evidence, device);
    return with_observed(std::move(evidence), std::move(observed));
}

Evidence request_evidence(const InstructionReport& request, const DeviceFacts& device) {
    Evidence evidence;
    evidence.report.sector_rules = device.sector_rules;
    evidence.report.kind = request.kind;
    evidence.report.instructions.push_back(request);
    evidence.trace_request.rules = device.bank_rules;
    add_details(evidence, request.access, device);
    evidence.tiles.emplace_back();
    evidence.trace.instructions[0] = trace_of(request.access, evidence.banks.front());
    return evidence;
}

Evidence with_observed(Evidence evidence, Observed observed) {
    evidence.observed = std::move(observed);
    add_observed_quantities(evidence);
    return evidence;
}

InstructionView view_of(const Evidence& evidence, int instruction) {
    const std::size_t k = instruction;
    const InstructionReport& row = evidence.report.instructions.at(k);
    const Space space = row.instruction.space;
    InstructionView view{.report = &row, .shape = &evidence.report.shape, .index = instruction};
    view.bank_rules = evidence.trace_request.rules;
    view.place = evidence.report.place;
    if (has_banks(space)) view.banks = &evidence.banks[k];
    if (has_sectors(space)) view.sectors = &evidence.sectors[k];
    if (space == Space::constant) view.constant = &evidence.constants[k];
    if (space == Space::texture) view.texture = &evidence.textures[k];
    return view;
}

Picture draw_instruction(const Evidence& evidence, int instruction, const State& state, const Style& style) {
    const InstructionView view = view_of(evidence, instruction);
    return draw_access(view, evidence.tiles[instruction], access_look(state), style);
}

}  // namespace warplens
