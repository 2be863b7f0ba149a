#pragma once

// Plain C++: a file that uses the macros includes a CUDA header itself.
#include <stdexcept>
#include <string>

namespace warplens {

/// A CUDA call that failed. `what()` names the error, the call, the file and the line.
class CudaError : public std::runtime_error {
public:
    CudaError(const std::string& text, int status) : std::runtime_error(text), status_(status) {}
    int status() const { return status_; }  ///< a cudaError_t

private:
    int status_;
};

/// Throws CudaError unless `status` is cudaSuccess, and clears CUDA's memory of the error first: otherwise it
/// would be blamed on the next, innocent call.
/// @param status  a cudaError_t
void throw_if_failed(int status, const char* call, const char* file, int line);

/// For destructors: clears the error and drops it.
void forget_if_failed(int status) noexcept;

/// What CUDA calls an error, with its sentence: "cudaErrorNoDevice: no CUDA-capable device is detected".
std::string describe_cuda_error(int status);

}  // namespace warplens

/// Throws CudaError naming the call, the file and the line.
#define CUDA_CHECK(call) ::warplens::throw_if_failed(static_cast<int>(call), #call, __FILE__, __LINE__)

/// Right after every <<< >>>: catches a bad launch configuration where it happens.
#define CUDA_CHECK_LAUNCH() CUDA_CHECK(cudaGetLastError())

/// Never throws: for destructors.
#define CUDA_FORGET(call) ::warplens::forget_if_failed(static_cast<int>(call))
