#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// The name that was probably meant: one with few typing mistakes, or one that begins with the typed text.
/// Empty if no name is near.
std::string_view nearest_name(std::string_view typed, const std::vector<std::string_view>& names);

/// A text such as "; did you mean 'stride'?", or nothing.
std::string did_you_mean(std::string_view typed, const std::vector<std::string_view>& names);

/// For example "a, b, c".
std::string join_names(const std::vector<std::string_view>& names);

}  // namespace warplens
