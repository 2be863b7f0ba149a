// Finds out what the kernels of a setting need of an SM. The function that launches it is called while its
// stream is captured, so that the launch becomes a node of a CUDA graph instead of running. The node tells
// which kernel it is and how it would be launched.
#include "kernels/timing/microbenchmarks.cuh"
#include "kernels/timing/timed_state.cuh"

#include <algorithm>
#include <utility>

namespace warplens {
namespace {

/// Records what is queued on a stream instead of executing it.
class Capture {
public:
    explicit Capture(cudaStream_t stream) : stream_(stream) {
        // Relaxed mode, because the first use of a kernel may load its code, which other modes do not allow.
        CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    }
    ~Capture() {
        if (graph_ == nullptr && stream_ != nullptr) {
            CUDA_FORGET(cudaStreamEndCapture(stream_, &graph_));
            cudaGetLastError();
        }
        if (graph_ != nullptr) CUDA_FORGET(cudaGraphDestroy(graph_));
    }
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;

    /// End the capture. Returns the kernel launches among what was recorded, in order.
    std::vector<cudaKernelNodeParams> launches() {
        CUDA_CHECK(cudaStreamEndCapture(std::exchange(stream_, nullptr), &graph_));
        std::size_t count = 0;
        CUDA_CHECK(cudaGraphGetNodes(graph_, nullptr, &count));
        std::vector<cudaGraphNode_t> nodes(count);
        if (count > 0) CUDA_CHECK(cudaGraphGetNodes(graph_, nodes.data(), &count));
        std::vector<cudaKernelNodeParams> launches;
        for (const cudaGraphNode_t node : nodes) {
            cudaGraphNodeType type{};
            CUDA_CHECK(cudaGraphNodeGetType(node, &type));
            if (type != cudaGraphNodeTypeKernel) continue;
            CUDA_CHECK(cudaGraphKernelNodeGetParams(node, &launches.emplace_back()));
        }
        return launches;
    }

private:
    cudaStream_t stream_;
    cudaGraph_t graph_ = nullptr;
};

std::string name_of(const void* kernel) {
#if CUDART_VERSION >= 12030
    const char* mangled = nullptr;
    if (cudaFuncGetName(&mangled, kernel) == cudaSuccess && mangled != nullptr)
        return short_kernel_name(mangled);
    cudaGetLastError();
#else
    (void)kernel;
#endif
    return "";
}

KernelResources describe(const cudaKernelNodeParams& launch, const char* role, bool is_timed) {
    cudaFuncAttributes attributes{};
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, launch.func));
    KernelResources kernel;
    kernel.role = role;
    kernel.name = name_of(launch.func);
    kernel.threads = int(launch.blockDim.x * launch.blockDim.y * launch.blockDim.z);
    kernel.registers = attributes.numRegs;
    kernel.static_shared = int(attributes.sharedSizeBytes);
    kernel.dynamic_shared = int(launch.sharedMemBytes);
    kernel.local = int(attributes.localSizeBytes);
    kernel.carveout = attributes.preferredShmemCarveout;
    kernel.is_timed = is_timed;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&kernel.blocks_per_sm, launch.func,
                                                             kernel.threads, launch.sharedMemBytes));
    return kernel;
}

}  // namespace

std::variant<std::vector<KernelResources>, Unavailable> TimedKernels::State::resources_of(
    const TimedLaunch& job) {
    std::vector<KernelResources> kernels;
    std::optional<Unavailable> refused;
    const auto add = [&](const char* role, bool is_timed, auto launch) {
        if (refused) return;
        Capture capture(watch->stream());
        refused = launch();
        if (refused) return;
        // Before the last one, kernels may warm up caches.
        const std::vector<cudaKernelNodeParams> launches = capture.launches();
        if (!launches.empty()) kernels.push_back(describe(launches.back(), role, is_timed));
    };
    const Measured how = job.setting.how;
    add("grid", how == Measured::grid || how == Measured::walk,
        [&] { return job.kernel.launch(job.params, memory(), watch->stream()); });
    if (how == Measured::chain)
        add("chain", true, [&] { return launch_chain(job.setting, memory(), watch->stream()); });
    const std::vector<PicturedRequest> banks = job.setting.bank_requests();
    if (!banks.empty())
        add("banks", how == Measured::banks, [&] {
            return launch_bank_loop(banks.front(), job.setting.shape, gpu.sm_count, memory(),
                                    watch->stream());
        });
    if (refused) return *refused;
    std::stable_partition(kernels.begin(), kernels.end(),
                          [](const KernelResources& kernel) { return kernel.is_timed; });
    return kernels;
}

}  // namespace warplens
