#include "app/experiment/devices.h"
#include "app/model/fix/find_fixes.h"
#include "app/model/random_settings.h"

#include <benchmark/benchmark.h>

#include <random>

namespace warplens::test::find_fixes_benchmarks {
namespace {

/// Searches for random settings of a scenario, one after the other, over all of its remedies. Each should
/// take less than 50 ms: a person waits for it, though the window does not.
void find_fixes_of_random_settings(benchmark::State& state) {
    const Scenario& scenario = all_scenarios()[static_cast<std::size_t>(state.range(0))];
    const std::vector<DeviceFacts>& devices = device_table();
    const DeviceFacts& device = devices.at(find_device(devices, kDefaultDevice).value());
    state.SetLabel(std::string(scenario.info->id));
    std::mt19937 random(1);
    std::int64_t counted = 0;
    for (auto _ : state) {
        const FixQuestion question{&scenario, random_params(scenario, random),
                                   knobs_of(scenario, KnobRole::remedy)};
        if (!does_not_fit(scenario, question.params, device).empty()) continue;
        FixSearch search = find_fixes(question, device).done();
        counted += search.counted;
        benchmark::DoNotOptimize(search);
    }
    state.counters["settings counted"] =
        benchmark::Counter(static_cast<double>(counted), benchmark::Counter::kAvgIterations);
}
BENCHMARK(find_fixes_of_random_settings)
    ->DenseRange(0, static_cast<int>(all_scenarios().size()) - 1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace warplens::test::find_fixes_benchmarks
