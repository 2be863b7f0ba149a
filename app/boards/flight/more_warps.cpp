#include "app/boards/flight/more_warps.h"

#include "app/boards/occupancy/occupancy_picture.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

/// Whether the time goes by while warps wait, with nothing busy all the time.
bool waits(Limiter limiter) {
    constexpr Limiter kWaits[] = {Limiter::bytes_in_flight,  Limiter::dependent_multiply_adds,
                                  Limiter::too_few_blocks,   Limiter::l1_latency,
                                  Limiter::l2_latency,       Limiter::far_l2_latency,
                                  Limiter::dram_latency,     Limiter::shared_latency,
                                  Limiter::cluster_latency,  Limiter::texture_latency,
                                  Limiter::constant_latency, Limiter::shuffle_latency};
    return std::ranges::find(kWaits, limiter) != std::end(kWaits);
}

}  // namespace

MoreWarps more_warps(const BoardInput& input) {
    if (!waits(input.evidence.prediction.limiter)) return MoreWarps::not_the_limit;
    State state = input.state;
    state.boards = {};  // the scenario's own launch
    const auto setting = occupancy_setting(state, input.devices);
    if (!setting) return MoreWarps::help;
    const Extent grid = input.evidence.report.shape.grid;
    const std::int64_t fit =
        std::int64_t{compute_occupancy(setting->facts, setting->input).blocks} * input.device().sm_count;
    return std::int64_t{grid.x} * grid.y < fit ? MoreWarps::help : MoreWarps::no_room;
}

std::string more_warps_words(MoreWarps more, const Prediction& prediction) {
    switch (more) {
        case MoreWarps::help:
            return "would help";
        case MoreWarps::no_room:
            return "would help, but an SM has no room for them";
        case MoreWarps::not_the_limit:
            break;
    }
    const std::string_view limiter = limiter_name(prediction.limiter);
    return limiter.empty() ? "would not help" : fmt::format("would not help: the limit is {}", limiter);
}

}  // namespace warplens
