#pragma once

#include "app/experiment/timelines.h"
#include "app/pictures/kit/canvas.h"

#include <string>

namespace warplens {

/// The facts that the timeline is drawn from.
struct TimelineView {
    const Timeline* run = nullptr;  ///< null if nothing was recorded
    int first = 0;                  ///< the first pair of tiles that is shown
    std::string where;              ///< "recorded on NVIDIA H200, 2026-11-24"

    /// The clock at the left edge, and how much of it the picture shows: the same for all stages, so that two
    /// pictures can be compared [cycles].
    long long begin() const;
    static constexpr long long kShown = 9000;
};

/// A row for each stage of shared memory: when a pair of tiles is fetched into it, when it waits there, when
/// it is used; and a row for the warps: when they multiply and when they wait.
Picture draw_timeline(const TimelineView& view, const Style& style);

/// How long a pair of tiles takes, and whether fetching is hidden behind arithmetic.
Explanation explain_timeline(const TimelineView& view);

}  // namespace warplens
