// For tests: the scenario's kernel (its story stands in stream.cu) once, on fresh random buffers, and what it
// wrote.
#include "kernels/device_buffer.cuh"
#include "kernels/dispatch.h"
#include "kernels/gpu.h"
#include "kernels/replay.cuh"
#include "kernels/replay.h"
#include "kernels/setting.h"
#include "kernels/timing.cuh"

namespace warplens {

std::variant<ReplayOutput, Unavailable> replay_to_host(std::string_view scenario, const Params& params) {
    const auto setting = describe_setting(scenario, params);
    if (!setting) return no_such_scenario(scenario);
    const LaunchShape& shape = setting->shape;
    const auto gpus = list_gpus();
    if (const auto* why = std::get_if<Unavailable>(&gpus)) return *why;
    try {
        Stopwatch watch;
        DeviceBuffer buffers[2], sink;
        sink.reserve(sizeof(std::uint32_t), watch.stream());
        for (int b = 0; b < 2; ++b) buffers[b].reserve(shape.buffer_bytes[b], watch.stream());
        watch.wait();
        const auto fetch = [&](int b) {
            std::vector<unsigned char> bytes(static_cast<std::size_t>(shape.buffer_bytes[b]));
            CUDA_CHECK(cudaMemcpy(bytes.data(), buffers[b].data(), bytes.size(), cudaMemcpyDeviceToHost));
            return bytes;
        };
        ReplayOutput output{fetch(0), fetch(1), {}};
        const ReplayMemory memory{{buffers[0].data(), buffers[1].data()},
                                  reinterpret_cast<std::uint32_t*>(sink.data())};
        if (auto why = launch_replay(scenario, params, memory, watch.stream())) return *why;
        watch.wait();
        output.after = fetch(1);
        return output;
    } catch (const CudaError& error) {
        return Unavailable{error.what()};
    } catch (const GpuStuck& error) {
        return Unavailable{error.what()};
    }
}

}  // namespace warplens
