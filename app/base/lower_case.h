#pragma once

#include <string>
#include <string_view>

namespace warplens {

/// ASCII letters in lower case, for comparing names; all other bytes, UTF-8 too, stay as they are.
inline std::string lower_case(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return out;
}

}  // namespace warplens
