#include "app/boards/access/kernel_verdict.h"
#include "app/boards/list.h"
#include "app/experiment/evidence.h"
#include "app/experiment/quantities.h"

#include <fmt/format.h>

namespace warplens {
namespace {

/// The window and figures lay out the pictures of all instructions themselves; alone stands the worst one.
Picture access_picture(const BoardInput& input, const Style& style) {
    return draw_instruction(input.evidence, static_cast<int>(worst_instruction(input.evidence)), input.state,
                            style);
}

std::vector<Quantity> access_numbers(const BoardInput& input) {
    std::vector<Quantity> numbers = count_rows(input.evidence, -1, CountScope::warp, true);
    numbers.push_back(input.evidence.predicted.front());
    return numbers;
}

Explanation access_explanation(const BoardInput& input) {
    return kernel_verdict(input.evidence, input.device());
}

std::vector<std::string> access_caption(const BoardInput& input) {
    const std::string settings = describe_settings(*input.state.scenario, input.state.params);
    const Provenance counts = input.evidence.report.kind;
    return {settings.empty() ? "all parameters at their defaults" : settings,
            fmt::format("{}, compute capability {}", input.device().name, input.device().cc.text()),
            fmt::format("{} {} counts", provenance_mark(counts), provenance_name(counts))};
}

}  // namespace

constinit const Board kAccessBoard{
    {.key = "access",
     .label = "Access",
     .tooltip = "What one warp does to memory, and the bandwidth against a parameter.",
     .about_scenario = true,
     .instructions = true},
    access_picture,
    access_numbers,
    access_explanation,
    access_caption};

}  // namespace warplens
