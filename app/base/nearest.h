#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// The name that was probably meant: few typing mistakes away, or one that begins so. Empty: nothing is near.
std::string_view nearest_name(std::string_view typed, const std::vector<std::string_view>& names);

/// "; did you mean 'stride'?" or nothing.
std::string did_you_mean(std::string_view typed, const std::vector<std::string_view>& names);

/// "a, b, c"
std::string join_names(const std::vector<std::string_view>& names);

}  // namespace warplens
