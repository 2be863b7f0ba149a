#pragma once

// Plain C++: callers need neither nvcc nor a CUDA header.
#include "kernels/unavailable.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace warplens {

/// One CUDA device, as the driver describes it.
struct GpuInfo {
    int index = 0;
    std::string name;
    int cc_major = 0, cc_minor = 0;
    /// The compute capability that the code is compiled for which this build has for the GPU, as major * 10 +
    /// minor; 0 if the driver was not asked. It may be older than the GPU.
    int code_cc = 0;
    int sm_count = 0;
    double clock_mhz = 0;  ///< largest SM clock [MHz]
    /// Memory clock * bus width [10^9 bytes/s]. 0 if the driver does not tell.
    double peak_gb_per_s = 0;
    std::int64_t memory_bytes = 0;
    /// free at the moment of the call; 0 if the driver was not asked, because that would initialise the
    /// device
    std::int64_t free_bytes = 0;
    std::int64_t l2_bytes = 0;
    std::int64_t shared_per_block_optin_bytes = 0;
    int max_threads_per_block = 0;
    /// cudaLimitMaxL2FetchGranularity, the bytes that an isolated read fetches; 0 if the driver was not asked
    int l2_fetch_granularity_bytes = 0;
};

/// CUDA versions as 1000 * major + 10 * minor. 0 if there is none.
struct CudaVersions {
    bool built_with_cuda = false;
    int runtime = 0;
    int driver = 0;  ///< the newest CUDA that the installed driver supports
};

CudaVersions cuda_versions();

/// "13.0" of 13000. Empty for 0.
inline std::string cuda_version_text(int version) {
    return version == 0 ? "" : std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// All usable GPUs, or why there is none. The first call may take half a second, because it initialises CUDA
/// on the current device. The other devices are described but not initialised.
std::variant<std::vector<GpuInfo>, Unavailable> list_gpus();

/// Ask the current device how much it should fetch from DRAM when one sector is missing. It applies to this
/// process only.
/// @param bytes  32, 64 or 128.
/// @return  why it did not work, because the device does not support it or chose another size.
std::optional<Unavailable> set_l2_fetch_granularity(int bytes);

/// The clocks, temperature and power state of a GPU at the moment, from NVIDIA's management library, which is
/// loaded when it is first needed. They are read, never changed. A number that is not reported is 0, a text
/// empty.
struct GpuConditions {
    double sm_clock_mhz = 0;
    double memory_clock_mhz = 0;
    int power_state = -1;  ///< the P-state, of which 0 is the fastest; -1 if not reported
    double power_watt = 0;
    double temperature_celsius = 0;
    std::string driver;  ///< as in "580.95.05"
};

/// The conditions of the CUDA device that is current on this thread. The call takes a millisecond.
GpuConditions gpu_conditions();

/// Only the SM clock [MHz]; 0 if it is not reported.
double sm_clock_mhz();

}  // namespace warplens
