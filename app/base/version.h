#pragma once

#include <string_view>

namespace warplens {

/// The version in CMakeLists.txt, for example "0.1.0".
std::string_view version();

/// The git commit that was configured, for example "1a2b3c4". Empty outside a git checkout.
std::string_view revision();

}  // namespace warplens
