#pragma once

#include "kernels/unavailable.h"

#include <string>
#include <variant>

namespace warplens {

/// A kernel as machine code.
struct CompiledKernel {
    std::string machine_code;  ///< what the driver loads
    std::string name;          ///< of the kernel in it
};

/// Compiles CUDA C++ with NVIDIA's NVRTC, if this machine has it: it is loaded when it is first asked for,
/// and is no part of this program. Of the file system it sees the headers of the toolkit.
/// @param name        of the kernel, with the arguments of its template
/// @param capability  of the GPU: 90

/// Errors: Unavailable, with the first line of what the compiler says.
std::variant<CompiledKernel, Unavailable> compile_kernel(const std::string& text, const std::string& name,
                                                         int capability);

}  // namespace warplens
