// Chooses the kernel, the stream and the memory of the traces for the pictures. The kernel is described in
// trace_kernel.cuh.
#include "kernels/replay/trace.h"

#include "kernels/cuda/check.h"
#include "kernels/replay/cases.h"
#include "kernels/replay/scenario_kernels.cuh"

#include <cuda_runtime.h>
#include <algorithm>

namespace warplens {

std::optional<Unavailable> launch_trace(const TraceRequest& request, Trace* device_trace, void* stream) {
    if (request.rules.wide_banks || request.rules.single_broadcast || request.rules.extra_16 > 0) {
        return Unavailable{
            "the trace kernel follows the banks of compute capability 5.0 and later; the model fills in"};
    }
    try {
        const auto kernels = scenario_kernels(request.scenario);
        if (!kernels) return no_such_scenario(request.scenario);
        kernels->trace(request, device_trace, static_cast<cudaStream_t>(stream));
        return std::nullopt;
    } catch (const CudaError& error) {
        return Unavailable{std::string("the trace kernel failed: ") + error.what()};
    }
}

struct HostTracer::State {
    cudaStream_t stream = nullptr;
    Trace* on_device = nullptr;
    Trace* on_host = nullptr;  ///< pinned memory, because otherwise the copy would wait for other streams too
    std::size_t capacity = 0;  ///< [traces]

    ~State() {
        release();
        if (stream != nullptr) CUDA_FORGET(cudaStreamDestroy(stream));
    }
    void release() {
        CUDA_FORGET(cudaFree(on_device));
        CUDA_FORGET(cudaFreeHost(on_host));
        on_device = on_host = nullptr;
        capacity = 0;
    }
    void reserve(std::size_t count) {
        if (stream == nullptr) {
            int lowest = 0, highest = 0;
            CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
            CUDA_CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, highest));
        }
        if (count <= capacity) return;
        release();
        CUDA_CHECK(cudaMalloc(&on_device, count * sizeof(Trace)));
        CUDA_CHECK(cudaMallocHost(&on_host, count * sizeof(Trace)));
        capacity = count;
    }
};

HostTracer::HostTracer() : state_(std::make_unique<State>()) {}
HostTracer::~HostTracer() = default;

std::optional<Unavailable> HostTracer::trace(std::span<const TraceRequest> requests,
                                             std::span<Trace> traces) {
    if (requests.empty()) return std::nullopt;
    State& state = *state_;
    try {
        state.reserve(requests.size());
        for (std::size_t i = 0; i < requests.size(); ++i) {
            if (auto why = launch_trace(requests[i], state.on_device + i, state.stream)) return why;
        }
        const std::size_t bytes = requests.size() * sizeof(Trace);
        CUDA_CHECK(
            cudaMemcpyAsync(state.on_host, state.on_device, bytes, cudaMemcpyDeviceToHost, state.stream));
        CUDA_CHECK(cudaStreamSynchronize(state.stream));
        std::copy_n(state.on_host, requests.size(), traces.begin());
        return std::nullopt;
    } catch (const CudaError& error) {
        return Unavailable{std::string("the trace could not be computed on the GPU: ") + error.what()};
    }
}

std::optional<Unavailable> trace_to_host(std::span<const TraceRequest> requests, std::span<Trace> traces) {
    return HostTracer().trace(requests, traces);
}

}  // namespace warplens
