#include "app/boards/journey/journey.h"
#include "app/boards/list.h"
#include "app/boards/occupancy/occupancy_picture.h"

#include <fmt/format.h>

#include <cmath>

namespace warplens {
namespace {

/// "663", "29.9": the same digits wherever a latency or a sum of them stands.
StoryValue cycles(double count) {
    if (count <= 0) return {};
    return {fmt::format("{:.{}f}", count, count < 99.95 ? 1 : 0), count};
}

void add_latencies(StoryValues& values, const Latencies& latencies) {
    constexpr std::pair<const char*, double Latencies::*> kFields[] = {{"dram", &Latencies::dram},
                                                                       {"l2", &Latencies::l2},
                                                                       {"l1", &Latencies::l1},
                                                                       {"shared", &Latencies::shared},
                                                                       {"fma", &Latencies::multiply_add}};
    for (const auto& [name, field] : kFields) {
        values[name] = cycles(latencies.*field);
        const LatencyOrigin* origin = origin_of(latencies, field);
        const bool sure = origin == nullptr || origin->confidence > 0;
        values[name].kind = sure ? Provenance::recorded : Provenance::approximate;
        if (!sure) values["unverified"] = story_flag(true);
        values[fmt::format("{}_source", name)] = {
            origin == nullptr ? std::string()
                              : fmt::format("{}, measured by {}.", origin->gpu, origin->source)};
    }
}

/// Bytes that each SM must have under way for DRAM to be busy all the time, by Little's law, and the warps
/// for it, each with one coalesced request of 4 bytes a lane.
void add_under_way(StoryValues& values, const DeviceFacts& device) {
    const bool known = device.sm_count > 0 && device.clock_mhz > 0;
    const double latency_ns = known ? device.latencies.dram / device.clock_mhz * 1000 : 0;
    const double bytes = known ? device.peak_gb_per_s * latency_ns / device.sm_count : 0;
    const auto warps = int(std::ceil(bytes / 128));
    const CapabilityFacts* rules = find_capability(known_capabilities(), device.cc);
    const int fit = rules == nullptr ? 0 : rules->max_warps;
    values["bytes"] = bytes > 0 ? StoryValue{format_bytes(bytes), bytes} : StoryValue{};
    values["warps"] = bytes > 0 ? StoryValue{std::to_string(warps), warps} : StoryValue{};
    values["fit"] = {std::to_string(fit), fit};
    values["too_many"] = story_flag(fit > 0 && warps > fit);
}

Story journey_story(const BoardInput& input) {
    const BoardValues& values = input.state.boards;
    return journey_story(journey_setting(values), input.device(), values[kJourneyStep]);
}

}  // namespace

Story journey_story(const JourneySetting& setting, const DeviceFacts& device, int step) {
    const Latencies& latencies = device.latencies;
    const bool known = latencies.dram > 0, both = known && latencies.shared > 0;
    const double share = latencies.dram / setting.tile, loads = setting.tiled ? 2.0 / setting.tile : 2.0;
    const int uses = setting.tiled ? setting.tile : 1, most = device.max_threads_per_block;
    const bool too_large = most > 0 && setting.tile * setting.tile > most;
    StoryValues values{
        {"gpu", {device.name}},
        {"tiled", story_flag(setting.tiled)},
        {"direct", story_flag(!setting.tiled)},
        {"tile", {std::to_string(setting.tile)}},
        {"elements", {std::to_string(setting.tile * setting.tile)}},
        {"loads", {fmt::format("{:g}", loads), loads}},
        {"uses", {std::to_string(uses), uses}},
        {"has_l1", story_flag(l1_keeps_global(device))},
        {"has_l2", story_flag(has_l2(device))},
        {"share", cycles(share)},
        {"unverified", {}},
        {"too_large", story_flag(too_large)},
        {"most", {std::to_string(most)}},
        {"straight", cycles(known ? latencies.dram + latencies.multiply_add : 0)},
        {"with_tile", cycles(both && !too_large ? share + latencies.shared + latencies.multiply_add : 0)}};
    add_latencies(values, latencies);
    add_under_way(values, device);
    return {"assets/boards/journey.json", std::move(values), step};
}

constinit const Board kJourneyBoard{
    {.key = "journey",
     .label = "Journey",
     .tooltip = "The path of one multiply-add's operands from DRAM into registers, step by step.",
     .knobs = kJourneyKnobs,
     .lesson = "board-journey",
     .least_height = 262},
    [](const BoardInput& input, const Style& style) { return draw_journey(journey_story(input), style); },
    [](const BoardInput& input) { return journey_story(input).all().numbers("numbers"); },
    [](const BoardInput& input) { return journey_story(input).now().explanation(); },
    [](const BoardInput& input) { return journey_story(input).all().lines("caption"); }};

}  // namespace warplens
