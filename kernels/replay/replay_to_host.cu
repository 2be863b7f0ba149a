// For tests: launches the scenario's kernel (described in stream.cuh) once on fresh random buffers, and
// returns what it wrote.
#include "kernels/cuda/device_buffer.cuh"
#include "kernels/cuda/device_texture.cuh"
#include "kernels/cuda/gpu.h"
#include "kernels/launch_setting.h"
#include "kernels/replay/cases.h"
#include "kernels/replay/replay.cuh"
#include "kernels/replay/replay.h"
#include "kernels/replay/scenario_kernels.cuh"
#include "kernels/timing/timing.cuh"

namespace warplens {

ReplayOutput replay_once(const OwnKernel& kernel, const LaunchShape& shape, const Params& params) {
    Stopwatch watch;
    DeviceBuffer buffers[kMaxBuffers], sink, clocks;
    DeviceTexture texture;
    sink.reserve(sizeof(std::uint32_t), watch.stream());
    clocks.reserve(sizeof(ClockPair), watch.stream());
    for (int b = 0; b < kMaxBuffers; ++b) buffers[b].reserve(shape.buffer_bytes[b], watch.stream());
    texture.reserve(shape.texture, static_cast<Border>(shape.border), watch.stream());
    const ReplayMemory memory{{buffers[0].data(), buffers[1].data(), buffers[2].data()},
                              reinterpret_cast<std::uint32_t*>(sink.data()),
                              reinterpret_cast<ClockPair*>(clocks.data()),
                              texture.object()};
    const auto fetch = [&](int b) {
        watch.wait();
        std::vector<unsigned char> bytes(static_cast<std::size_t>(shape.buffer_bytes[b]));
        CUDA_CHECK(cudaMemcpy(bytes.data(), buffers[b].data(), bytes.size(), cudaMemcpyDeviceToHost));
        return bytes;
    };
    std::optional<Unavailable> why;
    if (kernel.prepare != nullptr) why = kernel.prepare(params, memory, watch.stream());
    ReplayOutput output{fetch(0), fetch(1), {}, fetch(2)};
    if (!why) why = kernel.launch(params, memory, watch.stream());
    if (why) throw CannotLaunch(why->reason);
    output.after = fetch(1);
    return output;
}

std::variant<ReplayOutput, Unavailable> replay_to_host(std::string_view scenario, const Params& params) {
    const auto setting = describe_setting(scenario, params);
    if (!setting) return no_such_scenario(scenario);
    const auto gpus = list_gpus();
    if (const auto* why = std::get_if<Unavailable>(&gpus)) return *why;
    if (auto why = refuse_gpu(*setting->info, std::get<0>(gpus).front())) return *why;
    try {
        return replay_once(scenario_kernels(scenario)->grid, setting->shape, params);
    } catch (const std::runtime_error& error) {  // CudaError, GpuStuck, CannotLaunch
        return Unavailable{error.what()};
    }
}

}  // namespace warplens
