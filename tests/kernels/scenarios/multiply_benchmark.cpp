// The variants of the matrix product, and cuBLAS beside them.
#include "app/model/catalogue.h"
#include "kernels/scenarios/matrix_multiply.h"
#include "kernels/timing/cublas.h"
#include "kernels/timing/timed.h"

#include <benchmark/benchmark.h>

#include <string>

namespace warplens::test::multiply_benchmarks {
namespace {

constexpr int kMatrix = 2048;

/// Reports the median that `time` measured, in GFLOP/s.
void report(benchmark::State& state, const std::variant<Timing, Unavailable>& outcome, double flop) {
    if (const auto* why = std::get_if<Unavailable>(&outcome)) return state.SkipWithError(why->reason.c_str());
    const double seconds = std::get<Timing>(outcome).median_us * 1e-6;
    for (auto _ : state) state.SetIterationTime(seconds);
    state.counters["GFLOP/s"] = flop / seconds * 1e-9;
}

void multiply(benchmark::State& state) {
    const Choice& variant = MatrixMultiply::kVariants[static_cast<std::size_t>(state.range(0))];
    Params p = MatrixMultiply::info.defaults;
    p.matrix = kMatrix;
    p.padding = 4;
    p.variant = variant.value;
    TimedKernels kernels;
    state.SetLabel(std::string(variant.name));
    report(state, kernels.time("matrix-multiply", p, {}), MatrixMultiply::operations(p));
}

void cublas(benchmark::State& state) {
    const auto outcome = time_cublas(kMatrix, {});
    const auto* timing = std::get_if<Timing>(&outcome);
    report(state, outcome, timing == nullptr ? 0 : timing->flop);
}

BENCHMARK(multiply)->DenseRange(0, std::size(MatrixMultiply::kVariants) - 1)->UseManualTime()->Iterations(1);
BENCHMARK(cublas)->UseManualTime()->Iterations(1);

}  // namespace
}  // namespace warplens::test::multiply_benchmarks
