// What a PNG costs the UI thread: beginning it (model, layout, fonts) and its longest piece; between pieces
// the window shows frames. The aim: neither above half a second, on a CPU that draws in the GPU's place.
// Compressing happens on another thread.
#include "app/base/errors.h"
#include "app/experiment/devices.h"
#include "app/figures/figure_writer.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>

namespace warplens::test::figure_benchmarks {
namespace {

double ms_of(const auto& action) {
    const auto start = std::chrono::steady_clock::now();
    action();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Arguments: width and height [points], scale.
void png_figure(benchmark::State& state) {
    const std::vector<DeviceFacts> devices = device_table();
    const State start =
        initial_state(*find_scenario("transpose"), find_device(devices, kDefaultDevice).value());
    FigureOptions options;
    options.width = static_cast<int>(state.range(0));
    options.height = static_cast<int>(state.range(1));
    options.scale = static_cast<float>(state.range(2));
    double begin = 0, piece = 0, pieces = 0, compress = 0;
    try {
        for (auto _ : state) {
            std::unique_ptr<FigurePlan> plan;
            FigureWriter writer(true);
            begin = std::max(begin, ms_of([&] {
                                 plan = std::make_unique<FigurePlan>(start, devices, options);
                                 writer.begin(*plan);
                             }));
            pieces = 0;
            for (float drawn = 0; drawn < 1; ++pieces)
                piece = std::max(piece, ms_of([&] { drawn = writer.draw_piece(); }));
            const Image image = writer.take();
            compress =
                std::max(compress, ms_of([&] {
                             benchmark::DoNotOptimize(figure_to_png(image, plan->metadata("f.png"), options));
                         }));
        }
    } catch (const NoDisplay& why) {
        state.SkipWithError(why.what());
    }
    state.counters["begin_ms"] = begin;
    state.counters["longest_piece_ms"] = piece;
    state.counters["pieces"] = pieces;
    state.counters["compress_ms"] = compress;
}

BENCHMARK(png_figure)
    ->Args({1280, 720, 1})
    ->Args({1280, 720, 4})
    ->Args({4096, 2160, 4})
    ->Iterations(3)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace warplens::test::figure_benchmarks
