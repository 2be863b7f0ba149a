#include "app/base/text.h"

#include "app/base/parse_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdint>
#include <numeric>

namespace warplens {
namespace {

bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// The number of letters to insert, remove, change or swap with a neighbour to get from one word to the
/// other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        next[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) next[j] = std::min(next[j], before[j - 2] + 1);
        }
        before.swap(row);
        row.swap(next);
    }
    return row[b.size()];
}

/// Which characters are in a word, some of them counted as one.
std::uint64_t characters_of(std::string_view word) {
    std::uint64_t characters = 0;
    for (const char c : word) characters |= std::uint64_t{1} << (static_cast<unsigned char>(c) % 64);
    return characters;
}

/// A change of one letter removes at most one character that the other word has not, and brings at most one.
std::size_t least_edit_distance(std::uint64_t a, std::uint64_t b) {
    return std::size_t(std::max(std::popcount(a & ~b), std::popcount(b & ~a)));
}

constexpr std::size_t kLongestName = 64;  // longer texts are no mistyped names

/// C0, C1, line and paragraph separators, and what changes the direction of writing.
bool steers_the_output(char32_t c) {
    return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x61c || c == 0x200e || c == 0x200f ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

}  // namespace

Utf8Character first_character(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};  // by length: smaller ones have shorter forms
    const unsigned char first = byte(0);
    if (first < 0x80) return {first, 1, true};
    const std::size_t length = first >= 0xf8   ? 0
                               : first >= 0xf0 ? 4
                               : first >= 0xe0 ? 3
                               : first >= 0xc0 ? 2
                                               : 0;
    if (length == 0 || length > text.size()) return {};
    char32_t code = first & (0xffu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0u) != 0x80) return {};
        code = code << 6 | (byte(i) & 0x3fu);
    }
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    return surrogate || code < kLeast[length] || code > 0x10ffff ? Utf8Character{}
                                                                 : Utf8Character{code, length, true};
}

bool is_xml_character(char32_t c) {
    return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c != 0xfffe && c != 0xffff);
}

bool is_word_letter(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

std::string printable(std::string_view text, std::size_t most) {
    std::string out;
    std::size_t whole = 0;  // so much of it can stay where it is cut
    while (!text.empty() && out.size() <= most) {
        const std::size_t plain =
            std::find_if_not(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; }) -
            text.begin();
        if (plain > 0) {
            if (out.size() + 3 <= most) whole = std::min(out.size() + plain, most - 3);
            out += text.substr(0, std::min(plain, most + 1 - out.size()));
            text.remove_prefix(plain);
            continue;
        }
        const Utf8Character next = first_character(text);
        if (!next.valid || next.code == 0xfffe || next.code == 0xffff)
            out += '?';
        else if (steers_the_output(next.code))
            out += ' ';
        else
            out += text.substr(0, next.bytes);
        text.remove_prefix(next.bytes);
        if (out.size() + 3 <= most) whole = out.size();
    }
    return out.size() <= most ? out : out.substr(0, whole) + "...";
}

std::string in_quotes(std::string_view text) {
    constexpr std::size_t kLongest = 24;
    return text.empty() ? "nothing" : "'" + printable(text, kLongest + 3) + "'";
}

std::string percent_encode(std::string_view text, std::string_view plain) {
    std::string out;
    for (const char c : text) {
        const bool stays = is_letter_or_digit(c) || plain.find(c) != std::string_view::npos;
        out += stays ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return out;
}

std::string percent_decode(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool escape = text[i] == '%' && i + 2 < text.size();
        const auto code = escape ? parse_number<unsigned char>(text.substr(i + 1, 2), 16) : std::nullopt;
        out += code ? static_cast<char>(*code) : text[i];
        if (code) i += 2;
    }
    return out;
}

bool has_part(std::string_view text, std::string_view pattern) {
    // As if the pattern began with a *. Only what follows the last * is tried again, one character later.
    std::size_t at = 0, in_pattern = 0, again = 0, behind_star = 0;
    while (in_pattern < pattern.size()) {
        if (pattern[in_pattern] == '*') {
            behind_star = ++in_pattern;
            again = at;
        } else if (at == text.size()) {
            return false;
        } else if (pattern[in_pattern] == '?' || pattern[in_pattern] == text[at]) {
            ++at, ++in_pattern;
        } else {
            at = ++again;
            in_pattern = behind_star;
        }
    }
    return true;
}

std::string_view nearest_name(std::string_view typed, const std::vector<std::string_view>& names) {
    if (typed.size() < 2 || typed.size() > kLongestName) return {};
    const std::uint64_t characters = characters_of(typed);
    std::string_view best;
    std::size_t best_distance = typed.size() / 3 + 2;  // the distance must be below this
    for (const std::string_view name : names) {
        const std::size_t longer = std::max(name.size(), typed.size()),
                          shorter = std::min(name.size(), typed.size());
        const bool begins_so = name.substr(0, typed.size()) == typed;
        const std::size_t least =
            std::max(longer - shorter, least_edit_distance(characters, characters_of(name)));
        if (!begins_so && least >= best_distance) continue;
        const std::size_t distance = begins_so ? 1 : edit_distance(typed, name);
        if (distance >= best_distance) continue;
        best = name;
        best_distance = distance;
    }
    return best;
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string_view>& names) {
    const std::string_view name = nearest_name(typed, names);
    return name.empty() ? std::string() : fmt::format("; did you mean '{}'?", name);
}

std::string join_names(const std::vector<std::string_view>& names) {
    return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace warplens
