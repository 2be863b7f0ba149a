#include "app/base/percent.h"

#include <fmt/format.h>

#include <charconv>

namespace warplens {
namespace {

bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

}  // namespace

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
        unsigned code = 0;
        const char* const digits = text.data() + i + 1;
        const bool escaped = text[i] == '%' && i + 2 < text.size() &&
                             std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2;
        out += escaped ? static_cast<char>(code) : text[i];
        if (escaped) i += 2;
    }
    return out;
}

}  // namespace warplens
