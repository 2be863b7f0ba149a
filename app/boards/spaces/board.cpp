#include "app/base/assets.h"
#include "app/boards/list.h"
#include "app/boards/spaces/spaces_picture.h"
#include "app/experiment/devices.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

std::vector<std::string> spaces_caption(const BoardInput& input) {
    const SpacesTable table = spaces_of(input.device());
    return {
        fmt::format("{}, compute capability {}.", table.gpu, table.cc.text()),
        fmt::format("{} latencies: recorded, in cycles, from a load to its first use, nothing else running "
                    "(sources: warplens spaces).",
                    provenance_mark(Provenance::recorded)),
        fmt::format("{} sizes: as documented.", provenance_mark(Provenance::exact))};
}

std::vector<Quantity> spaces_numbers(const BoardInput& input) {
    std::vector<Quantity> numbers;
    for (const SpaceRow& row : spaces_of(input.device()).rows) {
        if (!row.exists) continue;
        numbers.push_back({.name = row.name + ", latency",
                           .text = latency_text(row),
                           .provenance = latency_provenance(row),
                           .source = latency_source(row),
                           .amount = row.latency.nearest > 0 && row.latency.nearest == row.latency.farthest
                                         ? std::optional<double>(row.latency.nearest)
                                         : std::nullopt,
                           .better = Better::less,
                           .unit = "cycles"});
        numbers.push_back({row.name + ", size", row.size, Provenance::exact, row.more});
        if (row.gb_per_s > 0)
            numbers.push_back({.name = row.name + ", bandwidth",
                               .text = bandwidth_text(row),
                               .provenance = Provenance::approximate,
                               .source = row.bandwidth_of,
                               .amount = row.gb_per_s,
                               .better = Better::more,
                               .unit = "GB/s"});
    }
    return numbers;
}

Explanation spaces_explanation(const BoardInput& input) {
    const SpacesTable table = spaces_of(input.device());
    const SpaceRow *shared = find_row(table, "shared"), *global = find_row(table, "global");
    Explanation explanation;
    if (shared == nullptr || global == nullptr || shared->latency.nearest <= 0 ||
        global->latency.farthest <= 0) {
        explanation.verdict = "The nearer to the arithmetic, the smaller and the more private.";
    } else {
        explanation.verdict =
            fmt::format("DRAM answers after {:.0f} cycles, shared memory after {:.0f}: {:.0f} times as soon.",
                        global->latency.farthest, shared->latency.nearest,
                        global->latency.farthest / shared->latency.nearest);
    }
    explanation.why =
        "Two of the names mislead: local memory lies in DRAM like global memory, and constant memory, though it "
        "lies there too, is read through a cache in the SM.";
    return explanation;
}

}  // namespace

const SpaceRow* find_row(const SpacesTable& table, std::string_view key) {
    const auto found = std::ranges::find(table.rows, key, &SpaceRow::key);
    return found == table.rows.end() || !found->exists ? nullptr : &*found;
}

constinit const Board kSpacesBoard{
    {.key = "spaces",
     .label = "Spaces",
     .tooltip = "All memory spaces in a table: where they live, who sees them, latency and bandwidth.",
     .lesson = "board-spaces",
     .wide = true},
    [](const BoardInput& input, const Style& style) { return draw_spaces(spaces_of(input.device()), style); },
    spaces_numbers,
    spaces_explanation,
    spaces_caption};

SpacesTable spaces_of(const DeviceFacts& device) {
    const std::optional<CapabilityFacts> rules = rules_of(device.cc);
    return make_spaces(asset("assets/spaces.json"), device, rules ? &*rules : nullptr);
}

}  // namespace warplens
