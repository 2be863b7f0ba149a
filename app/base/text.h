#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

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

/// Converts ASCII letters to lower case, for comparing names. All other bytes, including UTF-8, are
/// unchanged.
inline std::string lower_case(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return out;
}

/// Write a text so that it can stand inside a longer one: "RTX 4090" becomes "RTX%204090".
/// @param plain  characters that stay as they are, beside letters and digits of ASCII. All others become "%"
///               and two hexadecimal digits, byte by byte.
std::string percent_encode(std::string_view text, std::string_view plain);

/// Read such a text. A percent sign without two hexadecimal digits behind it stays.
std::string percent_decode(std::string_view text);

/// The name that was probably meant: one with few typing mistakes, or one that begins with the typed text.
/// Empty if no name is near.
std::string_view nearest_name(std::string_view typed, const std::vector<std::string_view>& names);

/// A text such as "; did you mean 'stride'?", or nothing.
std::string did_you_mean(std::string_view typed, const std::vector<std::string_view>& names);

/// For example "a, b, c".
std::string join_names(const std::vector<std::string_view>& names);

/// The names of all things of a list. They have to live as long as the things do.
/// @param name  a member or a function that gives the name of one of them
template <class List, class Name>
std::vector<std::string_view> names_of(const List& list, Name name) {
    std::vector<std::string_view> names;
    for (const auto& thing : list) names.push_back(std::invoke(name, thing));
    return names;
}

}  // namespace warplens
