// Lists the GPUs of this machine. Its only kernel does nothing: it is asked for its attributes, to learn
// whether this build has code that the GPU can run. It is never launched and accesses no memory.
#include "kernels/cuda/gpu.h"

#include "kernels/cuda/check.h"

#include <cuda_runtime.h>

namespace warplens {
namespace {

__global__ void do_nothing() {}

/// Why CUDA found no device, as a sentence.
Unavailable explain(cudaError_t error) {
    const CudaVersions versions = cuda_versions();
    if (versions.driver == 0) return {"no NVIDIA driver is installed here"};
    if (error == cudaErrorInsufficientDriver) {
        return {"the NVIDIA driver is too old: it supports CUDA " + cuda_version_text(versions.driver) +
                ", and this program was built with CUDA " + cuda_version_text(versions.runtime) +
                "; update the driver"};
    }
    if (error == cudaErrorNoDevice) return {"no NVIDIA GPU is here, or CUDA_VISIBLE_DEVICES hides it"};
    return {"CUDA does not start: " + describe_cuda_error(error)};
}

int attribute(cudaDeviceAttr what, int device) {
    int value = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&value, what, device));
    return value;
}

GpuInfo describe(int device) {
    cudaDeviceProp properties{};
    CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
    GpuInfo gpu;
    gpu.index = device;
    gpu.name = properties.name;
    gpu.cc_major = properties.major;
    gpu.cc_minor = properties.minor;
    gpu.sm_count = properties.multiProcessorCount;
    gpu.clock_mhz = attribute(cudaDevAttrClockRate, device) * 1e-3;
    const double memory_khz =
        attribute(cudaDevAttrMemoryClockRate, device);  // The memory transfers data twice per clock.
    gpu.peak_gb_per_s =
        2 * memory_khz * 1e3 * (attribute(cudaDevAttrGlobalMemoryBusWidth, device) / 8.0) * 1e-9;
    gpu.memory_bytes = static_cast<std::int64_t>(properties.totalGlobalMem);
    gpu.l2_bytes = properties.l2CacheSize;
    gpu.shared_per_block_optin_bytes = static_cast<std::int64_t>(properties.sharedMemPerBlockOptin);
    gpu.max_threads_per_block = properties.maxThreadsPerBlock;
    return gpu;
}

/// Asks for what only an initialised device can tell. Leaves the device current on this thread.
void ask_started_device(GpuInfo& gpu) {
    CUDA_CHECK(cudaSetDevice(gpu.index));
    std::size_t free = 0, total = 0, granularity = 0;
    CUDA_CHECK(cudaMemGetInfo(&free, &total));
    gpu.free_bytes = static_cast<std::int64_t>(free);
    if (cudaDeviceGetLimit(&granularity, cudaLimitMaxL2FetchGranularity) == cudaSuccess) {
        gpu.l2_fetch_granularity_bytes = int(granularity);
    } else {
        cudaGetLastError();
    }
    cudaFuncAttributes attributes{};
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, do_nothing));
    gpu.code_cc = attributes.ptxVersion;
}

}  // namespace

CudaVersions cuda_versions() {
    CudaVersions versions{.built_with_cuda = true};
    CUDA_FORGET(cudaRuntimeGetVersion(&versions.runtime));
    CUDA_FORGET(cudaDriverGetVersion(&versions.driver));
    return versions;
}

std::optional<Unavailable> set_l2_fetch_granularity(int bytes) {
    const auto wanted = static_cast<std::size_t>(bytes);
    std::size_t taken = 0;
    const bool asked = cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, wanted) == cudaSuccess &&
                       cudaDeviceGetLimit(&taken, cudaLimitMaxL2FetchGranularity) == cudaSuccess;
    if (asked && taken == wanted) return std::nullopt;
    cudaGetLastError();
    return Unavailable{"this GPU does not take a fetch granularity of " + std::to_string(bytes) + " bytes"};
}

std::variant<std::vector<GpuInfo>, Unavailable> list_gpus() {
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0) {
        cudaGetLastError();
        return explain(error == cudaSuccess ? cudaErrorNoDevice : error);
    }
    try {
        int current = 0;
        CUDA_CHECK(cudaGetDevice(&current));
        std::vector<GpuInfo> gpus;
        for (int device = 0; device < count; ++device) gpus.push_back(describe(device));
        // Only the device in use is asked: initialising the others would take their memory and seconds of
        // time.
        ask_started_device(gpus.at(current));
        return gpus;
    } catch (const CudaError& failure) {
        if (failure.status() == cudaErrorNoKernelImageForDevice) {
            return Unavailable{
                "this build has no code for this GPU; build it again with CMAKE_CUDA_ARCHITECTURES=native"};
        }
        return Unavailable{std::string("the GPU cannot be used: ") + failure.what()};
    }
}

}  // namespace warplens
