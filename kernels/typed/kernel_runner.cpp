// Loads machine code through the driver, whose functions are found when they are first needed, so that the
// program starts without a driver.
#include "kernels/typed/kernel_runner.h"

#include "kernels/cuda/check.h"
#include "kernels/cuda/device_buffer.cuh"
#include "kernels/cuda/gpu.h"
#include "kernels/timing/event_times.cuh"
#include "kernels/timing/l2_flush.cuh"
#include "kernels/typed/nvrtc.h"

#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace warplens {
namespace {

/// A function of the driver.
template <class Function>
Function* driver(const char* name) {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found{};
    CUDA_CHECK(cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &found));
    if (function == nullptr) throw CudaError(std::string("the driver has no ") + name, cudaErrorUnknown);
    return reinterpret_cast<Function*>(function);
}

/// Errors: CudaError.
void check(CUresult result, const char* what) {
    if (result != CUDA_SUCCESS || must_fail())
        throw CudaError(std::string(what) + ": CUDA driver error " + std::to_string(int(result)),
                        int(result));
}
#define DRIVER_CALL(name, ...) check(driver<decltype(name)>(#name)(__VA_ARGS__), #name)

constexpr std::int64_t kMostMemory = std::int64_t{1} << 36;

}  // namespace

struct KernelRunner::State {
    GpuInfo gpu;
    std::unique_ptr<Stopwatch> watch;
    std::vector<std::unique_ptr<DeviceBuffer>> buffers;  ///< one for each array in global memory
    DeviceBuffer sink, rows;
    L2Flush flush;
    HardwareCounters counters;
    CUmodule module = nullptr;
    CUfunction kernel = nullptr;
    std::string loaded;  ///< the text of the module

    ~State() { unload(); }

    void unload() noexcept {
        loaded.clear();
        if (module == nullptr) return;
        try {
            driver<decltype(cuModuleUnload)>("cuModuleUnload")(std::exchange(module, nullptr));
        } catch (const CudaError&) {  // the process has lost CUDA: nothing is left to be freed
        }
    }

    std::optional<Unavailable> start() {
        if (watch != nullptr) return std::nullopt;
        auto gpus = list_gpus();
        if (const auto* why = std::get_if<Unavailable>(&gpus)) return *why;
        int current = 0;
        CUDA_CHECK(cudaGetDevice(&current));
        CUDA_CHECK(cudaFree(nullptr));  // makes the context that the driver's functions use
        gpu = std::get<0>(gpus).at(current);
        watch = std::make_unique<Stopwatch>();
        sink.reserve(sizeof(std::uint32_t), watch->stream());
        return std::nullopt;
    }

    /// Compile, if it is another text than the last one.
    std::optional<Unavailable> load(const KernelLaunch& launch) {
        if (loaded == launch.text) return std::nullopt;
        unload();
        auto compiled = compile_kernel(launch.text, launch.name, 10 * gpu.cc_major + gpu.cc_minor);
        if (auto* why = std::get_if<Unavailable>(&compiled)) return std::move(*why);
        const CompiledKernel& code = std::get<CompiledKernel>(compiled);
        const CUresult result =
            driver<decltype(cuModuleLoadData)>("cuModuleLoadData")(&module, code.machine_code.data());
        if (result != CUDA_SUCCESS) {
            module = nullptr;
            check(result, "cuModuleLoadData");
        }
        DRIVER_CALL(cuModuleGetFunction, &kernel, module, code.name.c_str());
        constexpr int kWithoutAsking = 48 * 1024;
        if (launch.dynamic_shared > kWithoutAsking)
            DRIVER_CALL(cuFuncSetAttribute, kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                        launch.dynamic_shared);
        loaded = launch.text;
        return std::nullopt;
    }

    /// Memory for the arrays. Index arrays get their contents, all others random data.
    std::optional<Unavailable> reserve(const KernelLaunch& launch) {
        std::int64_t wanted = 0;
        for (const KernelLaunch::Array& array : launch.arrays) wanted += std::min(array.bytes, kMostMemory);
        std::size_t free = 0, total = 0;
        std::size_t used = 0;
        for (const auto& buffer : buffers) used += static_cast<std::size_t>(buffer->bytes());
        CUDA_CHECK(cudaMemGetInfo(&free, &total));
        constexpr std::int64_t kLeaveFree = std::int64_t{64} << 20;
        if (wanted + kLeaveFree > static_cast<std::int64_t>(free + used))
            return Unavailable{"its arrays need " + std::to_string(wanted >> 20) + " MiB, and " +
                               std::to_string((free + used) >> 20) + " MiB are free on the GPU"};
        for (std::size_t i = 0; i < launch.arrays.size(); ++i) {
            if (i == buffers.size()) buffers.push_back(std::make_unique<DeviceBuffer>());
            const KernelLaunch::Array& array = launch.arrays[i];
            if (buffers[i]->bytes() < array.bytes) buffers[i]->reserve(array.bytes, watch->stream());
            if (array.content != Content::unknown) fill(*buffers[i], array);
        }
        watch->wait();
        return std::nullopt;
    }

    void fill(const DeviceBuffer& buffer, const KernelLaunch::Array& array) const {
        const std::int64_t count = array.bytes / array.element_bytes;
        std::vector<unsigned char> contents(static_cast<std::size_t>(array.bytes));
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t value = content_at(array.content, i, count);
            std::memcpy(contents.data() + i * array.element_bytes, &value,  // little-endian
                        static_cast<std::size_t>(std::min(array.element_bytes, 8)));
        }
        CUDA_CHECK(cudaMemcpyAsync(buffer.data(), contents.data(), contents.size(), cudaMemcpyHostToDevice,
                                   watch->stream()));
        watch->wait();
    }

    std::uint64_t begin_of(int array) const {
        return reinterpret_cast<std::uint64_t>(buffers[static_cast<std::size_t>(array)]->data());
    }

    void launch(const KernelLaunch& what) {
        std::vector<KernelLaunch::Parameter> parameters = what.parameters;
        std::vector<void*> arguments;
        for (KernelLaunch::Parameter& one : parameters) {
            for (const KernelLaunch::Pointer& pointer : one.pointers) {
                const std::uint64_t value =
                    begin_of(pointer.array) + static_cast<std::uint64_t>(pointer.behind);
                std::memcpy(one.bytes.data() + pointer.at, &value, sizeof value);
            }
            arguments.push_back(one.bytes.data());
        }
        const auto size = [](int number) { return static_cast<unsigned>(number); };
        DRIVER_CALL(cuLaunchKernel, kernel, size(what.grid[0]), size(what.grid[1]), size(what.grid[2]),
                    size(what.block[0]), size(what.block[1]), size(what.block[2]), size(what.dynamic_shared),
                    watch->stream(), arguments.data(), nullptr);
    }

    std::optional<Unavailable> prepare(const KernelLaunch& what) {
        if (auto why = start()) return why;
        if (auto why = reserve(what)) return why;
        return load(what);
    }

    /// A variable of the text that notes accesses.
    void set(const char* name, const void* value, std::size_t bytes) {
        CUdeviceptr at = 0;
        std::size_t size = 0;
        DRIVER_CALL(cuModuleGetGlobal, &at, &size, module, name);
        CUDA_CHECK(cudaMemcpyAsync(reinterpret_cast<void*>(at), value, std::min(bytes, size),
                                   cudaMemcpyHostToDevice, watch->stream()));
        watch->wait();
    }

    void queue_flush() {
        flush.queue(gpu.l2_bytes, reinterpret_cast<std::uint32_t*>(sink.data()), watch->stream());
    }

    KernelTrace trace(const KernelLaunch& what, const TracedBlocks& blocks) {
        const auto row = static_cast<std::size_t>(1 + 2 * blocks.kept),
                   threads = static_cast<std::size_t>(blocks.count * what.threads());
        const auto bytes = static_cast<std::int64_t>(row * threads * sizeof(std::uint64_t));
        rows.reserve(bytes, watch->stream());
        CUDA_CHECK(cudaMemsetAsync(rows.data(), 0, static_cast<std::size_t>(bytes), watch->stream()));
        const void* begin = rows.data();
        set("warplens_rows", &begin, sizeof begin);
        set("warplens_first", &blocks.first, sizeof blocks.first);
        set("warplens_count", &blocks.count, sizeof blocks.count);
        set("warplens_kept", &blocks.kept, sizeof blocks.kept);
        launch(what);
        std::vector<std::uint64_t> all(row * threads);
        CUDA_CHECK(cudaMemcpyAsync(all.data(), rows.data(), all.size() * sizeof all[0],
                                   cudaMemcpyDeviceToHost, watch->stream()));
        watch->wait();
        KernelTrace trace;
        for (std::size_t i = 0; i < what.arrays.size(); ++i) trace.arrays.push_back(begin_of(int(i)));
        for (std::size_t thread = 0; thread < threads; ++thread) {
            const std::uint64_t* of = all.data() + thread * row;
            const std::uint64_t kept =
                std::min<std::uint64_t>(of[0], static_cast<std::uint64_t>(blocks.kept));
            trace.complete = trace.complete && kept == of[0];
            std::vector<TracedAccess>& out = trace.threads.emplace_back();
            for (std::uint64_t i = 0; i < kept; ++i)
                out.push_back(
                    {static_cast<std::uint32_t>(of[1 + 2 * i]), of[1 + 2 * i] >> 32 != 0, of[2 + 2 * i]});
        }
        return trace;
    }
};

KernelRunner::KernelRunner() : state_(std::make_unique<State>()) {}
KernelRunner::~KernelRunner() = default;

namespace {

template <class Result, class Action>
std::variant<Result, Unavailable> guarded(Action action) {
    try {
        return action();
    } catch (const CudaError& error) {
        return Unavailable{error.what()};
    } catch (const GpuStuck& error) {
        return Unavailable{error.what()};
    }
}

}  // namespace

std::variant<Timing, Unavailable> KernelRunner::time(const KernelLaunch& launch, const StopRule& rule,
                                                     double useful_bytes, const std::atomic<bool>* cancel) {
    return guarded<Timing>([&]() -> std::variant<Timing, Unavailable> {
        State& state = *state_;
        if (auto why = state.prepare(launch)) return *why;
        const EventTimes times = time_launches(
            *state.watch, rule, cancel, false, [&] { state.queue_flush(); }, [&] { state.launch(launch); },
            [] { return false; });
        if (times.repeats.stopped == Stopped::cancelled) return Unavailable{"cancelled"};
        state.watch->wait();
        const Spread spread = spread_of(times.repeats.samples);
        Timing timing;
        timing.median_us = spread.median;
        timing.lower_us = spread.lower;
        timing.upper_us = spread.upper;
        timing.repeats = int(times.repeats.samples.size());
        timing.useful_bytes = useful_bytes;
        timing.sm_clock_mhz = sm_clock_mhz();
        timing.gpu = state.gpu.name;
        timing.cold = rule.cold;
        std::int64_t touched = 0;
        for (const KernelLaunch::Array& array : launch.arrays) touched += array.bytes;
        timing.fits_l2 = touched <= state.gpu.l2_bytes;
        timing.method = "grid of " + std::to_string(launch.grid[0]);
        for (const int more : {launch.grid[1], launch.grid[2]})
            if (more > 1) timing.method += " x " + std::to_string(more);
        timing.method += " blocks of " + std::to_string(launch.threads()) + " threads; " +
                         how_timed(times, rule) + "; random data, " + repeats_text(times.repeats);
        return timing;
    });
}

std::variant<std::monostate, Unavailable> KernelRunner::launch_once(const KernelLaunch& launch) {
    return guarded<std::monostate>([&]() -> std::variant<std::monostate, Unavailable> {
        if (auto why = state_->prepare(launch)) return *why;
        state_->launch(launch);
        state_->watch->wait();
        return std::monostate{};
    });
}

std::variant<CounterReading, Unavailable> KernelRunner::count(const KernelLaunch& launch,
                                                              const std::vector<std::string>& metrics) {
    return guarded<CounterReading>([&]() -> std::variant<CounterReading, Unavailable> {
        State& state = *state_;
        if (auto why = state.prepare(launch)) return *why;
        auto reading = state.counters.count(
            metrics,
            [&] {
                state.queue_flush();
                state.watch->wait();
            },
            [&] {
                state.launch(launch);
                state.watch->wait();
            });
        state.watch->wait();
        return reading;
    });
}

std::variant<KernelTrace, Unavailable> KernelRunner::trace(const KernelLaunch& launch,
                                                           const TracedBlocks& blocks) {
    return guarded<KernelTrace>([&]() -> std::variant<KernelTrace, Unavailable> {
        if (auto why = state_->prepare(launch)) return *why;
        return state_->trace(launch, blocks);
    });
}

std::variant<KernelResources, Unavailable> KernelRunner::resources(const KernelLaunch& launch) {
    return guarded<KernelResources>([&]() -> std::variant<KernelResources, Unavailable> {
        State& state = *state_;
        if (auto why = state.start()) return *why;
        if (auto why = state.load(launch)) return *why;
        KernelResources out;
        out.role = "grid";
        out.name = launch.name;
        out.threads = launch.threads();
        out.dynamic_shared = launch.dynamic_shared;
        DRIVER_CALL(cuFuncGetAttribute, &out.registers, CU_FUNC_ATTRIBUTE_NUM_REGS, state.kernel);
        DRIVER_CALL(cuFuncGetAttribute, &out.local, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, state.kernel);
        DRIVER_CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor, &out.blocks_per_sm, state.kernel,
                    out.threads, static_cast<std::size_t>(launch.dynamic_shared));
        out.carveout = -1;
        out.is_timed = true;
        return out;
    });
}

}  // namespace warplens
