#include "app/boards/list.h"
#include "app/boards/traffic/traffic_picture.h"
#include "app/model/access/counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
        view = {.flows = &flows,
                .device = &input.device(),
                .cold = input.state.cold,
                .least = costs_least(report),
                .does_not_fit = report.does_not_fit};
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

Quantity number_of(const Flow& flow, const DeviceFacts& device) {
    std::string tooltip = fmt::format("{} → {}: {}", memory_name(flow.from, device),
                                      memory_name(flow.to, device), rule_text(flow.rule));
    if (flow.at_registers())
        tooltip += fmt::format(".\nFor {} that lanes {}, in {} requests.", format_bytes(flow.wanted),
                               flow.is_store() ? "give" : "want", format_count(std::llround(flow.requests)));
    const Memory memory = flow.is_store() ? flow.to : flow.from;
    return bytes_row(fmt::format("{}: {}", short_name(memory), flow_name(flow)), flow.bytes, flow.kind,
                     std::move(tooltip), Better::less);
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
    if (launch.flows.kept > 0)
        rows.push_back(
            bytes_row("stays in registers", launch.flows.kept, kind,
                      "Values that stay in registers, or that move from lane to lane without a memory."));
    for (const Flow& flow : launch.flows.flows) rows.push_back(number_of(flow, device));
    for (const Memory memory : kMemories) {
        const double share = launch.flows.busy_share(memory);
        if (share <= 0) continue;
        rows.push_back({fmt::format("{}: utilization", short_name(memory)), format_percent(share, 1),
                        Provenance::approximate, memory_tooltip(memory, launch.view), share});
    }
    if (launch.flows.touched > 0)
        rows.push_back(bytes_row("footprint", launch.flows.touched, Provenance::approximate,
                                 "Distinct bytes beyond the SMs that the launch accesses, in whole pieces."));
    return rows;
}

}  // namespace

constinit const Board kTrafficBoard{
    {.key = "traffic",
     .label = "Traffic",
     .tooltip = "The memories as boxes, and how many bytes the whole launch moves between them.",
     .lesson = "board-traffic",
     .about_scenario = true},
    [](const BoardInput& input, const Style& style) { return draw_traffic(Launch(input).view, style); },
    traffic_numbers,
    [](const BoardInput& input) { return explain_traffic(Launch(input).view); },
    traffic_caption};

}  // namespace warplens
