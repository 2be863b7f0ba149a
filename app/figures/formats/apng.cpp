#include "app/figures/formats/apng.h"

#include "app/figures/formats/png_chunks.h"

#include <zlib.h>

#include <cmath>
#include <stdexcept>

namespace warplens {
namespace {

std::string big_endian(std::uint32_t value, int bytes) {
    std::string text;
    for (int i = bytes - 1; i >= 0; --i) text += static_cast<char>(value >> (8 * i) & 0xffu);
    return text;
}

void append_chunk(std::string& file, std::string_view type, std::string_view data) {
    const std::string body = std::string(type) + std::string(data);
    file += big_endian(static_cast<std::uint32_t>(data.size()), 4) + body;
    const auto sum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
    file += big_endian(static_cast<std::uint32_t>(sum), 4);
}

/// The chunk before a frame's data: a whole image that takes the place of the one before.
std::string frame_control(std::uint32_t sequence, std::string_view header, double seconds) {
    constexpr std::uint32_t kMilliseconds = 1000;
    return big_endian(sequence, 4) + std::string(header.substr(0, 8)) +  // width and height stand first there
           big_endian(0, 4) + big_endian(0, 4) +                         // left, top
           big_endian(static_cast<std::uint32_t>(std::lround(seconds * kMilliseconds)), 2) +
           big_endian(kMilliseconds, 2) + std::string(2, '\0');  // keep nothing, blend nothing
}

std::string_view header_of(const std::vector<PngChunk>& chunks) {
    if (chunks.empty() || chunks.front().type != "IHDR" || chunks.front().data.size() != 13)
        throw std::runtime_error("cannot join pictures: one of them is no PNG file");
    return chunks.front().data;
}

}  // namespace

std::string join_apng(std::span<const std::string> frames, double seconds) {
    if (frames.empty()) throw std::runtime_error("cannot join pictures: there are none");
    std::string file("\x89PNG\r\n\x1a\n");
    const std::vector<PngChunk> first = png_chunks(frames.front());
    const std::string_view header = header_of(first);
    std::uint32_t sequence = 0;
    for (const std::string& frame : frames) {
        const bool is_first = &frame == &frames.front();
        const std::vector<PngChunk> chunks = png_chunks(frame);
        if (header_of(chunks) != header) throw std::runtime_error("cannot join pictures of different sizes");
        bool started = false;
        for (const PngChunk& chunk : chunks) {
            const bool data = chunk.type == "IDAT";
            if (data && !started) append_chunk(file, "fcTL", frame_control(sequence++, header, seconds));
            started = started || data;
            if (data && !is_first)
                append_chunk(file, "fdAT", big_endian(sequence++, 4) + std::string(chunk.data));
            else if (is_first && chunk.type != "IEND")
                append_chunk(file, chunk.type, chunk.data);
            if (is_first && chunk.type == "IHDR")
                append_chunk(
                    file, "acTL",
                    big_endian(static_cast<std::uint32_t>(frames.size()), 4) + big_endian(0, 4));  // for ever
        }
    }
    append_chunk(file, "IEND", {});
    return file;
}

}  // namespace warplens
