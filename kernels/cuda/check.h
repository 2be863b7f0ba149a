#pragma once

// The folder kernels/cuda/ contains what all CUDA code here is built from: error checks, buffers,
// textures, loads and stores of one instruction each, launches, and the list of GPUs.
// It knows no scenario. no_cuda.cpp replaces all kernels in a build without CUDA.
//
// Plain C++: a file that uses the macros must include a CUDA header itself.
#include <stdexcept>
#include <string>

namespace warplens {

/// A CUDA call has failed. `what()` names the error, the call, the file and the line.
class CudaError : public std::runtime_error {
public:
    CudaError(const std::string& text, int status) : std::runtime_error(text), status_(status) {}
    int status() const { return status_; }  ///< a cudaError_t

private:
    int status_;
};

/// Throws CudaError unless `status` is cudaSuccess. It clears CUDA's record of the error first, because
/// otherwise the next call would report it again.
/// @param status  a cudaError_t
void throw_if_failed(int status, const char* call, const char* file, int line);

/// Clears the error and ignores it: for destructors.
void forget_if_failed(int status) noexcept;

/// The one place where a test makes calls fail: of the calls of CUDA, CUPTI and cuBLAS that are checked from
/// now on, on all threads, the nth fails. 0 for none, which is so at the start.
void fail_checked_call(long nth);
long checked_calls();  ///< since then
/// Counts one checked call. @return  whether it has to fail.
bool must_fail() noexcept;

/// The name of a CUDA error and its description, as in "cudaErrorNoDevice: no CUDA-capable device is
/// detected".
std::string describe_cuda_error(int status);

}  // namespace warplens

/// Throws CudaError naming the call, the file and the line.
#define CUDA_CHECK(call) ::warplens::throw_if_failed(int(call), #call, __FILE__, __LINE__)

/// To be called right after every <<< >>>: it reports a bad launch configuration where it occurs.
#define CUDA_CHECK_LAUNCH() CUDA_CHECK(cudaGetLastError())

/// Never throws: for destructors.
#define CUDA_FORGET(call) ::warplens::forget_if_failed(int(call))
