#pragma once

#include "kernels/cuda/check.h"

#include <cuda_runtime.h>

namespace warplens {

/// Several launches recorded once and replayed by one call. So the host's work between launches, a few
/// microseconds each, does not appear in the time of a short kernel.
class LaunchGraph {
public:
    /// Record what `launch` queues on the stream, `count` times.
    /// @return  false if it cannot be recorded.
    template <class Launch>
    bool record(cudaStream_t stream, int count, Launch launch) {
        release();
        if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) != cudaSuccess)
            return cudaGetLastError(), false;
        bool launched = true;
        try {
            for (int i = 0; i < count; ++i) launch();
        } catch (const CudaError&) {
            launched = false;
        }
        cudaGraph_t graph = nullptr;
        const bool captured = cudaStreamEndCapture(stream, &graph) == cudaSuccess && graph != nullptr;
        const bool built = captured && launched && cudaGraphInstantiate(&graph_, graph, 0) == cudaSuccess;
        if (graph != nullptr) CUDA_FORGET(cudaGraphDestroy(graph));
        if (built) return true;
        cudaGetLastError();
        graph_ = nullptr;
        return false;
    }

    void replay(cudaStream_t stream) { CUDA_CHECK(cudaGraphLaunch(graph_, stream)); }

    LaunchGraph() = default;
    ~LaunchGraph() { release(); }
    LaunchGraph(const LaunchGraph&) = delete;
    LaunchGraph& operator=(const LaunchGraph&) = delete;

private:
    void release() noexcept {
        if (graph_ != nullptr) CUDA_FORGET(cudaGraphExecDestroy(graph_));
        graph_ = nullptr;
    }
    cudaGraphExec_t graph_ = nullptr;
};

}  // namespace warplens
