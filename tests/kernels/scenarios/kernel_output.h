#pragma once

// Plain C++, for tests of what kernels write.
#include "kernels/params.h"
#include "kernels/unavailable.h"

#include <string_view>
#include <variant>
#include <vector>

namespace warplens::test {

/// What a scenario's kernel read and wrote in one launch over its whole grid.
struct KernelOutput {
    std::vector<unsigned char> in;      ///< buffer 0 before the launch
    std::vector<unsigned char> before;  ///< buffer 1 before the launch
    std::vector<unsigned char> after;   ///< buffer 1 after it
    std::vector<unsigned char> second;  ///< buffer 2 before the launch
};

/// Launch the kernel once on fresh random buffers (prepared, if it asks for that) and copy them to the host.
/// For small settings. Defined in kernel_output_gpu_test.cu, and for builds without
/// CUDA in kernel_output_no_cuda.cpp.
std::variant<KernelOutput, Unavailable> launch_to_host(std::string_view scenario, const Params& params);

}  // namespace warplens::test
