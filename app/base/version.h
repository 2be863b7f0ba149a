#pragma once

#include <string_view>

namespace warplens {

/// "0.1.0", the version in CMakeLists.txt.
std::string_view version();

/// The git commit that was configured, for example "1a2b3c4"; empty outside a git checkout.
std::string_view revision();

}  // namespace warplens
