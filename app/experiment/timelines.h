#pragma once

#include "kernels/timing/timeline.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// The product as one GPU was watched to run it: the product with 1 to 4 stages.
struct TimelineRecording {
    std::string gpu;   ///< "NVIDIA H200"
    std::string date;  ///< "2026-11-24"
    std::vector<Timeline> runs;

    /// Null if there is none with so many stages.
    const Timeline* with_stages(int stages) const;
};

/// How long the block waited for a pair of tiles: not what it takes to look at a barrier that has passed
/// [cycles].
inline long long waited(const TileTimes& tile) {
    const long long until = tile.arrived < tile.used ? tile.arrived : tile.used;
    return until > tile.awaited ? until - tile.awaited : 0;
}

/// The work of a block for each pair of tiles, on average, without the first and the last ones [cycles].
struct TimelineMeans {
    double period = 0;    ///< from one pair to the next
    double latency = 0;   ///< from the first copy of a pair until all of it has come
    double multiply = 0;  ///< until all warps were done with it
    double wait = 0;      ///< see `waited`
    double issue = 0;     ///< from then on until the copies of a later pair were begun
    double test = 0;      ///< what it takes to look at a barrier that has passed
};
TimelineMeans means_of(const Timeline& timeline);

/// The timelines of blocks on one SM that each spend their time on a tile as the means say. Tiles of
/// different blocks come evenly spread.
/// @param early   whether the next tile of a stage is fetched as soon as one is used, instead of done with
/// @param cycles  how long to go on; every tile that begins earlier is there
std::vector<Timeline> expected_timelines(const TimelineMeans& means, int stages, int tiles, int blocks,
                                         bool early, long long cycles);

/// What write_timelines wrote. Errors: nlohmann::json::exception.
std::vector<TimelineRecording> read_timelines(std::string_view json);
std::string write_timelines(std::span<const TimelineRecording> recordings);

/// Those that come with the program: assets/timeline.json.
std::span<const TimelineRecording> shipped_timelines();
/// The one of a GPU, by its name in the table of devices, else the first one. Null if there is none.
const TimelineRecording* timeline_of(std::string_view device);

}  // namespace warplens
