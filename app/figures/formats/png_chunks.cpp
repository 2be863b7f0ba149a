#include "app/figures/formats/png_chunks.h"

namespace warplens {
namespace {

constexpr std::string_view kSignature("\x89PNG\r\n\x1a\n", 8);

std::uint32_t read_32(std::string_view bytes) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

/// Removes everything up to the next zero byte, and returns it without that byte.
std::optional<std::string_view> take_until_zero(std::string_view& data) {
    const std::size_t zero = data.find('\0');
    if (zero == std::string_view::npos) return {};
    const std::string_view taken = data.substr(0, zero);
    data.remove_prefix(zero + 1);
    return taken;
}

std::string latin_1_to_utf_8(std::string_view text) {
    std::string utf8;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80) {
            utf8 += c;
        } else {
            utf8 += static_cast<char>(0xc0 | byte >> 6);
            utf8 += static_cast<char>(0x80 | (byte & 0x3f));
        }
    }
    return utf8;
}

}  // namespace

std::vector<PngChunk> png_chunks(std::string_view file) {
    constexpr std::size_t kAround = 12;  // length and type before the data, checksum after it
    std::vector<PngChunk> chunks;
    if (!file.starts_with(kSignature)) return chunks;
    file.remove_prefix(kSignature.size());
    while (file.size() >= kAround) {
        const std::size_t length = read_32(file);
        if (length > file.size() - kAround) break;
        chunks.push_back({file.substr(4, 4), file.substr(8, length)});
        file.remove_prefix(kAround + length);
    }
    return chunks;
}

std::optional<std::string> png_text(std::string_view file, std::string_view keyword) {
    for (const PngChunk& chunk : png_chunks(file)) {
        if (chunk.type != "tEXt" && chunk.type != "iTXt") continue;
        std::string_view data = chunk.data;
        if (take_until_zero(data) != keyword) continue;
        if (chunk.type == "tEXt") return latin_1_to_utf_8(data);
        if (data.size() < 2 || data[0] != 0) continue;  // it is compressed, which this program never does
        data.remove_prefix(2);
        if (take_until_zero(data) && take_until_zero(data)) return std::string(data);
    }
    return {};
}

}  // namespace warplens
