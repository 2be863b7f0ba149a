// How fast the model counts. The aims: any grid of 2^26 threads in under 5 ms, 20 million arbitrary warp
// accesses per second, a parameter change (everything that follows from a knob) in under 4 ms at the 99th
// percentile; all on one core.
#include "app/base/assets.h"
#include "app/experiment/evidence.h"
#include "app/model/access/banks.h"
#include "app/model/access/sectors.h"

#include "tests/devices.h"
#include "tests/random_params.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>

namespace warplens::test::model_benchmarks {
namespace {

double seconds_of(const auto& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Publish the median and the far end of many single times.
void publish(benchmark::State& state, std::vector<double>& seconds) {
    std::sort(seconds.begin(), seconds.end());
    state.counters["p50_ms"] = 1e3 * seconds[seconds.size() / 2];
    state.counters["p99_ms"] = 1e3 * seconds[seconds.size() * 99 / 100];
    state.counters["max_ms"] = 1e3 * seconds.back();
}

std::vector<Params> settings(const Scenario& scenario, int count) {
    std::mt19937 random(7);
    std::vector<Params> all;
    for (int i = 0; i < count; ++i) all.push_back(test::random_params(scenario, random));
    return all;
}

void whole_grid(benchmark::State& state) {
    const Scenario& scenario = all_scenarios()[static_cast<std::size_t>(state.range(0))];
    std::vector<Params> all = settings(scenario, 500);
    for (Params& p : all) {  // 2^26 threads, as near as the scenario comes
        p.elements_log2 = 26;
        p.matrix = 8192 - p.matrix % 32;
        p.blocks_log2 = 30;
        clamp_knobs(scenario, p);
    }
    std::vector<double> seconds;
    std::size_t next = 0;
    for (auto _ : state) {
        const Params& p = all[next++ % all.size()];
        seconds.push_back(seconds_of([&] {
            for (int k = 0; k < scenario.instruction_count(p); ++k) {
                benchmark::DoNotOptimize(count_grid(scenario, p, k, h200()));
            }
        }));
    }
    publish(state, seconds);
    state.SetLabel(std::string(scenario.info->id));
}
BENCHMARK(whole_grid)
    ->DenseRange(0, static_cast<int>(all_scenarios().size()) - 1)
    ->Unit(benchmark::kMicrosecond);

/// @param random_addresses  false: as the scenarios make them
void arbitrary_accesses(benchmark::State& state, Space space, bool random_addresses) {
    std::mt19937 random(3);
    std::vector<WarpAccess> accesses(4096);
    for (WarpAccess& access : accesses) {
        access.space = space;
        access.bytes_per_lane = 1 << random() % 5;
        const auto width = static_cast<std::uint64_t>(access.bytes_per_lane);
        const std::uint64_t stride = random() % 65;
        for (std::uint64_t lane = 0; lane < kWarpLanes; ++lane) {
            access.byte_address[lane] = (random_addresses ? random() % 8192 : lane * stride) * width;
        }
    }
    for (auto _ : state) {
        for (const WarpAccess& access : accesses) {  // what `warplens analyze` counts for a row
            if (space == Space::shared) {
                benchmark::DoNotOptimize(count_banks(access, h200().bank_rules));
            } else {
                benchmark::DoNotOptimize(count_sectors(access, h200().sector_rules));
            }
        }
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) *
                            static_cast<std::int64_t>(accesses.size()));
}
BENCHMARK_CAPTURE(arbitrary_accesses, shared_strided, Space::shared, false);
BENCHMARK_CAPTURE(arbitrary_accesses, shared_random, Space::shared, true);
BENCHMARK_CAPTURE(arbitrary_accesses, global_strided, Space::global, false);
BENCHMARK_CAPTURE(arbitrary_accesses, global_random, Space::global, true);

void parameter_change(benchmark::State& state) {
    const Scenario& scenario = all_scenarios()[static_cast<std::size_t>(state.range(0))];
    const std::vector<Params> all = settings(scenario, 500);
    State experiment = initial_state(scenario, find_device(device_table(), "H200").value());
    std::vector<double> seconds;
    std::size_t next = 0;
    for (auto _ : state) {
        experiment.params = all[next++ % all.size()];
        seconds.push_back(
            seconds_of([&] { benchmark::DoNotOptimize(gather_evidence(experiment, device_table())); }));
    }
    publish(state, seconds);
    state.SetLabel(std::string(scenario.info->id));
}
BENCHMARK(parameter_change)
    ->DenseRange(0, static_cast<int>(all_scenarios().size()) - 1)
    ->Iterations(1000)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace warplens::test::model_benchmarks
