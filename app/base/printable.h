#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace warplens {

/// Text that came from outside, for one line: control characters become spaces.
inline std::string on_one_line(std::string_view text) {
    std::string line(text);
    std::ranges::replace_if(
        line, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
    return line;
}

/// What stood in a file, for a message: quoted, at most 24 bytes of it, and only printable ASCII, '?' for all
/// else; "nothing" where it is empty.
inline std::string in_quotes(std::string_view text) {
    constexpr std::size_t kLongest = 24;
    if (text.empty()) return "nothing";
    std::string shown(text.substr(0, kLongest));
    std::ranges::replace_if(
        shown, [](unsigned char c) { return c < 0x20 || c >= 0x7f; }, '?');
    return "'" + shown + (text.size() > kLongest ? "..." : "") + "'";
}

}  // namespace warplens
