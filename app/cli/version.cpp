#include "app/cli/version.h"

#include "app/base/version.h"
#include "kernels/cuda/gpu.h"

#include <fmt/format.h>

namespace warplens {

std::string cuda_version_text(int version) {
    return version == 0 ? std::string() : fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

std::string version_line() {
    const CudaVersions versions = cuda_versions();
    const std::string cuda = versions.built_with_cuda
                                 ? fmt::format("CUDA {}", cuda_version_text(versions.runtime))
                                 : "without CUDA";
    return fmt::format("warplens {} ({}{}{})", version(), revision(), revision().empty() ? "" : ", ", cuda);
}

}  // namespace warplens
