#include "kernels/cuda/check.h"

#include <cuda_runtime_api.h>

#include <atomic>
#include <string_view>

namespace warplens {
namespace {

std::atomic<long> failing_call = 0, calls = 0;

/// The path relative to the repository's root. Messages must not show where the program was built.
std::string_view from_root(std::string_view file) {
    constexpr std::string_view kThisFile = "kernels/cuda/check.cpp", kHere = __FILE__;
    const std::string_view root = kHere.substr(0, kHere.size() - kThisFile.size());
    return file.starts_with(root) ? file.substr(root.size()) : file;
}

}  // namespace

void fail_checked_call(long nth) {
    calls = 0;
    failing_call = nth;
}
long checked_calls() { return calls; }
bool must_fail() noexcept { return ++calls == failing_call; }

std::string describe_cuda_error(int status) {
    const auto error = static_cast<cudaError_t>(status);
    return std::string(cudaGetErrorName(error)) + ": " + cudaGetErrorString(error);
}

void throw_if_failed(int status, const char* call, const char* file, int line) {
    if (must_fail()) status = cudaErrorUnknown;
    if (status == cudaSuccess) return;
    cudaGetLastError();
    throw CudaError(describe_cuda_error(status) + " (in " + call + " at " + std::string(from_root(file)) +
                        ":" + std::to_string(line) + ")",
                    status);
}

void forget_if_failed(int status) noexcept {
    if (status != cudaSuccess) cudaGetLastError();
}

}  // namespace warplens
