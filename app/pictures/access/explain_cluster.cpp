#include "app/pictures/access/explain.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

std::string place_of(int ranks_away) {
    if (ranks_away == 0) return "the own block's shared memory";
    return ranks_away == 1 ? std::string("the next block's shared memory")
                           : fmt::format("the shared memory {} blocks further", ranks_away);
}

}  // namespace

Explanation explain_cluster(const InstructionView& view) {
    const int blocks = std::max(1, view.shape == nullptr ? 1 : view.shape->cluster);
    const int away = view.report->instruction.ranks_away % blocks;
    const BankCount& count = view.banks->count;
    Explanation e = explain_banks(view, {});
    const std::string cost = fmt::format("{}, ideal {}", counted(count.wavefronts, "wavefront"), count.ideal);
    e.verdict =
        fmt::format("{} in {}: {}.", e.good ? "Conflict-free" : "Bank conflicts", place_of(away), cost);
    if (away != 0)
        e.why += " The request goes to that block's SM, whose banks serve it, and the values come back.";
    return e;
}

}  // namespace warplens
