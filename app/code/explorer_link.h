#pragma once

#include <string>
#include <string_view>

namespace warplens {

/// A link that opens a CUDA source in Compiler Explorer (godbolt.org), compiled by nvcc for compute
/// capability 9.0. The whole source is in the link; nothing is sent before somebody opens it.
std::string explorer_link(std::string_view source);

}  // namespace warplens
