#include "app/boards/flight/flight_picture.h"
#include "app/boards/list.h"
#include "app/boards/occupancy/knobs.h"
#include "app/boards/occupancy/occupancy_picture.h"
#include "app/experiment/devices.h"
#include "app/experiment/kernel_table.h"
#include "app/model/time/in_flight.h"
#include "app/pictures/access/explain.h"
#include "app/pictures/kit/axes.h"
#include "kernels/launch_setting.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

ComputeCapability chosen_capability(const State& state, const std::vector<DeviceFacts>& devices) {
    const int number = state.boards[kOccupancyCapability];
    return number == 0 ? devices[state.device].cc : ComputeCapability{number / 10, number % 10};
}

std::string nothing_known(const BoardInput& input) {
    return fmt::format("Nothing is known of compute capability {}: choose another one.",
                       chosen_capability(input.state, input.devices).text());
}

/// Adds rows of one kind and source.
struct Rows {
    const OccupancySetting& setting;
    std::vector<Quantity> rows = {};

    void add(std::string name, std::string value, std::string_view meaning, std::optional<double> amount = {},
             Better better = Better::neither, std::string unit = {}) {
        std::string tooltip(meaning);
        const CapabilityFacts& facts = setting.facts;
        tooltip += fmt::format("\n{} Compute capability {}: {}", provenance_mark(facts.kind), facts.cc.text(),
                               facts.source);
        if (!facts.notes.empty()) tooltip += "\n" + facts.notes;
        rows.push_back({std::move(name), std::move(value), facts.kind, std::move(tooltip), amount, better});
        rows.back().unit = std::move(unit);
    }
};

/// "6", "6, limits", "any".
std::string allowed_text(const Occupancy& now, Resource resource) {
    const int allowed = now.allowed_by(resource);
    if (allowed == kUnlimited) return "any";
    return format_count(allowed) + (now.limits(resource) ? ", limits" : "");
}

void add_outcome(Rows& rows, const Occupancy& now) {
    rows.add("blocks per SM", format_count(now.blocks),
             "Blocks that are resident on one SM at the same time.", now.blocks, Better::more);
    rows.add("warps per SM", fmt::format("{} of {}", now.warps(), now.max_warps),
             "Resident warps; an unfinished warp counts whole.", now.warps(), Better::more);
    rows.add("occupancy", format_percent(now.warps(), now.max_warps),
             "Resident warps as a share of the warp slots of an SM.",
             now.max_warps > 0 ? 100.0 * now.warps() / now.max_warps : 0, Better::more, "%");
    for (Quantity& row : rows.rows) row.main = true;
    for (int k = 0; k < kResources; ++k) {
        const auto resource = static_cast<Resource>(k);
        if (resource == Resource::barriers && !now.limits(resource)) continue;
        rows.add(fmt::format("by {}", resource_words(resource)), allowed_text(now, resource),
                 "Blocks that this resource alone would allow; the least of them limits.",
                 now.allowed_by(resource) == kUnlimited ? std::optional<double>() : now.allowed_by(resource),
                 Better::more);
        rows.rows.back().main = now.limits(resource);
    }
}

void add_portions(Rows& rows, const Occupancy& now) {
    const CapabilityFacts& facts = rows.setting.facts;
    rows.add("registers, block", format_count(now.registers_per_block),
             fmt::format("Registers that a block gets, in whole portions, of {} of the SM.",
                         format_count(facts.registers_per_sm)),
             now.registers_per_block);
    rows.add("shared, block", format_count(now.shared_per_block) + " B",
             "Shared memory that a block gets: what it declares, what is hidden in it, rounded up to whole "
             "portions.",
             now.shared_per_block, Better::neither, "bytes");
    if (facts.has_carveout()) {
        const int l1 = facts.l1_and_shared - now.shared_per_sm;
        rows.add("shared + L1", fmt::format("{} + {} KiB", now.shared_per_sm / 1024, l1 / 1024),
                 "How an SM's memory is divided with this carve-out.");
    }
    if (now.asks_for_shared)
        rows.add("needs opt-in", "yes",
                 "More than 48 KiB for a block: cudaFuncSetAttribute with "
                 "cudaFuncAttributeMaxDynamicSharedMemorySize.");
}

std::string remedy_name(const Remedy& remedy) {
    std::string name = "with ";
    for (const OccupancyChange& change : remedy.changes) {
        if (name.size() > 5) name += ", ";
        name += change.knob == OccupancyKnob::threads     ? counted(change.to, "thread")
                : change.knob == OccupancyKnob::registers ? counted(change.to, "register")
                : change.knob == OccupancyKnob::shared    ? format_count(change.to) + " B shared"
                                                          : fmt::format("carve-out {} %", change.to);
    }
    return name;
}

void add_remedies(Rows& rows, const OccupancySetting& setting) {
    for (const Remedy& remedy : find_remedies(setting.facts, setting.input))
        rows.add(remedy_name(remedy), format_percent(remedy.occupancy.warps(), remedy.occupancy.max_warps),
                 remedy_sentence(setting, remedy) +
                     (remedy.changes.size() == 1 && remedy.changes[0].knob == OccupancyKnob::threads
                          ? " No size of the block holds more."
                          : " Nothing smaller of that kind helps."),
                 100.0 * remedy.occupancy.warps() / remedy.occupancy.max_warps, Better::more, "%");
    const std::vector<int> sizes = full_block_sizes(setting.facts, setting.input);
    std::string list;
    for (const int threads : sizes) list += (list.empty() ? "" : ", ") + std::to_string(threads);
    if (!sizes.empty())
        rows.add("reach 100 %", counted(std::int64_t(sizes.size()), "block size"),
                 "Threads per block, in whole warps, that fill the SM: " + list + ".", double(sizes.size()));
}

/// Whether more warps would help a kernel whose threads have one float on its way each. Empty if the
/// latencies of the GPU are not known, or if other rules than those of the GPU are shown.
std::optional<InFlight> floats_in_flight(const BoardInput& input, const Occupancy& now) {
    if (now.blocks == 0 || input.state.boards[kOccupancyCapability] != 0) return std::nullopt;
    InFlight flight = average_in_flight(0, input.device(), false);
    if (flight.needed <= 0) return std::nullopt;
    flight.warps = now.warps();
    flight.now = flight.warps * kWarpLanes * 4;
    return flight;
}

void add_in_flight(std::vector<Quantity>& rows, const BoardInput& input, const Occupancy& now) {
    if (counts_scenario(input.state.boards)) {
        rows.push_back(more_warps_quantity(input));
        return;
    }
    const auto flight = floats_in_flight(input, now);
    if (!flight) return;
    rows.push_back(
        {.name = "more warps would help",
         .text = !flight->memory_waits() ? "no"
                 : now.full()            ? "no room"
                                         : "yes",
         .provenance = Provenance::approximate,
         .source = fmt::format(
             "If each lane has one float on its way: {} warps keep {} of the {} in flight that DRAM needs "
             "(Little's law).{} Scenario latency-hiding, map In flight.",
             now.warps(), bytes_beside(flight->now, flight->needed),
             bytes_beside(flight->needed, flight->now),
             flight->memory_waits() && now.full()
                 ? " The SM holds no more warps: wider loads, or more loads of each thread, would help."
                 : "")});
}

/// The words for a launch that has fewer blocks than the GPU holds at once. Empty if it has as many.
std::string too_few_blocks(const BoardInput& input, const Occupancy& now) {
    const Extent grid = input.evidence.report.shape.grid;
    const std::int64_t blocks = std::int64_t{grid.x} * grid.y;
    const int sms = input.device().sm_count;
    if (blocks >= resident_blocks(input.state, input.devices)) return {};
    if (blocks < sms) return fmt::format("The grid has only {} for {} SMs", counted(blocks, "block"), sms);
    return fmt::format("The grid has only {}: {:.3g} of {} warps to an SM", counted(blocks, "block"),
                       double(blocks) * now.warps_per_block / sms, now.max_warps);
}

Picture occupancy_picture(const BoardInput& input, const Style& style) {
    if (const auto setting = occupancy_setting(input.state, input.devices))
        return draw_occupancy(*setting, style);
    Canvas canvas(style, std::string(kOccupancyBoard.label), "");
    const float y = canvas.draw_title();
    draw_sentences(
        canvas,
        fit_sentences({nothing_known(input), "", false}, style, canvas.inner_width(), style.size.y - y),
        canvas.margin(), y);
    return canvas.take();
}

std::vector<std::string> occupancy_caption(const BoardInput& input) {
    const auto setting = occupancy_setting(input.state, input.devices);
    if (!setting) return {nothing_known(input)};
    const OccupancyInput& in = setting->input;
    const std::string kernel =
        counts_scenario(input.state.boards) ? fmt::format("{}: ", input.state.scenario->info->title) : "";
    std::string asked = fmt::format("{}{} per block, {} per thread", kernel, counted(in.threads, "thread"),
                                    counted(in.registers, "register"));
    if (in.static_shared > 0)
        asked += fmt::format(", {} of static shared memory", counted(in.static_shared, "byte"));
    if (in.dynamic_shared > 0)
        asked += fmt::format(", {} of dynamic shared memory", counted(in.dynamic_shared, "byte"));
    if (in.carveout >= 0) asked += fmt::format(", carve-out {} %", in.carveout);
    if (setting->facts.most_arguments > 0)
        asked += in.arguments == kNothingHidden
                     ? std::string(", arguments in shared memory not counted")
                     : fmt::format(", {} of arguments", counted(in.arguments, "byte"));
    return {setting->where, asked,
            fmt::format("{} {}: {}", provenance_mark(setting->facts.kind),
                        provenance_name(setting->facts.kind), setting->facts.source)};
}

std::vector<Quantity> occupancy_numbers(const BoardInput& input) {
    const auto setting = occupancy_setting(input.state, input.devices);
    if (!setting) return {};
    const Occupancy now = compute_occupancy(setting->facts, setting->input);
    Rows rows{*setting};
    add_outcome(rows, now);
    add_portions(rows, now);
    add_in_flight(rows.rows, input, now);
    rows.rows.back().main = true;  // whether more warps would help
    add_remedies(rows, *setting);
    return std::move(rows.rows);
}

Explanation occupancy_explanation(const BoardInput& input) {
    const auto setting = occupancy_setting(input.state, input.devices);
    if (!setting) return {nothing_known(input), "", false};
    Explanation e = explain_occupancy(*setting);
    const Occupancy now = compute_occupancy(setting->facts, setting->input);
    if (counts_scenario(input.state.boards)) {
        e.why += fmt::format(" More warps {}.", more_warps_words(input));
        if (const std::string few = too_few_blocks(input, now); now.blocks > 0 && !few.empty()) {
            e.headline = few;
            e.verdict = fmt::format("{}. {}", few, e.verdict);
            e.good = false;
        }
    } else if (const auto flight = floats_in_flight(input, now))
        e.why += fmt::format(" With one float on its way in each lane, {} warps keep {} of {} in flight: {}.",
                             now.warps(), bytes_beside(flight->now, flight->needed),
                             bytes_beside(flight->needed, flight->now),
                             !flight->memory_waits() ? "more would not help"
                             : now.full()            ? "no more fit, but wider loads would help"
                                                     : "more would help");
    return e;
}

}  // namespace

std::optional<OccupancySetting> occupancy_setting(const State& state,
                                                  const std::vector<DeviceFacts>& devices) {
    const ComputeCapability cc = chosen_capability(state, devices);
    std::optional<CapabilityFacts> facts = rules_of(cc);
    if (!facts) return std::nullopt;
    const BoardValues set = counted_values(state);
    OccupancyInput input{set[kOccupancyThreads], set[kOccupancyRegisters], set[kOccupancyStatic],
                         set[kOccupancyDynamic]};
    if (facts->has_carveout()) input.carveout = set[kOccupancyCarveout];
    if (facts->most_arguments > 0) input.arguments = set[kOccupancyArguments];
    const std::string gpu = set[kOccupancyCapability] == 0 ? devices[state.device].name : facts->architecture;
    return OccupancySetting{std::move(*facts), input,
                            fmt::format("{}, compute capability {}", gpu, cc.text())};
}

std::span<const CapabilityFacts> known_capabilities() { return capability_table(); }

LaunchOnBoard launch_on_board(const State& state) {
    const LaunchShape shape = state.scenario->launch(state.params);
    LaunchOnBoard launch{.boards = state.boards};
    launch.boards.set(kOccupancyThreads, shape.block.x * shape.block.y);
    launch.boards.set(kOccupancyStatic, 0);
    launch.boards.set(kOccupancyDynamic, int(shared_bytes_of(shape)));
    const RecordedKernel recorded = recorded_grid_kernel(*state.scenario, state.params);
    const auto compiled = state.scenario->info->registers;
    launch.registers_known = recorded.kernel != nullptr || compiled != nullptr;
    const int registers = recorded.kernel != nullptr ? recorded.kernel->registers
                          : compiled != nullptr      ? compiled(state.params)
                                                     : kOccupancyRegisters.usual;
    launch.boards.set(kOccupancyRegisters, registers);
    launch.registers_from = recorded.kernel != nullptr ? fmt::format("Registers: {}", recorded.where)
                            : compiled != nullptr
                                ? "Registers: nvcc 13.0 for compute capability 9.0"
                                : fmt::format("Registers: {}; {} assumed", recorded.where, registers);
    clamp_board(launch.boards);
    return launch;
}

std::optional<OccupancySetting> launched_setting(const State& state,
                                                 const std::vector<DeviceFacts>& devices) {
    State launched = state;
    launched.boards = {};
    return occupancy_setting(launched, devices);
}

std::int64_t resident_blocks(const State& state, const std::vector<DeviceFacts>& devices) {
    const auto setting = launched_setting(state, devices);
    if (!setting) return 0;
    return std::int64_t{compute_occupancy(setting->facts, setting->input).blocks} *
           devices[state.device].sm_count;
}

bool counts_scenario(const BoardValues& boards) {
    return std::ranges::all_of(kLaunchKnobs,
                               [&](const BoardKnob* knob) { return boards[*knob] == knob->usual; });
}

BoardValues counted_values(const State& state) {
    if (counts_scenario(state.boards)) return launch_on_board(state).boards;
    BoardValues values = state.boards;
    constexpr int kThreads = 256;  // what links of older programs mean that name other values alone
    if (values[kOccupancyThreads] == 0) values.set(kOccupancyThreads, kThreads);
    return values;
}

constinit const Board kOccupancyBoard{
    {.key = "occupancy",
     .label = "Occupancy",
     .tooltip = "How many blocks and warps an SM holds at once, and what runs out first.",
     .knobs = kOccupancyKnobs,
     .lesson = "board-occupancy",
     .least_height = 270,
     .class_height = 330},
    occupancy_picture,
    occupancy_numbers,
    occupancy_explanation,
    occupancy_caption};

}  // namespace warplens
