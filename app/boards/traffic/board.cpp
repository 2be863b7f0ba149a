#include "app/base/text.h"
#include "app/boards/access/kernel_verdict.h"
#include "app/boards/list.h"
#include "app/boards/traffic/traffic_picture.h"
#include "app/experiment/quantities.h"
#include "app/model/access/counts.h"
#include "app/model/device/spaces.h"
#include "app/pictures/kit/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace warplens {
namespace {

/// Whether no request costs more than it must.
bool costs_least(const Report& report) {
    return std::ranges::all_of(report.instructions, [](const InstructionReport& one) {
        const CostWords cost = cost_of(one.instruction.space);
        return cost.cost(one.grid) <= cost.ideal(one.grid);
    });
}

/// Everything about the launch, kept together with the view of it.
struct Launch {
    FlowReport flows;
    TrafficView view;
    explicit Launch(const BoardInput& input)
        : flows(follow_bytes(*input.state.scenario, input.state.params, input.device(), input.evidence.report,
                             input.evidence.prediction, input.state.cold)) {
        const Report& report = input.evidence.report;
        view = {
            .flows = &flows,
            .device = &input.device(),
            .cold = input.state.cold,
            .least = costs_least(report) && !judge_kernel(input.evidence, input.device()).slow_without_fault,
            .does_not_fit = report.does_not_fit};
        view.tone = tone_of_board(view.least, input.evidence, input.device());
        for (const InstructionReport& one : report.instructions) {
            if (one.instruction.space != Space::shared) continue;
            view.wavefronts += one.grid.wavefronts;
            view.ideal_wavefronts += one.grid.ideal_wavefronts;
        }
    }
    Launch& operator=(Launch&&) = delete;
};

Quantity bytes_row(std::string name, double bytes, Provenance kind, std::string source,
                   Better better = Better::neither) {
    return {std::move(name), format_bytes(bytes), kind, std::move(source), bytes, better, {}, "bytes"};
}

std::string name_of(const Flow& flow) {
    const Memory memory = flow.is_store() ? flow.to : flow.from;
    return fmt::format("{}: {}", short_name(memory), flow_name(flow));
}

/// One row for all flows of a name, as the loads of several instructions have it.
Quantity number_of(std::span<const Flow> flows, std::string_view name, const DeviceFacts& device) {
    double bytes = 0;
    Provenance kind = Provenance::exact;
    std::string tooltip;
    for (const Flow& flow : flows) {
        if (name_of(flow) != name) continue;
        bytes += flow.bytes;
        if (flow.kind != Provenance::exact) kind = flow.kind;
        if (!tooltip.empty()) tooltip += '\n';
        tooltip += fmt::format("{} → {}: {}", memory_name(flow.from, device), memory_name(flow.to, device),
                               rule_text(flow.rule));
        if (flow.at_registers())
            tooltip +=
                fmt::format(".\nFor {} that lanes {}, in {} requests.", format_bytes(flow.wanted),
                            flow.is_store() ? "write" : "request", format_count(std::llround(flow.requests)));
    }
    return bytes_row(std::string(name), bytes, kind, std::move(tooltip), Better::less);
}

std::vector<std::string> traffic_caption(const BoardInput& input) {
    std::vector<std::string> caption;
    const std::string settings = describe_settings(*input.state.scenario, input.state.params);
    if (!settings.empty()) caption.push_back(settings);
    caption.push_back(
        fmt::format("{}, compute capability {}", input.device().name, input.device().cc.text()));
    caption.push_back(fmt::format("bytes at the registers {} {}, beyond the SM {} approximate",
                                  provenance_mark(input.evidence.report.kind),
                                  provenance_name(input.evidence.report.kind),
                                  provenance_mark(Provenance::approximate)));
    caption.push_back(input.state.cold ? "the L2 begins empty" : "launches follow each other");
    return caption;
}

std::vector<Quantity> traffic_numbers(const BoardInput& input) {
    const Launch launch(input);
    const DeviceFacts& device = input.device();
    double wanted = 0;
    for (const Flow& flow : launch.flows.flows) wanted += flow.at_registers() ? flow.wanted : 0;
    const Provenance kind = input.evidence.report.kind;
    std::vector<Quantity> rows{bytes_row(
        "bytes requested", wanted, kind,
        "Active lanes times the bytes of each, over the whole grid: what registers get from memories or give to them.")};
    rows.back().main = true;
    if (launch.flows.kept > 0)
        rows.push_back(
            bytes_row("stays in registers", launch.flows.kept, kind,
                      "Values that stay in registers, or that move from lane to lane without a memory."));
    for (const Flow& flow : launch.flows.flows) {
        const std::string name = name_of(flow);
        if (std::ranges::find(rows, name, &Quantity::name) == rows.end())
            rows.push_back(number_of(launch.flows.flows, name, device));
    }
    for (const Memory memory : kMemories) {
        const double share = launch.flows.utilization(memory);
        if (share <= 0) continue;
        rows.push_back({fmt::format("{}: utilization", short_name(memory)), format_percent(share, 1),
                        Provenance::approximate, memory_tooltip(memory, launch.view), share});
        rows.back().main = true;
    }
    if (launch.view.wavefronts > 0)
        rows.push_back({.name = "shared: wavefronts",
                        .text = format_count(launch.view.wavefronts),
                        .provenance = kind,
                        .source = fmt::format("Of all requests to shared memory, over the whole grid; {} "
                                              "without bank conflicts.",
                                              format_count(launch.view.ideal_wavefronts)),
                        .amount = double(launch.view.wavefronts),
                        .better = Better::less});
    if (launch.flows.time_us > 0)
        rows.push_back(
            {.name = "launch",
             .text = format_duration(launch.flows.time_us),
             .provenance = Provenance::approximate,
             .source = fmt::format("Predicted; limited by {}.", limiter_name(launch.flows.limiter)),
             .amount = launch.flows.time_us,
             .better = Better::less,
             .unit = "µs",
             .main = true});
    if (launch.flows.touched > 0)
        rows.push_back(bytes_row("footprint", launch.flows.touched, Provenance::approximate,
                                 "Distinct bytes beyond the SMs that the launch accesses, in whole pieces."));
    return rows;
}

/// "the L2": in the middle of a sentence.
std::string the(Memory memory, const DeviceFacts& device) {
    const std::string_view name = memory_name(memory, device);
    switch (memory) {
        case Memory::dram:
        case Memory::host:
        case Memory::shared:
        case Memory::other_shared:
            return std::string(name);
        case Memory::l1:
            return "the L1";
        default:
            return fmt::format("the {}", name);
    }
}

std::string speed_source(const MemoryInfo& info, const DeviceFacts& device) {
    const std::string sms = fmt::format("{} SMs at {:.0f} MHz", device.sm_count, device.clock_mhz);
    switch (info.speed) {
        case SpeedSource::datasheet:
            return "datasheet";
        case SpeedSource::banks:
            return fmt::format("{:.0f} B per clock and SM, {}", device.memory.shared_bytes_per_clock, sms);
        case SpeedSource::l1:
            return fmt::format("{:.0f} B per clock and SM, {}", device.memory.l1_bytes_per_clock, sms);
        case SpeedSource::l2:
            return fmt::format(
                "{:.3g} B per clock and SM{}, {}", l2_bytes_per_clock(device),
                device.memory.l2_bytes_per_clock > 0 ? "" : ", assumed as on an A100 and an H200", sms);
        case SpeedSource::texture:
            return fmt::format("four texels of 4 B per clock and SM, {}", sms);
        case SpeedSource::operands:
            return fmt::format(
                "one operand of 4 B (a multiply-add has three) for each of {} lanes per clock and SM, {}",
                device.fp32_lanes_per_sm, sms);
        case SpeedSource::none:
            break;
    }
    return {};
}

/// The data that live there.
std::string allocation_text(Memory memory, const TrafficView& view) {
    const FlowReport& flows = *view.flows;
    std::string text;
    for (const Allocation& allocation : flows.allocations) {
        if (allocation.home == memory)
            text += fmt::format("\nIt holds {}, {}", allocation.name, format_size(allocation.bytes));
    }
    if (memory == Memory::l2 && flows.touched > 0)
        text += fmt::format("\nThe footprint of the launch is {}; {} of it {} still here at the next launch.",
                            format_size(flows.touched), format_percent(flows.in_l2, 1),
                            view.cold ? "would be" : "is");
    if (memory == Memory::registers && flows.kept > 0)
        text += fmt::format("\n{} stay in registers or move between lanes.", format_bytes(flows.kept));
    return text;
}

/// Sentences about how much of a memory is utilized, and what that is a share of.
std::string busy_text(Memory memory, const FlowReport& flows) {
    const double share = flows.utilization(memory);
    if (share <= 0) return {};
    const int index = int(memory);
    const std::string text =
        flows.gb_per_s[index] > 0
            ? fmt::format("{} in {} are {}: {} of its bandwidth is utilized (approximate).",
                          format_bytes(flows.through(memory)), format_duration(flows.time_us),
                          speed_text(flows.through(memory) / flows.time_us * 1e-3), format_percent(share, 1))
            : fmt::format(
                  "Its requests, conflicts among them, take {} of the launch's {}: {} utilized "
                  "(approximate).",
                  format_duration(flows.busy[index] * 1e6), format_duration(flows.time_us),
                  format_percent(share, 1));
    return "\n" + text + (flows.limiting == memory ? "\nIt is the limiter." : "");
}

Memory busiest(const FlowReport& flows) {
    const auto most = std::ranges::max_element(flows.busy);
    return static_cast<Memory>(most - flows.busy.begin());
}

/// "Lanes request 256 MiB in all. A byte is counted in each memory that it passes: the L1 256 MiB, ..."
std::string chain_of_bytes(const TrafficView& view) {
    const FlowReport& flows = *view.flows;
    double wanted = 0;
    std::string chain;
    for (const Memory memory : kMemories) {
        wanted += flows.wanted(memory, Memory::registers) + flows.wanted(Memory::registers, memory);
        const double bytes = flows.through(memory);
        if (bytes <= 0) continue;
        chain +=
            fmt::format("{}{} {}", chain.empty() ? "" : ", ", the(memory, *view.device), format_bytes(bytes));
    }
    if (chain.empty()) return {};
    return fmt::format("Lanes request {} in all. A byte is counted in each memory that it passes: {}.",
                       format_bytes(wanted), chain);
}

/// A remark if shared memory is busy with bank conflicts rather than with bytes.
std::string because_of_conflicts(const TrafficView& view) {
    if (view.flows->limiting != Memory::shared || view.flows->time_us <= 0) return {};
    if (view.wavefronts <= view.ideal_wavefronts) return {};
    return fmt::format(" Bank conflicts are why: its requests take {} wavefronts, {} is the minimum.",
                       format_count(view.wavefronts), format_count(view.ideal_wavefronts));
}

/// As in a shuffle.
bool nothing_moves(const FlowReport& flows) {
    return flows.kept > 0 &&
           std::ranges::all_of(kMemories, [&](Memory memory) { return flows.through(memory) <= 0; });
}

/// The limiter that sets the pace.
void say_pace(Explanation& e, const TrafficView& view) {
    const FlowReport& flows = *view.flows;
    const DeviceFacts& device = *view.device;
    if (nothing_moves(flows))
        return e.say(
            "No byte moves between memories",
            fmt::format(": {} stay in registers, as they go from lane to lane.", format_bytes(flows.kept)));
    if (flows.limiter == Limiter::none) return;
    const std::string_view limiter = limiter_name(flows.limiter);
    if (flows.time_us <= 0) {  // one request after another
        if (!flows.limiting) return e.say(fmt::format("Each request waits mostly for {}", limiter), ".");
        return e.say(fmt::format("Each request waits for {}", the(*flows.limiting, device)),
                     fmt::format(", which carries {}.", format_bytes(flows.through(*flows.limiting))));
    }
    if (flows.limiting) {
        const std::string name = the(*flows.limiting, device),
                          bytes = format_bytes(flows.through(*flows.limiting)),
                          share = format_percent(flows.utilization(*flows.limiting), 1);
        // DRAM and the L2 can be the limit by more than their bandwidth, as by opened rows.
        const std::size_t index = static_cast<std::size_t>(*flows.limiting);
        if (flows.gb_per_s[index] > 0 && limiter != name)
            return e.say(fmt::format("Limited by {}", limiter),
                         fmt::format(": {} pass through {}, which is {} utilized. {}", bytes, name, share,
                                     limiter_meaning(flows.limiter)));
        return e.say(fmt::format("Limited by {}, {} utilized", name, share),
                     fmt::format(": {} pass through it.{}", bytes, because_of_conflicts(view)));
    }
    if (const auto passed = memory_of(flows.limiter, device)) {
        const std::string name = the(*passed, device);
        return e.say(
            fmt::format("Limited by {}", limiter),
            fmt::format(": requests pass {} without staying, and it is {} utilized.",
                        limiter == name ? "it" : name, format_percent(flows.utilization(*passed), 1)));
    }
    const Memory most = busiest(flows);
    if (flows.busy[int(most)] <= 0) return e.say(fmt::format("Limited by {}, not by memory", limiter), ".");
    e.say(fmt::format("Limited by {}, not by memory", limiter),
          fmt::format(": the busiest, {}, is {} utilized.", the(most, device),
                      format_percent(flows.utilization(most), 1)));
}

}  // namespace

constinit const Board kTrafficBoard{
    {.key = "traffic",
     .label = "Traffic",
     .tooltip = "The memories as boxes, and how many bytes the whole launch moves between them.",
     .lesson = "board-traffic",
     .about_scenario = true,
     .least_height = 180,
     .class_height = 205},
    [](const BoardInput& input, const Style& style) { return draw_traffic(Launch(input).view, style); },
    traffic_numbers,
    [](const BoardInput& input) { return explain_traffic(Launch(input).view); },
    traffic_caption,
    [](const BoardInput& input) -> std::optional<BoardExample> {
        const Launch launch(input);
        const bool moves =
            std::ranges::any_of(kMemories, [&](Memory memory) { return launch.flows.through(memory) > 0; });
        if (moves || !launch.view.does_not_fit.empty()) return std::nullopt;
        return BoardExample{"Show a kernel that moves bytes", "matrix-multiply?board=traffic"};
    }};

std::string cycles_text(double cycles) {
    return cycles > 0 ? fmt::format("{:.0f} cycles", cycles) : std::string("cycles not known");
}

std::string speed_text(double gb_per_s) {
    return gb_per_s <= 0 ? "GB/s not known" : format_bandwidth(gb_per_s);
}

std::string capacity_text(const MemoryInfo& info) {
    if (info.bytes <= 0) return "size not known";
    return (info.at_most ? "≤ " : "") + memory_text(info.bytes);
}

std::string short_name(Memory memory) {
    constexpr const char* kNames[] = {"registers",       "shared", "L1",   "texture", "constant",
                                      "another block's", "L2",     "DRAM", "host"};
    return kNames[int(memory)];
}

std::string_view rule_text(FlowRule rule) {
    constexpr std::string_view kTexts[] = {
        "distinct bytes of each request: a word leaves its bank once, however many lanes request it",
        "distinct bytes of each request; one word at a time, for all lanes that request it",
        "sectors of each request, 32 B each",
        "distinct sectors of a few neighbouring blocks: what they read twice is fetched once",
        "each block fetches each sector once",
        "stores pass through: sectors of each request, 32 B each",
        "the share of the walk that the L1 cannot hold",
        "the share of the per-thread arrays of all resident threads that does not fit",
        "pieces of DRAM's fetch size that the L2 does not hold",
        "the rest of sectors that are written in part: read before they are written",
        "sectors that the L2 writes back, sooner or later",
        "what is copied or moves over the link to the host; mapped memory: the sectors of each request",
        "no cache: the transactions of each request go all the way to DRAM"};
    return kTexts[int(rule)];
}

std::string flow_name(const Flow& flow) {
    if (flow.rule == FlowRule::filled) return "fill reads";
    if (flow.at_registers() && flow.space != Space::global && flow.space != Space::local)
        return flow.is_store() ? "stores" : "loads";
    return fmt::format("{} {}", space_name(flow.space), flow.is_store() ? "stores" : "loads");
}

std::string memory_tooltip(Memory memory, const TrafficView& view) {
    const DeviceFacts& device = *view.device;
    const MemoryInfo info = memory_info(memory, device);
    const std::string name = capitalized(std::string(memory_name(memory, device)));
    if (memory == Memory::host)
        return fmt::format("{}, beyond the link: {} in one direction\n   ○ {}{}{}", name,
                           speed_text(info.gb_per_s), speed_source(info, device),
                           allocation_text(memory, view), busy_text(memory, *view.flows));
    std::string text = fmt::format("{}, {} of {}\n{}{}", name, capacity_text(info),
                                   info.per_sm ? "each SM" : "the whole GPU", cycles_text(info.cycles),
                                   info.cycles > 0 ? " until a load's value is there" : "");
    if (info.cycles > 0) text += fmt::format("\n   ▲ {}", device.latencies.source);
    text += fmt::format("\n{}{}", speed_text(info.gb_per_s),
                        info.gb_per_s > 0 && info.per_sm ? ", all SMs together" : "");
    if (info.gb_per_s > 0) text += fmt::format("\n   ○ {}", speed_source(info, device));
    if (memory == Memory::l2 && device.latencies.l2_gb_per_s > 0)
        text += fmt::format("\n   ▲ measured {}: {}", speed_text(device.latencies.l2_gb_per_s),
                            device.latencies.l2_speed_source);
    if (info.at_most && device.memory.unified_bytes > 0 && memory != Memory::other_shared)
        text += fmt::format("\nL1 and shared memory share {}; how they divide it depends on the kernel.",
                            format_size(double(device.memory.unified_bytes)));
    if (memory == Memory::l1 && !l1_keeps_global(device))
        text += "\nGlobal loads are not kept here on this generation, unless the compiler is told to.";
    if (memory == Memory::constant) text += "\nHow often it misses is not part of this map.";
    return text + allocation_text(memory, view) + busy_text(memory, *view.flows);
}

std::string flow_tooltip(Memory from, Memory to, const TrafficView& view) {
    const FlowReport& flows = *view.flows;
    const DeviceFacts& device = *view.device;
    std::string text = fmt::format("{} → {}", memory_name(from, device), memory_name(to, device));
    bool any = false;
    for (const Flow& flow : flows.flows) {
        if (flow.from != from || flow.to != to) continue;
        any = true;
        text +=
            fmt::format("\n{} {}: {}", provenance_mark(flow.kind), flow_name(flow), format_bytes(flow.bytes));
        if (flow.at_registers())
            text +=
                fmt::format(", for {} that lanes {}; {} requests", format_bytes(flow.wanted),
                            flow.is_store() ? "write" : "request", format_count(std::llround(flow.requests)));
        text += fmt::format("\n   {}", rule_text(flow.rule));
    }
    return any ? text : text + "\nnothing in this launch";
}

Explanation explain_traffic(const TrafficView& view) {
    Explanation explanation;
    explanation.good = view.least;
    if (!view.does_not_fit.empty()) {
        explanation.verdict = view.does_not_fit;
        explanation.good = false;
        return explanation;
    }
    say_pace(explanation, view);
    explanation.why = chain_of_bytes(view);
    if (const std::string comes = transfer_sentence(view.flows->transfer, view.flows->time_us);
        !comes.empty())
        explanation.why = comes + " " + explanation.why;
    if (explanation.why.empty() && nothing_moves(*view.flows))
        explanation.why = "An instruction reads its operands in registers without a request to any memory.";
    if (!explanation.verdict.empty()) return explanation;
    explanation.verdict = explanation.why.empty()
                              ? "No lane asks any memory for anything."
                              : fmt::format("What limits the launch on {} is not known.", view.device->name);
    return explanation;
}

}  // namespace warplens
