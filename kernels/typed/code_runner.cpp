// Loads PTX through the driver, whose functions are found when they are first needed, so that the program
// starts without a driver.
#include "kernels/typed/code_runner.h"

#include "kernels/cuda/check.h"
#include "kernels/cuda/device_buffer.cuh"
#include "kernels/cuda/gpu.h"
#include "kernels/timing/event_times.cuh"
#include "kernels/timing/l2_flush.cuh"
#include "kernels/typed/code_step.h"
#include "kernels/typed/interpret.cuh"

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

struct CodeRunner::State {
    GpuInfo gpu;
    std::unique_ptr<Stopwatch> watch;
    std::vector<std::unique_ptr<DeviceBuffer>> buffers;  ///< one for each array in global memory
    DeviceBuffer status, sink, rows;
    L2Flush flush;
    HardwareCounters counters;
    CUmodule module = nullptr;
    CUfunction kernel = nullptr;
    std::string loaded;  ///< the PTX of the module

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
        status.reserve(sizeof(std::uint32_t), watch->stream());
        return std::nullopt;
    }

    /// Compile, if it is another text than the last one.
    void load(const Code& code, const std::string& ptx) {
        if (loaded == ptx) return;
        unload();
        std::array<char, 2048> log{};
        CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        void* values[] = {log.data(), reinterpret_cast<void*>(std::uintptr_t{log.size()})};
        const CUresult result = driver<decltype(cuModuleLoadDataEx)>("cuModuleLoadDataEx")(
            &module, ptx.c_str(), 2, options, values);
        if (result != CUDA_SUCCESS) {
            module = nullptr;
            throw CudaError("the driver does not compile this kernel: " +
                                std::string(log.data(), strnlen(log.data(), log.size())),
                            int(result));
        }
        DRIVER_CALL(cuModuleGetFunction, &kernel, module, "typed_kernel");
        constexpr std::int64_t kWithoutAsking = 48 * 1024;
        if (code.shared_bytes > kWithoutAsking)
            DRIVER_CALL(cuFuncSetAttribute, kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                        int(code.shared_bytes));
        loaded = ptx;
    }

    /// Memory for the arrays. Index arrays get their contents, all others random data.
    std::optional<Unavailable> reserve(const Code& code) {
        std::int64_t wanted = 0;
        for (const CodeMemory& memory : code.memories)
            if (memory.space == CodeSpace::global) wanted += std::min(memory.bytes, kMostMemory);
        std::size_t free = 0, total = 0;
        std::size_t used = 0;
        for (const auto& buffer : buffers) used += static_cast<std::size_t>(buffer->bytes());
        CUDA_CHECK(cudaMemGetInfo(&free, &total));
        constexpr std::int64_t kLeaveFree = std::int64_t{64} << 20;
        if (wanted + kLeaveFree > static_cast<std::int64_t>(free + used))
            return Unavailable{"its arrays need " + std::to_string(wanted >> 20) + " MiB, and " +
                               std::to_string((free + used) >> 20) + " MiB are free on the GPU"};
        std::size_t next = 0;
        for (const CodeMemory& memory : code.memories) {
            if (memory.space != CodeSpace::global) continue;
            if (next == buffers.size()) buffers.push_back(std::make_unique<DeviceBuffer>());
            DeviceBuffer& buffer = *buffers[next++];
            if (buffer.bytes() < memory.bytes) buffer.reserve(memory.bytes, watch->stream());
            if (memory.content != CodeContent::unknown) fill(buffer, memory);
        }
        CUDA_CHECK(cudaMemsetAsync(status.data(), 0, sizeof(std::uint32_t), watch->stream()));
        watch->wait();
        return std::nullopt;
    }

    void fill(const DeviceBuffer& buffer, const CodeMemory& memory) const {
        const int each = bytes_of(memory.type);
        const std::int64_t count = memory.bytes / each;
        std::vector<unsigned char> contents(static_cast<std::size_t>(memory.bytes));
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t value = code_content(memory.content, i, count);
            std::memcpy(contents.data() + i * each, &value, static_cast<std::size_t>(each));  // little-endian
        }
        CUDA_CHECK(cudaMemcpyAsync(buffer.data(), contents.data(), contents.size(), cudaMemcpyHostToDevice,
                                   watch->stream()));
        watch->wait();
    }

    void launch(const Code& code, const CodeBlocks* traced) {
        std::vector<std::uint64_t> values;
        std::size_t next = 0;
        for (const CodeMemory& memory : code.memories)
            if (memory.space == CodeSpace::global)
                values.push_back(reinterpret_cast<std::uint64_t>(buffers[next++]->data()));
        if (traced != nullptr)
            values.insert(
                values.end(),
                {reinterpret_cast<std::uint64_t>(rows.data()), static_cast<std::uint64_t>(traced->first),
                 static_cast<std::uint64_t>(traced->count), static_cast<std::uint64_t>(traced->kept)});
        values.push_back(reinterpret_cast<std::uint64_t>(status.data()));
        std::vector<void*> arguments;
        for (std::uint64_t& value : values) arguments.push_back(&value);
        DRIVER_CALL(cuLaunchKernel, kernel, static_cast<unsigned>(code.grid_x),
                    static_cast<unsigned>(code.grid_y), 1, static_cast<unsigned>(code.block_x),
                    static_cast<unsigned>(code.block_y), static_cast<unsigned>(code.block_z),
                    static_cast<unsigned>(code.shared_bytes), watch->stream(), arguments.data(), nullptr);
    }

    std::uint32_t read_status() {
        std::uint32_t value = 0;
        CUDA_CHECK(
            cudaMemcpyAsync(&value, status.data(), sizeof value, cudaMemcpyDeviceToHost, watch->stream()));
        watch->wait();
        return value;
    }

    std::optional<Unavailable> check_status() {
        if (read_status() != 0)
            return Unavailable{"an access lay outside its array, so the launch shows nothing"};
        return std::nullopt;
    }

    std::optional<Unavailable> prepare(const Code& code, const std::string& ptx) {
        if (auto why = start()) return why;
        if (auto why = reserve(code)) return why;
        load(code, ptx);
        return std::nullopt;
    }

    void queue_flush() {
        flush.queue(gpu.l2_bytes, reinterpret_cast<std::uint32_t*>(sink.data()), watch->stream());
    }

    void reserve_rows(const Code& code, const CodeBlocks& blocks) {
        rows.reserve(blocks.count * code.threads() * (1 + std::int64_t{blocks.kept}) * 8, watch->stream());
    }
    CodeTrace read_rows(const Code& code, const CodeBlocks& blocks) {
        const auto row = static_cast<std::size_t>(1 + blocks.kept),
                   threads = static_cast<std::size_t>(blocks.count * code.threads());
        std::vector<std::uint64_t> all(row * threads);
        CUDA_CHECK(cudaMemcpyAsync(all.data(), rows.data(), all.size() * 8, cudaMemcpyDeviceToHost,
                                   watch->stream()));
        watch->wait();
        CodeTrace trace;
        for (std::size_t thread = 0; thread < threads; ++thread) {
            const std::uint64_t made = all[thread * row], kept = std::min<std::uint64_t>(made, row - 1);
            trace.complete = trace.complete && kept == made;
            std::vector<CodeAccess>& out = trace.threads.emplace_back();
            for (std::uint64_t i = 0; i < kept; ++i) out.push_back({all[thread * row + 1 + i]});
        }
        return trace;
    }
};

CodeRunner::CodeRunner() : state_(std::make_unique<State>()) {}
CodeRunner::~CodeRunner() = default;

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

std::variant<Timing, Unavailable> CodeRunner::time(const Code& code, const std::string& ptx,
                                                   const StopRule& rule, double useful_bytes,
                                                   const std::atomic<bool>* cancel) {
    return guarded<Timing>([&]() -> std::variant<Timing, Unavailable> {
        State& state = *state_;
        if (auto why = state.prepare(code, ptx)) return *why;
        const EventTimes times = time_launches(
            *state.watch, rule, cancel, [&] { state.queue_flush(); }, [&] { state.launch(code, nullptr); },
            [] { return false; });
        if (times.repeats.stopped == Stopped::cancelled) return Unavailable{"cancelled"};
        if (auto why = state.check_status()) return *why;
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
        for (const CodeMemory& memory : code.memories)
            if (memory.space == CodeSpace::global) touched += memory.bytes;
        timing.fits_l2 = touched <= state.gpu.l2_bytes;
        timing.method = "grid of " + std::to_string(code.grid_x) +
                        (code.grid_y > 1 ? " x " + std::to_string(code.grid_y) : std::string()) +
                        " blocks of " + std::to_string(code.threads()) + " threads; " +
                        how_timed(times, rule) + "; random data, " + repeats_text(times.repeats);
        return timing;
    });
}

std::variant<std::monostate, Unavailable> CodeRunner::launch_once(const Code& code, const std::string& ptx) {
    return guarded<std::monostate>([&]() -> std::variant<std::monostate, Unavailable> {
        if (auto why = state_->prepare(code, ptx)) return *why;
        state_->launch(code, nullptr);
        if (auto why = state_->check_status()) return *why;
        return std::monostate{};
    });
}

std::variant<CounterReading, Unavailable> CodeRunner::count(const Code& code, const std::string& ptx,
                                                            const std::vector<std::string>& metrics) {
    return guarded<CounterReading>([&]() -> std::variant<CounterReading, Unavailable> {
        State& state = *state_;
        if (auto why = state.prepare(code, ptx)) return *why;
        auto reading = state.counters.count(
            metrics,
            [&] {
                state.queue_flush();
                state.watch->wait();
            },
            [&] {
                state.launch(code, nullptr);
                state.watch->wait();
            });
        if (auto why = state.check_status()) return *why;
        return reading;
    });
}

std::variant<CodeTrace, Unavailable> CodeRunner::trace(const Code& code, const std::string& ptx,
                                                       const CodeBlocks& blocks) {
    return guarded<CodeTrace>([&]() -> std::variant<CodeTrace, Unavailable> {
        State& state = *state_;
        if (auto why = state.prepare(code, ptx)) return *why;
        state.reserve_rows(code, blocks);
        state.launch(code, &blocks);
        if (auto why = state.check_status()) return *why;
        return state.read_rows(code, blocks);
    });
}

std::variant<CodeTrace, Unavailable> CodeRunner::interpret(const Code& code, const CodeBlocks& blocks) {
    return guarded<CodeTrace>([&]() -> std::variant<CodeTrace, Unavailable> {
        State& state = *state_;
        if (auto why = state.start()) return *why;
        CUDA_CHECK(cudaMemsetAsync(state.status.data(), 0, sizeof(std::uint32_t), state.watch->stream()));
        state.reserve_rows(code, blocks);
        DeviceBuffer text, memories, registers;
        const auto copy = [&](DeviceBuffer& buffer, const auto& all) {
            const std::int64_t bytes = all.size() * sizeof(all.front());
            buffer.reserve(std::max<std::int64_t>(bytes, 16), state.watch->stream());
            CUDA_CHECK(cudaMemcpyAsync(buffer.data(), all.data(), static_cast<std::size_t>(bytes),
                                       cudaMemcpyHostToDevice, state.watch->stream()));
        };
        copy(text, code.instructions);
        copy(memories, code.memories);
        const std::int64_t slots = std::max(code.slots, 1) * std::int64_t{8} * code.threads() * blocks.count;
        registers.reserve(slots, state.watch->stream());
        CUDA_CHECK(
            cudaMemsetAsync(registers.data(), 0, static_cast<std::size_t>(slots), state.watch->stream()));
        InterpretedLaunch launch;
        launch.code = reinterpret_cast<const CodeInstr*>(text.data());
        launch.memories = reinterpret_cast<const CodeMemory*>(memories.data());
        launch.registers = reinterpret_cast<std::int64_t*>(registers.data());
        launch.rows = reinterpret_cast<std::uint64_t*>(state.rows.data());
        launch.status = reinterpret_cast<std::uint32_t*>(state.status.data());
        launch.first_block = blocks.first;
        launch.grid_x = code.grid_x;
        launch.block_x = code.block_x;
        launch.block_y = code.block_y;
        launch.block_z = code.block_z;
        launch.kept = blocks.kept;
        launch_interpreter(launch, int(blocks.count), state.watch->stream());
        if (auto why = state.check_status()) return *why;
        return state.read_rows(code, blocks);
    });
}

std::variant<KernelResources, Unavailable> CodeRunner::resources(const Code& code, const std::string& ptx) {
    return guarded<KernelResources>([&]() -> std::variant<KernelResources, Unavailable> {
        State& state = *state_;
        if (auto why = state.start()) return *why;
        state.load(code, ptx);
        KernelResources out;
        out.role = "grid";
        out.name = "typed_kernel";
        out.threads = code.threads();
        out.dynamic_shared = int(code.shared_bytes);
        DRIVER_CALL(cuFuncGetAttribute, &out.registers, CU_FUNC_ATTRIBUTE_NUM_REGS, state.kernel);
        DRIVER_CALL(cuFuncGetAttribute, &out.local, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, state.kernel);
        DRIVER_CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor, &out.blocks_per_sm, state.kernel,
                    out.threads, static_cast<std::size_t>(code.shared_bytes));
        out.carveout = -1;
        out.is_timed = true;
        return out;
    });
}

}  // namespace warplens
