#pragma once

#include <string>
#include <string_view>

namespace warplens {

/// Converts ASCII letters to lower case, for comparing names. All other bytes, including UTF-8, are
/// unchanged.
inline std::string lower_case(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return out;
}

}  // namespace warplens
