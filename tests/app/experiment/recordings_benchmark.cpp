// What opening a recording costs. The aim: well under 100 ms for 2 MB, from the file to points that can be
// looked up; the points of a curve cost next to nothing then.
#include "app/experiment/recordings.h"

#include "app/experiment/devices.h"

#include "tests/random_params.h"
#include "tests/recordings.h"

#include <benchmark/benchmark.h>

#include <filesystem>
#include <fstream>

namespace warplens::test::recordings_benchmarks {
namespace {

/// Settings along a knob and elsewhere, until the text is large enough.
Recording recording_of_bytes(std::size_t bytes) {
    std::mt19937 random(3);
    Recording recording;
    recording.gpu = test::h200_info();
    recording.sessions.push_back(test::session());
    std::uniform_real_distribution<double> time(5, 50000);
    std::size_t written = 0;
    while (written < bytes) {
        for (const Scenario& scenario : all_scenarios()) {
            const Params base = test::random_params(scenario, random);
            const Knob& knob = scenario.info->knobs.front();
            std::vector<RecordedPoint> points;
            for (int value = knob.min; value <= std::min(knob.max, knob.min + 64); ++value) {
                RecordedPoint point{base, test::cycles(time(random))};
                point.params.*knob.field = value;
                clamp_knobs(scenario, point.params);
                points.push_back(point);
            }
            add_series(recording, scenario, points);
        }
        written = write_recording(recording).size();
    }
    return recording;
}

void open_recording_file(benchmark::State& state) {
    const std::string path =
        (std::filesystem::temp_directory_path() / "warplens_benchmark_recording.json").string();
    const std::string text = write_recording(recording_of_bytes(static_cast<std::size_t>(state.range(0))));
    std::ofstream(path) << text;
    const std::vector<DeviceFacts> devices = device_table();
    std::size_t points = 0;
    for (auto _ : state) {
        Recordings recordings;
        points = recordings.open(path, devices).points;
        benchmark::DoNotOptimize(points);
    }
    std::filesystem::remove(path);
    state.counters["points"] = static_cast<double>(points);
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(open_recording_file)->Arg(200'000)->Arg(2'000'000)->Unit(benchmark::kMillisecond);

void points_of_a_curve(benchmark::State& state) {
    const std::vector<DeviceFacts> devices = device_table();
    Recordings recordings;
    recordings.add(write_recording(recording_of_bytes(500'000)), "a", "/a", devices);
    recordings.add(write_recording(test::sample_recording()), "b", "/b", devices);
    const Scenario& scenario = *find_scenario("global-stride");
    const RecordingView view{&devices, find_device(devices, kDefaultDevice).value(), false};
    for (auto _ : state)
        benchmark::DoNotOptimize(
            recordings.series(scenario, scenario.info->defaults, *find_knob(scenario, "stride"), view));
}
BENCHMARK(points_of_a_curve)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace warplens::test::recordings_benchmarks
