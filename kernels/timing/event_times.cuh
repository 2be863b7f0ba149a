#pragma once

// The time of a launch over a whole grid, by events around one or several launches.
#include "kernels/timing/launch_graph.cuh"
#include "kernels/timing/statistics.h"
#include "kernels/timing/timing.cuh"

#include <atomic>
#include <string>

namespace warplens {

struct EventTimes {
    Repeats repeats;        ///< one launch [microseconds]
    int launches = 1;       ///< between two events
    bool recorded = false;  ///< whether they were replayed from a CUDA graph
};

/// @param alone     whether launches cannot follow each other; none can if the rule wants the L2 cold
/// @param before    queues what comes before each launch that is timed alone, as what empties the L2
/// @param launch    queues one launch
/// @param refused   whether a launch was refused: then nothing is repeated
/// Errors: CudaError, GpuStuck.
template <class Before, class Launch, class Refused>
EventTimes time_launches(Stopwatch& watch, const StopRule& rule, const std::atomic<bool>* cancel, bool alone,
                         Before before, Launch launch, Refused refused) {
    EventTimes times;
    for (int i = 0; i < rule.warm_up && !(cancel != nullptr && cancel->load()); ++i) watch.time_us(1, launch);
    alone = alone || rule.cold;
    times.launches = alone ? 1 : launches_per_interval(watch.time_us(1, launch));
    if (refused()) return times;
    LaunchGraph graph;
    times.recorded = times.launches > 1 && graph.record(watch.stream(), times.launches, launch);
    times.repeats = repeat_until(rule, cancel, [&] {
        if (alone) before();
        if (times.recorded) return watch.time_us(1, [&] { graph.replay(watch.stream()); }) / times.launches;
        return watch.time_us(times.launches, launch) / times.launches;
    });
    return times;
}

inline const char* why_stopped(Stopped stopped) {
    switch (stopped) {
        case Stopped::precise:
            return "until the median was known well enough";
        case Stopped::repeats:
            return "the most repeats allowed";
        case Stopped::seconds:
            return "until time was up";
        case Stopped::cancelled:
            return "cancelled";
    }
    return "";
}

/// A text such as "12 repeats (until the median was known well enough), median and quartiles".
inline std::string repeats_text(const Repeats& repeats) {
    return std::to_string(repeats.samples.size()) + " repeats (" + why_stopped(repeats.stopped) +
           "), median and quartiles";
}

/// "CUDA events round 5 launches in a graph, the L2 as each one left it"
inline std::string how_timed(const EventTimes& times, const StopRule& rule) {
    if (rule.cold) return "CUDA events round 1 launch, the L2 emptied before";
    if (times.launches == 1) return "CUDA events round 1 launch, the L2 as the one before left it";
    return "CUDA events round " + std::to_string(times.launches) + " launches" +
           (times.recorded ? " in a graph" : "") + ", the L2 as each one left it";
}

}  // namespace warplens
