#include "app/pictures/explain.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {

Explanation explain_cluster(const InstructionView& view) {
    const int blocks = std::max(1, view.shape == nullptr ? 1 : view.shape->cluster);
    const int away = view.report->instruction.ranks_away % blocks;
    Explanation e = explain_banks(view, {});
    e.verdict = fmt::format("In the shared memory of {}: {}{}",
                            away == 0 ? std::string("the own block")
                                      : fmt::format("the block {} further in the cluster",
                                                    away == 1 ? "one rank" : fmt::format("{} ranks", away)),
                            e.verdict.starts_with("No conflicts") ? "no" : e.verdict.substr(0, 1),
                            e.verdict.substr(e.verdict.starts_with("No conflicts") ? 2 : 1));
    if (away != 0) {
        e.why +=
            " The request travels to the other block's SM, whose banks serve it, and the values travel back.";
    }
    return e;
}

}  // namespace warplens
