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
    int blocks = 1;                 ///< of the SM; the runs of the others follow that one
    std::string_view tile = "tiles";
    std::string_view wait = {};  ///< the instruction that waits for a tile; empty if not said
    bool in_registers = false;   ///< tiles on their way take registers, not places in shared memory

    /// The clock at the left edge, and how much of it the picture shows: the same for all stages, so that two
    /// pictures can be compared [cycles].
    long long begin() const;
    static constexpr long long kShown = 9000;
};

/// The rows of a timeline, with an axis below them: the stages of the first block, and the warps of each
/// block.
void draw_sm(Canvas& canvas, const TimelineView& view, Rect room);
float height_of_timeline_legend(const Canvas& canvas, float width);
void draw_timeline_legend(Canvas& canvas, float x, float y, float width);

/// A row for each stage of shared memory: when a pair of tiles is fetched into it, when it waits there, when
/// it is used; and a row for the warps: when they multiply and when they wait.
Picture draw_timeline(const TimelineView& view, const Style& style);

/// How long a pair of tiles takes, and whether fetching is hidden behind arithmetic.
Explanation explain_timeline(const TimelineView& view);

}  // namespace warplens
