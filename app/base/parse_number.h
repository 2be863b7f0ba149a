#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace warplens {

#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 200000
/// libc++ reads fractions since version 20. Before, strtod reads what std::from_chars would take, which is
/// found here: no blanks, no plus sign, no 0x.
template <std::floating_point T>
std::from_chars_result number_from_chars(const char* first, const char* last, T& value) {
    const char* at = first + (first != last && *first == '-');
    if (at == last || !(*at == '.' || (*at >= '0' && *at <= '9')))
        return {first, std::errc::invalid_argument};
    const char* end = at;
    bool zero = true;
    const auto digits = [&end, &zero, last] {
        const char* from = end;
        for (; end != last && *end >= '0' && *end <= '9'; ++end) zero = zero && *end == '0';
        return end != from;
    };
    bool any = digits();
    if (end != last && *end == '.') any = (++end, digits()) || any;
    if (!any) return {first, std::errc::invalid_argument};
    const bool is_zero = zero;
    if (end != last && (*end == 'e' || *end == 'E')) {
        const char* mantissa = end++;
        if (end != last && (*end == '+' || *end == '-')) ++end;
        if (!digits()) end = mantissa;
    }
    const T read = static_cast<T>(std::strtod(std::string(first, end).c_str(), nullptr));
    if (std::isinf(read) || (read == 0 && !is_zero)) return {end, std::errc::result_out_of_range};
    value = read;
    return {end, std::errc()};
}
#endif
/// std::from_chars, which not every standard library has for fractions.
template <class T, std::same_as<int>... Base>
std::from_chars_result number_from_chars(const char* first, const char* last, T& value, Base... base) {
    return std::from_chars(first, last, value, base...);
}

/// The number that a whole text is: "8", "-1", "0.25". Nothing if it is empty, has anything else in it
/// (blanks and a plus sign count), or does not fit into T.
/// @param base  of a whole number, 2 to 36; 10 if it is not given
template <class T, std::same_as<int>... Base>
std::optional<T> parse_number(std::string_view text, Base... base) {
    T value{};
    const char* end = text.data() + text.size();
    const auto [stop, error] = number_from_chars(text.data(), end, value, base...);
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
