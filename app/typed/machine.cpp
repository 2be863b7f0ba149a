#include "app/typed/machine.h"

#include "app/typed/interpret/interpret.h"

#include <fmt/format.h>

namespace warplens::typed {

BlockTrace run_blocks(const Bound& bound, const BlockRange& range) {
    BlockTrace trace;
    trace.range = range;
    std::int64_t steps = bound.most_steps, requests = kMostRequests;
    int barriers = -1, first = 0;
    for (int warp = 0; warp < bound.launch.warps(); ++warp) {
        const std::size_t like_the_last = trace.warps.empty() ? 0 : trace.warps.back().size();
        trace.warps.emplace_back().reserve(like_the_last);
        Interpreter run(bound, range, warp, trace.warps.back(), steps, requests, trace.assumed);
        const int passed = run.run();
        trace.requests += static_cast<std::int64_t>(trace.warps.back().size());
        if (run.has_ended()) continue;  // threads that have ended are not waited for
        if (barriers >= 0 && passed != barriers)
            throw SourceError(
                bound.kernel->at,
                fmt::format("not all warps reach __syncthreads() equally often: warp {} {} times, warp {} {}",
                            first, barriers, warp, passed));
        if (barriers < 0) first = warp;
        barriers = passed;
    }
    trace.steps = bound.most_steps - steps;
    return trace;
}

std::string_view line_of(std::string_view text, Position at) {
    for (int line = 1; line < at.line; ++line) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    text = text.substr(0, text.find('\n'));
    if (const std::size_t comment = text.find("//"); comment != std::string_view::npos)
        text = text.substr(0, comment);
    const std::size_t begin = text.find_first_not_of(" \t\r"), end = text.find_last_not_of(" \t\r");
    return begin == std::string_view::npos ? std::string_view() : text.substr(begin, end - begin + 1);
}

}  // namespace warplens::typed
