#include "app/pictures/access/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace warplens {
namespace {

/// "They lie in 2 lines of 64 bytes", and where that matters how far they spread.
std::string lines_phrase(const InstructionView& view) {
    const ConstantCount& count = view.constant->count;
    const AccessFacts facts = describe_access(view.report->access);
    std::string text =
        fmt::format("The words lie in {} of {} bytes", counted(count.lines, "line"), kConstantLineBytes);
    const std::uint64_t first = facts.lowest / kConstantLineBytes,
                        last = (facts.end - 1) / kConstantLineBytes;
    const auto span = static_cast<std::int64_t>(last - first + 1) * kConstantLineBytes;
    if (span <= kConstantL1Bytes) return text + '.';
    return text + fmt::format(", spread over {} bytes; the constant L1 has {}.", format_count(span),
                              format_count(kConstantL1Bytes));
}

/// How many lanes the busiest pass serves.
int most_lanes(const ConstantReport& report) {
    int most = 0;
    for (int i = 0; i < report.count.requests; ++i) {
        most = std::max(most, std::popcount(report.words[static_cast<std::size_t>(i)].lanes));
    }
    return most;
}

}  // namespace

Explanation explain_constant(const InstructionView& view) {
    const ConstantCount& count = view.constant->count;
    const AccessFacts facts = describe_access(view.report->access);
    const std::string requests =
        fmt::format("{} {}", count.requests, count.requests == 1 ? "request" : "serialized requests");
    const std::string lanes = lanes_phrase(facts.active);
    const bool alone = facts.active == 1;
    Explanation e{.good = count.requests == 1 || facts.distinct == 1};
    if (e.good) {
        const std::string what = count.requests == 1
                                     ? std::string("word")
                                     : fmt::format("{} bytes, {}", view.report->access.bytes_per_lane,
                                                   counted(count.requests, "word"));
        e.verdict = fmt::format("{} {} {} {}: {}.", lanes, alone ? "requests" : "request",
                                alone ? (count.requests == 1 ? "one" : "only") : "the same", what, requests);
        e.why = alone ? "A single lane never waits for another one's word."
                      : "Constant memory delivers one word to any number of lanes at once: a broadcast.";
        return e;
    }
    e.verdict = fmt::format("{} different words take {}; one word for all lanes would take 1.",
                            count.requests, requests);
    const int most = most_lanes(*view.constant);
    e.why = fmt::format(
        "The requests are serialized; each delivers one word, {}. {}",
        most == 1 ? "here to a single lane" : fmt::format("here to at most {}", counted(most, "lane")),
        lines_phrase(view));
    return e;
}

}  // namespace warplens
