#include "app/base/percent.h"

#include "app/base/parse_number.h"

#include <fmt/format.h>

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
        const bool escape = text[i] == '%' && i + 2 < text.size();
        const auto code = escape ? parse_number<unsigned char>(text.substr(i + 1, 2), 16) : std::nullopt;
        out += code ? static_cast<char>(*code) : text[i];
        if (code) i += 2;
    }
    return out;
}

}  // namespace warplens
