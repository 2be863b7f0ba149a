#include "app/experiment/timelines.h"

#include "app/base/assets.h"
#include "app/base/json_place.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace warplens {
namespace {

constexpr std::string_view kTimelineSchema = "warplens timeline";
constexpr int kTimelineVersion = 1, kMostTiles = 4096;
constexpr int kMostCycles = std::numeric_limits<int>::max();

TileTimes read_tile(const JsonPlace& place) {
    if (place.size() != 5) place.wrong("five numbers of cycles");
    const auto cycles = [&place](std::size_t i) { return place.element(i).whole(0, kMostCycles); };
    const TileTimes tile{cycles(0), cycles(1), cycles(2), cycles(3), cycles(4)};
    const bool ordered = tile.fetched <= tile.arrived && tile.awaited <= tile.used && tile.used <= tile.done;
    if (!ordered) place.fail("a tile is fetched before it arrives, and waited for before it is used");
    return tile;
}

Timeline read_run(const JsonPlace& place) {
    Timeline run{.stages = place.member("stages").whole(1, StagedProduct::kMostStages),
                 .cycles = place.member("cycles").whole(1, kMostCycles),
                 .right = true};
    const JsonPlace tiles = place.member("tiles");
    if (tiles.size() < 8 || tiles.size() > std::size_t{kMostTiles}) tiles.wrong("8 to 4096 tiles");
    for (const JsonPlace& tile : tiles.elements()) run.tiles.push_back(read_tile(tile));
    return run;
}

}  // namespace

const Timeline* TimelineRecording::with_stages(int stages) const {
    const auto found = std::ranges::find(runs, stages, &Timeline::stages);
    return found == runs.end() ? nullptr : &*found;
}

TimelineMeans means_of(const Timeline& timeline) {
    TimelineMeans means;
    const std::size_t count = timeline.tiles.size(), begin = count / 8, end = count - count / 8;
    if (end <= begin + 1) return means;
    const auto n = double(end - begin);
    for (std::size_t t = begin; t < end; ++t) {
        const TileTimes& tile = timeline.tiles[t];
        means.latency += double(tile.arrived - tile.fetched) / n;
        means.multiply += double(tile.done - tile.used) / n;
        means.wait += double(waited(tile)) / n;
        means.test += double(tile.used - tile.awaited - waited(tile)) / n;
        if (t + 1 < end) means.issue += double(timeline.tiles[t + 1].awaited - tile.done) / (n - 1);
    }
    means.period = double(timeline.tiles[end - 1].done - timeline.tiles[begin].done) / (n - 1);
    return means;
}

std::vector<TimelineRecording> read_timelines(std::string_view text) {
    const nlohmann::json json = parse_json(text);
    const JsonPlace file(json, "timelines");
    if (file.member("schema").text() != kTimelineSchema ||
        file.member("version").whole(0, kMostTiles) != kTimelineVersion)
        file.fail("expected the schema 'warplens timeline', version 1");
    std::vector<TimelineRecording> all;
    for (const JsonPlace& gpu : file.member("gpus").elements()) {
        TimelineRecording recording{
            .gpu = gpu.member("gpu").text(), .date = gpu.member("date").text(), .runs = {}};
        for (const JsonPlace& run : gpu.member("runs").elements()) recording.runs.push_back(read_run(run));
        all.push_back(std::move(recording));
    }
    return all;
}

std::string write_timelines(std::span<const TimelineRecording> recordings) {
    nlohmann::ordered_json file{{"schema", kTimelineSchema}, {"version", kTimelineVersion}};
    file["gpus"] = nlohmann::ordered_json::array();
    for (const TimelineRecording& recording : recordings) {
        nlohmann::ordered_json gpu{{"gpu", recording.gpu}, {"date", recording.date}};
        gpu["runs"] = nlohmann::ordered_json::array();
        for (const Timeline& run : recording.runs) {
            nlohmann::ordered_json one{{"stages", run.stages}, {"cycles", run.cycles}};
            one["tiles"] = nlohmann::ordered_json::array();
            for (const TileTimes& t : run.tiles)
                one["tiles"].push_back({t.fetched, t.arrived, t.awaited, t.used, t.done});
            gpu["runs"].push_back(std::move(one));
        }
        file["gpus"].push_back(std::move(gpu));
    }
    return file.dump() + '\n';
}

std::span<const TimelineRecording> shipped_timelines() {
    static const std::vector<TimelineRecording> all = read_timelines(asset("assets/timeline.json"));
    return all;
}

const TimelineRecording* timeline_of(std::string_view device) {
    const auto all = shipped_timelines();
    if (all.empty()) return nullptr;
    const std::string_view model = device.substr(0, device.find(' '));  // "H200" of "H200 SXM 141 GB"
    const auto found = std::ranges::find_if(
        all, [model](const TimelineRecording& one) { return one.gpu.find(model) != std::string::npos; });
    return found == all.end() ? &all.front() : &*found;
}

}  // namespace warplens
