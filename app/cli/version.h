#pragma once

#include <string>

namespace warplens {

/// "warplens 0.1.0 (1a2b3c4, CUDA 13.0)" or "(…, without CUDA)".
std::string version_line();

/// "13.0" of 13000; empty for 0.
std::string cuda_version_text(int version);

}  // namespace warplens
