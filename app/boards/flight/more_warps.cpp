#include "app/boards/flight/more_warps.h"

#include "app/boards/occupancy/occupancy_picture.h"

#include <fmt/format.h>

namespace warplens {

MoreWarps more_warps(const BoardInput& input) {
    if (!is_wait(input.evidence.prediction.limiter)) return MoreWarps::not_the_limit;
    const std::int64_t fit = resident_blocks(input.state, input.devices);
    const Extent grid = input.evidence.report.shape.grid;
    return fit == 0 || std::int64_t{grid.x} * grid.y < fit ? MoreWarps::help : MoreWarps::no_room;
}

namespace {

bool is_full(const BoardInput& input) {
    const auto launched = launched_setting(input.state, input.devices);
    return launched && compute_occupancy(launched->facts, launched->input).full();
}

}  // namespace

std::string room_for_warps(const BoardInput& input) {
    const auto launched = launched_setting(input.state, input.devices);
    if (!launched || more_warps(input) != MoreWarps::no_room) return {};
    const std::vector<Remedy> remedies = find_remedies(launched->facts, launched->input);
    return remedies.empty() ? "" : " " + remedy_sentence(*launched, remedies.front());
}

std::string more_warps_words(const BoardInput& input) {
    switch (more_warps(input)) {
        case MoreWarps::help:
            return "would help";
        case MoreWarps::no_room:
            return fmt::format("would help, but an SM has no room for {}",
                               is_full(input) ? "them" : "more blocks of this size");
        case MoreWarps::not_the_limit:
            break;
    }
    const std::string_view limiter = limiter_name(input.evidence.prediction.limiter);
    return limiter.empty() ? "would not help" : fmt::format("would not help: the limit is {}", limiter);
}

Quantity more_warps_quantity(const BoardInput& input) {
    const MoreWarps more = more_warps(input);
    return {.name = "more warps would help",
            .text = more == MoreWarps::help      ? "yes"
                    : more == MoreWarps::no_room ? "no room"
                                                 : "no",
            .provenance = Provenance::approximate,
            .source = fmt::format(
                "By the limit of the prediction and the room in an SM: they {}. Where they would help, "
                "more loads at once help as much.",
                more_warps_words(input))};
}

}  // namespace warplens
