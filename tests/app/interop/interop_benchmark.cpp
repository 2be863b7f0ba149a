// What the UI thread pays for renewing the trace buffer and the image, in each mode. The limit for a frame is
// 4 ms.
#include "app/gl/context.h"
#include "app/interop/textures.h"
#include "app/model/catalogue.h"
#include "tests/kernels/trace/expected_trace.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace warplens::test::interop_benchmarks {
namespace {

double quantile_of(std::vector<double>& values, double share) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0
                          : values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

void update_trace_buffer(benchmark::State& state, TraceMode wanted) {
    auto context = HeadlessContext::create(wanted == TraceMode::model ? -1 : 0);
    if (const auto* why = std::get_if<Unavailable>(&context)) return state.SkipWithError(why->reason.c_str());
    TraceBuffer buffer(wanted);
    if (buffer.mode() != wanted) return state.SkipWithError(buffer.why().c_str());
    TraceRequest request{.scenario = "transpose",
                         .params = find_scenario("transpose")->info->defaults,
                         .block = {},
                         .rules = {}};
    const Trace by_model = test::expected_trace(request);
    std::vector<double> microseconds;
    for (auto _ : state) {
        request.step = static_cast<int>(microseconds.size() % 4);
        const auto begin = std::chrono::steady_clock::now();
        buffer.update(request, by_model);
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
        state.SetIterationTime(spent.count());
        microseconds.push_back(spent.count() * 1e6);
    }
    state.counters["p50_us"] = quantile_of(microseconds, 0.5);
    state.counters["p99_us"] = quantile_of(microseconds, 0.99);
}

void update_image_texture(benchmark::State& state, TraceMode wanted) {
    auto context = HeadlessContext::create(wanted == TraceMode::model ? -1 : 0);
    if (const auto* why = std::get_if<Unavailable>(&context)) return state.SkipWithError(why->reason.c_str());
    ImageTexture image(wanted);
    Params params = find_scenario("texture-filter")->info->defaults;
    image.update(params);
    if (image.mode() != wanted) return state.SkipWithError(image.why().c_str());
    std::vector<double> microseconds;
    for (auto _ : state) {
        params.angle = static_cast<int>(microseconds.size() % 91);
        const auto begin = std::chrono::steady_clock::now();
        image.update(params);
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
        state.SetIterationTime(spent.count());
        microseconds.push_back(spent.count() * 1e6);
    }
    state.counters["p50_us"] = quantile_of(microseconds, 0.5);
    state.counters["p99_us"] = quantile_of(microseconds, 0.99);
}

BENCHMARK_CAPTURE(update_image_texture, model, TraceMode::model)->UseManualTime()->Iterations(300);
BENCHMARK_CAPTURE(update_image_texture, copy, TraceMode::copy)->UseManualTime()->Iterations(300);
BENCHMARK_CAPTURE(update_image_texture, interop, TraceMode::interop)->UseManualTime()->Iterations(300);
BENCHMARK_CAPTURE(update_trace_buffer, model, TraceMode::model)->UseManualTime()->Iterations(1000);
BENCHMARK_CAPTURE(update_trace_buffer, copy, TraceMode::copy)->UseManualTime()->Iterations(1000);
BENCHMARK_CAPTURE(update_trace_buffer, interop, TraceMode::interop)->UseManualTime()->Iterations(1000);

}  // namespace
}  // namespace warplens::test::interop_benchmarks
