#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warplens {

/// The character at the start of a UTF-8 text that is not empty.
struct Utf8Character {
    char32_t code = 0;
    std::size_t bytes = 1;
    bool valid = false;  ///< false for a byte that is not UTF-8: also surrogates and forms that are too long
};
Utf8Character first_character(std::string_view text);

/// Whether XML 1.0 can contain a character; nothing can stand for the others, not even an escape.
bool is_xml_character(char32_t code);
/// Whether a letter may stand in a name of C++.
bool is_word_letter(char letter);

/// A message shows at most this much of a foreign text. [bytes]
inline constexpr std::size_t kMostForeignBytes = 200;
/// A whole message has at most this length. [bytes]
inline constexpr std::size_t kMostMessageBytes = 2000;

/// Foreign text, for one line of a terminal, a message or a title. What could steer a terminal or change the
/// order of what stands there becomes a space: control characters (C0, C1), line ends and marks of the
/// direction of writing. What is not UTF-8 becomes '?'. Texts that are too long end in "...".
/// @param most  [bytes] of the result, at least 3
std::string printable(std::string_view text, std::size_t most = kMostForeignBytes);

/// A text from a file, for a message: quoted, printable and at most 24 bytes of it; "nothing" where it is
/// empty.
std::string in_quotes(std::string_view text);

/// Converts ASCII letters to lower case, for comparing names. All other bytes, including UTF-8, are
/// unchanged.
inline std::string lower_case(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return out;
}

/// The text with a capital letter at its beginning, as a sentence or a title has it.
inline std::string capitalized(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

/// Write a text so that it can stand inside a longer one: "RTX 4090" becomes "RTX%204090".
/// @param plain  characters that stay as they are, beside letters and digits of ASCII. All others become "%"
///               and two hexadecimal digits, byte by byte.
std::string percent_encode(std::string_view text, std::string_view plain);

/// Read such a text. A percent sign without two hexadecimal digits behind it stays.
std::string percent_decode(std::string_view text);

/// For reading what a person or a file says: what stands behind a beginning. Nothing if it begins otherwise.
inline std::optional<std::string_view> after(std::string_view text, std::string_view beginning) {
    if (!text.starts_with(beginning)) return std::nullopt;
    return text.substr(beginning.size());
}

/// The same: the two sides of the first separator. Without a separator all stands before it.
inline std::pair<std::string_view, std::string_view> split_once(std::string_view text,
                                                                std::string_view separator) {
    const std::size_t at = text.find(separator);
    if (at == std::string_view::npos) return {text, {}};
    return {text.substr(0, at), text.substr(at + separator.size())};
}

/// Whether a part of a text fits a pattern: * stands for any text, ? for one character. It takes at most
/// their lengths multiplied, whatever they are.
bool has_part(std::string_view text, std::string_view pattern);

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
