// How fast a typed kernel is followed. The aims: from a key to the picture under 4 ms at the 99th percentile
// for kernels of 30 lines, without the pause that waits for the next key; a grid of 2^22 threads under 300
// ms; 20 million warp accesses a second; all on one core. With a GPU: its addresses within 10 ms of a pause,
// its times within 150 ms.
#include "app/base/assets.h"
#include "app/experiment/devices.h"
#include "app/experiment/evidence.h"
#include "app/experiment/typed_kernel.h"
#include "app/typed/counts.h"
#include "app/typed/cuda_text.h"
#include "app/typed/on_gpu.h"
#include "tests/app/typed/typed_examples.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>

namespace warplens::test::typed_benchmarks {
namespace {

std::string text_of(std::string_view name) {
    return std::string(asset("assets/typed/" + std::string(name) + ".cu"));
}

double ms_of(const auto& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

void publish(benchmark::State& state, std::vector<double>& ms) {
    std::ranges::sort(ms);
    state.counters["p50_ms"] = ms[ms.size() / 2];
    state.counters["p99_ms"] = ms[ms.size() * 99 / 100];
}

/// A key was pressed: the text is another one each time.
void key_to_evidence(benchmark::State& state, std::string_view name) {
    const std::vector<DeviceFacts> devices = device_table();
    const std::size_t device = find_device(devices, "H200").value();
    const std::string text = text_of(name);
    std::vector<double> ms;
    int key = 0;
    for (auto _ : state)
        ms.push_back(ms_of([&] {
            const Scenario& scenario = open_kernel(text + "// " + std::to_string(++key), "benchmark.cu");
            benchmark::DoNotOptimize(gather_evidence(initial_state(scenario, device), devices));
        }));
    publish(state, ms);
}
BENCHMARK_CAPTURE(key_to_evidence, own_stride, "own-stride")->Iterations(300)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(key_to_evidence, padded_transpose, "padded-transpose")
    ->Iterations(300)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(key_to_evidence, stencil_with_halo, "stencil-with-halo")
    ->Iterations(300)
    ->Unit(benchmark::kMillisecond);

/// @param text  what declares the launch, and a kernel
/// @param all   every block, however long it takes
void count_grid(benchmark::State& state, const char* text, bool all) {
    const auto launch = launch_of(text);
    typed::Patience patience;
    if (all) {
        patience.ranges = 1 << 20;
        patience.requests = patience.steps = std::int64_t{1} << 40;
    }
    std::int64_t accesses = 0;
    for (auto _ : state)
        for (const Totals& sum : count_launch(launch, DeviceFacts{}, patience).done().grid)
            accesses += sum.instructions;
    state.SetItemsProcessed(accesses);
}

/// 2^22 threads whose blocks differ by a constant.
BENCHMARK_CAPTURE(count_grid, even, R"(// let n = 4194304
// launch grid=n/256 block=256
__global__ void k(const float* in /* in [n] */, float* out /* out [n] */, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
})",
                  false)
    ->Unit(benchmark::kMillisecond);

/// The same with indices that are read, so that each block is executed.
BENCHMARK_CAPTURE(count_grid, gathering, R"(// let n = 4194304
// launch grid=n/256 block=256
__global__ void k(const float* in, const int* at, float* out, int n) {
    // in [n]
    // index at int[n] permuted
    // out [n]
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[at[i]];
})",
                  true)
    ->Unit(benchmark::kMillisecond);

/// Data-dependent addresses alone, apart from the index.
BENCHMARK_CAPTURE(count_grid, scattering, R"(// let n = 4194304
// launch grid=n/256 block=256
__global__ void k(const double* in, const int* at, double* out, int n) {
    // in [n]
    // index at int[n] permuted
    // out [n]
    int j = at[blockIdx.x * blockDim.x + threadIdx.x];
    out[j] = in[j];
})",
                  true)
    ->Unit(benchmark::kMillisecond);

/// The same path in a loop, of which each block begins elsewhere.
BENCHMARK_CAPTURE(count_grid, looping, R"(// let n = 65536
// launch grid=64 block=256
__global__ void k(const float* in, const int* at, float* out) {
    // index at int[65536] permuted
    __shared__ float tile[32][33];
    int first = at[blockIdx.x];
    float sum = 0;
    for (int i = 0; i < 512; ++i) {
        tile[threadIdx.x / 32][threadIdx.x % 32] = in[first * 32 + i * 256 + threadIdx.x];
        sum += tile[threadIdx.x % 32][i % 32];
    }
    out[threadIdx.x] = sum;
})",
                  false)
    ->Unit(benchmark::kMillisecond);

/// Warp accesses that the interpreter makes in a loop, each with a trace.
void accesses(benchmark::State& state) {
    const auto launch = launch_of(
        "// launch grid=1 block=256\n"
        "__global__ void k(const float* in, float* out) {\n"
        "    __shared__ float tile[32][33];\n"
        "    float sum = 0;\n"
        "    for (int i = 0; i < 512; ++i) {\n"
        "        tile[threadIdx.x / 32][threadIdx.x % 32] = in[i * 256 + threadIdx.x];\n"
        "        sum += tile[threadIdx.x % 32][i % 32];\n    }\n"
        "    out[threadIdx.x] = sum;\n}");
    std::int64_t requests = 0;
    for (auto _ : state) requests += typed::run_blocks(launch->bound(), {0, 0, 1, 1}).done().work.requests;
    state.SetItemsProcessed(requests);
}
BENCHMARK(accesses);

/// What precedes a launch on a GPU: a text for NVIDIA's compiler.
void cuda_text(benchmark::State& state) {
    const auto launch = launch_of(text_of("padded-transpose"));
    for (auto _ : state) benchmark::DoNotOptimize(typed::cuda_text(*launch, typed::TextKind::plain));
}
BENCHMARK(cuda_text)->Unit(benchmark::kMicrosecond);

/// Stops where there is no GPU, with the reason.
template <class T>
void stop_without(benchmark::State& state, const std::variant<T, Unavailable>& outcome) {
    if (const auto* why = std::get_if<Unavailable>(&outcome)) state.SkipWithError(why->reason.c_str());
}

/// A text that the driver of the GPU has not seen, so that it compiles it.
const Scenario& changed_kernel(std::string_view name) {
    static int key = 0;
    return open_kernel(text_of(name) + "// " + std::to_string(++key), "benchmark.cu");
}

/// What follows a pause, on the GPU: each time with a text that its driver has to compile.
void after_a_pause(benchmark::State& state, std::string_view name, const auto& work) {
    typed::GpuKernels gpu;
    std::vector<double> ms;
    for (auto _ : state) {
        const Scenario& scenario = changed_kernel(name);
        ms.push_back(ms_of([&] { stop_without(state, work(gpu, scenario)); }));
        if (state.error_occurred()) return;
    }
    publish(state, ms);
}

/// The addresses that the GPU made, compared with the model's.
void gpu_addresses(benchmark::State& state, std::string_view name) {
    after_a_pause(state, name, [](typed::GpuKernels& gpu, const Scenario& scenario) {
        return gpu.compare(scenario, scenario.info->defaults, 8);
    });
}
BENCHMARK_CAPTURE(gpu_addresses, own_stride, "own-stride")->Iterations(50)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(gpu_addresses, padded_transpose, "padded-transpose")
    ->Iterations(50)
    ->Unit(benchmark::kMillisecond);

/// Its time, as the window measures it.
void gpu_time(benchmark::State& state, std::string_view name) {
    after_a_pause(state, name, [](typed::GpuKernels& gpu, const Scenario& scenario) {
        return gpu.time(scenario, scenario.info->defaults, StopRule{});
    });
}
BENCHMARK_CAPTURE(gpu_time, own_stride, "own-stride")->Iterations(50)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(gpu_time, padded_transpose, "padded-transpose")
    ->Iterations(50)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace warplens::test::typed_benchmarks
