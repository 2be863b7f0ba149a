#include "app/base/base64.h"

#include <cstddef>
#include <cstdint>

namespace warplens {
namespace {

constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
                           kOfLinks = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::string encode(std::string_view bytes, std::string_view letters) {
    std::string text;
    std::uint32_t bits = 0;
    int count = 0;  // of bits that are not written yet
    for (const char byte : bytes) {
        bits = bits << 8 | static_cast<unsigned char>(byte);
        for (count += 8; count >= 6; count -= 6) text += letters[bits >> (count - 6) & 63u];
    }
    if (count > 0) text += letters[bits << (6 - count) & 63u];
    return text;
}

}  // namespace

std::string base64(std::string_view bytes) {
    std::string text = encode(bytes, kPlain);
    while (text.size() % 4 != 0) text += '=';
    return text;
}

std::string base64_of_link(std::string_view bytes) { return encode(bytes, kOfLinks); }

std::string from_base64_of_link(std::string_view letters) {
    std::string bytes;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char letter : letters) {
        const std::size_t value = kOfLinks.find(letter);
        if (value == std::string_view::npos) return {};
        bits = bits << 6 | std::uint32_t(value);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes += static_cast<char>(bits >> count & 255u);
    }
    return bytes;
}

}  // namespace warplens
