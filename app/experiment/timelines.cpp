#include "app/experiment/timelines.h"

#include "app/base/assets.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

constexpr std::string_view kTimelineSchema = "warplens timeline";
constexpr int kTimelineVersion = 1;

Timeline read_run(const nlohmann::json& json) {
    Timeline run{.stages = json.at("stages"), .cycles = json.at("cycles"), .right = true};
    for (const nlohmann::json& t : json.at("tiles")) run.tiles.push_back({t[0], t[1], t[2], t[3], t[4]});
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

std::vector<Timeline> expected_timelines(const TimelineMeans& means, int stages, int tiles, int blocks,
                                         bool early, long long cycles) {
    std::vector<Timeline> all;
    for (int block = 0; block < blocks; ++block) {
        Timeline run{.stages = stages, .tiles = {}, .right = true};
        double at = 0;  // when the block has nothing else to do
        for (int t = 0; t < tiles && at < double(cycles); ++t) {
            long long fetched = 0;
            if (t >= stages) fetched = early ? run.tiles[t - stages].used : run.tiles[t - stages].done;
            const double there = t == 0 ? means.latency + means.period * block / blocks : at + means.wait;
            // A tile that nobody waits for has come when its latency is over.
            const double arrived =
                means.wait > 0 || t == 0 ? there : std::min(at, double(fetched) + means.latency);
            const double used = there + means.test, done = used + means.multiply;
            const TileTimes tile{fetched, std::llround(arrived), std::llround(at), std::llround(used),
                                 std::llround(done)};
            run.tiles.push_back(tile);
            at = done + means.issue;
        }
        run.cycles = std::llround(at);
        all.push_back(std::move(run));
    }
    return all;
}

std::vector<TimelineRecording> read_timelines(std::string_view text) {
    std::vector<TimelineRecording> all;
    const nlohmann::json file = nlohmann::json::parse(text);
    for (const nlohmann::json& gpu : file.at("gpus")) {
        all.push_back({.gpu = gpu.at("gpu"), .date = gpu.at("date"), .runs = {}});
        for (const nlohmann::json& run : gpu.at("runs")) all.back().runs.push_back(read_run(run));
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
