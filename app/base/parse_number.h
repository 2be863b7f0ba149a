#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace warplens {

/// The number that a whole text is: "8", "-1", "0.25". Nothing if it is empty, has anything else in it
/// (blanks and a plus sign count), or does not fit into T.
/// @param base  of a whole number, 2 to 36; 10 if it is not given
template <class T, std::same_as<int>... Base>
std::optional<T> parse_number(std::string_view text, Base... base) {
    T value{};
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value, base...);
    if (error != std::errc() || stop != end) return std::nullopt;
    return value;
}

/// Two whole numbers with a mark between them: "9.0", "1280x800", "3/20".
template <std::integral T>
std::optional<std::pair<T, T>> parse_pair(std::string_view text, char mark) {
    const std::size_t at = text.find(mark);
    if (at == std::string_view::npos) return std::nullopt;
    const auto first = parse_number<T>(text.substr(0, at)), second = parse_number<T>(text.substr(at + 1));
    if (!first || !second) return std::nullopt;
    return std::pair{*first, *second};
}

}  // namespace warplens
