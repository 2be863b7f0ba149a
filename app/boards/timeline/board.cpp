#include "app/base/format.h"
#include "app/boards/list.h"
#include "app/boards/timeline/knobs.h"
#include "app/boards/timeline/timeline_picture.h"

#include <fmt/format.h>

#include <cmath>

namespace warplens {
namespace {

TimelineView timeline_view(const BoardInput& input) {
    TimelineView view{.first = input.state.boards[kTimelineTile]};
    if (const TimelineRecording* recording = timeline_of(input.device().name)) {
        view.run = recording->with_stages(input.state.boards[kTimelineStages]);
        view.where = fmt::format("recorded on {}, {}", recording->gpu, recording->date);
    }
    return view;
}

std::vector<Quantity> timeline_numbers(const BoardInput& input) {
    const TimelineView view = timeline_view(input);
    if (view.run == nullptr)
        return {{.name = "timeline", .text = "not recorded", .source = "No GPU was recorded."}};
    const TimelineMeans means = means_of(*view.run);
    std::vector<Quantity> rows;
    const auto add = [&](std::string name, double amount, Better better, std::string meaning) {
        rows.push_back({std::move(name),
                        fmt::format("{} cycles", format_count(std::llround(amount))),
                        Provenance::recorded,
                        fmt::format("{}\n{}", meaning, view.where),
                        amount,
                        better,
                        {},
                        "cycles"});
    };
    add("pair of tiles", means.period, Better::less, "From one pair of tiles to the next, on average.");
    add("waited", means.wait, Better::less,
        "Of these, how long the warps have nothing to do until the pair has come.");
    add("multiplied", means.multiply, Better::neither, "How long the pair is used.");
    add("copies issued", means.issue, Better::less,
        "How long the warps then take to begin the asynchronous copies of a later pair (cp.async).");
    add("barrier tested", means.test, Better::less,
        "How long it takes to find that the pair has come (mbarrier.test_wait), beyond the waiting.");
    add("latency", means.latency, Better::neither,
        "From the first copy of a pair until all of it has come, on average: the first and the last eighth of the "
        "pairs are left out, as in all means here.");
    add("block", double(view.run->cycles), Better::less,
        fmt::format("All {} pairs of tiles.", view.run->tiles.size()));
    return rows;
}

std::vector<std::string> timeline_caption(const BoardInput& input) {
    const TimelineView view = timeline_view(input);
    return {fmt::format("{} x {} matrices, tiles of {} x {}, cp.async, one block on each SM",
                        StagedProduct::kMatrix, StagedProduct::kMatrix, StagedProduct::kTile,
                        StagedProduct::kDepth),
            view.where.empty() ? std::string("not recorded") : "▲ " + view.where};
}

}  // namespace

constinit const Board kTimelineBoard{
    {.key = "timeline",
     .label = "Timeline",
     .tooltip = "One SM and its clock: when tiles of a matrix product are fetched, waited for and used.",
     .knobs = kTimelineKnobs,
     .lesson = "board-timeline"},
    [](const BoardInput& input, const Style& style) { return draw_timeline(timeline_view(input), style); },
    timeline_numbers,
    [](const BoardInput& input) { return explain_timeline(timeline_view(input)); },
    timeline_caption};

}  // namespace warplens
