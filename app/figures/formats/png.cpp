#include "app/figures/formats/png.h"

#include <png.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <stdexcept>

namespace warplens {
namespace {

bool is_ascii(const std::string& text) {
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace

struct PngPacker::File {
    std::string bytes, error;
    png_structp png = nullptr;
    png_infop info = nullptr;
    std::span<const std::uint8_t> rgba;
    png_uint_32 width = 0, height = 0, row = 0;  ///< the next row

    File() = default;
    File& operator=(File&&) = delete;
    ~File() { png_destroy_write_struct(&png, &info); }

    static void append(png_structp png, png_bytep data, png_size_t size) {
        static_cast<File*>(png_get_io_ptr(png))->bytes.append(reinterpret_cast<const char*>(data), size);
    }
    static void flush_nothing(png_structp) {}
    static void keep_error(png_structp png, png_const_charp message) {
        static_cast<File*>(png_get_error_ptr(png))->error = message;
        png_longjmp(png, 1);
    }
    static void ignore_warning(png_structp, png_const_charp) {}

    void check(bool written) const {
        if (!written) throw std::runtime_error("cannot encode a PNG: " + error);
    }
    // Between setjmp and longjmp no object with a destructor may be created. Both say whether it succeeded.
    bool write_head(png_uint_32 pixels_per_meter, bool with_alpha, png_textp texts, int text_count) {
        if (setjmp(png_jmpbuf(png)) != 0) return false;
        png_set_IHDR(png, info, width, height, 8, with_alpha ? PNG_COLOR_TYPE_RGBA : PNG_COLOR_TYPE_RGB,
                     PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
        png_set_sRGB_gAMA_and_cHRM(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
        png_set_pHYs(png, info, pixels_per_meter, pixels_per_meter, PNG_RESOLUTION_METER);
        png_set_text(png, info, texts, text_count);
        png_write_info(png, info);
        if (!with_alpha) png_set_filler(png, 0, PNG_FILLER_AFTER);  // four bytes per pixel in, three out
        return true;
    }
    bool write_rows(png_uint_32 end) {
        if (setjmp(png_jmpbuf(png)) != 0) return false;
        for (; row < end; ++row) png_write_row(png, rgba.data() + std::size_t{row} * width * 4);
        if (row == height) png_write_end(png, info);
        return true;
    }
};

PngPacker::PngPacker(int width, int height, std::span<const std::uint8_t> rgba, double pixels_per_point,
                     const std::vector<PngText>& texts, bool with_alpha)
    : file_(std::make_unique<File>()) {
    if (width <= 0 || height <= 0 || rgba.size() != std::size_t{4} * std::size_t(width) * height) {
        throw std::runtime_error("cannot encode a PNG: the image has no pixels");
    }
    std::vector<::png_text> raw_texts(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        // ASCII texts are written as plain text chunks (Latin-1), because most readers support these.
        raw_texts[i].compression =
            is_ascii(texts[i].text) ? PNG_TEXT_COMPRESSION_NONE : PNG_ITXT_COMPRESSION_NONE;
        raw_texts[i].key = const_cast<char*>(texts[i].keyword.c_str());  // libpng copies and never writes
        raw_texts[i].text = const_cast<char*>(texts[i].text.c_str());
    }
    File& file = *file_;
    file.rgba = rgba;
    file.width = png_uint_32(width);
    file.height = png_uint_32(height);
    file.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &file, File::keep_error, File::ignore_warning);
    file.info = file.png == nullptr ? nullptr : png_create_info_struct(file.png);
    if (file.info == nullptr) throw std::runtime_error("cannot encode a PNG: libpng does not start");
    png_set_write_fn(file.png, &file, File::append, File::flush_nothing);
    constexpr double kPixelsPerMeter = 96 / 0.0254;
    file.check(file.write_head(png_uint_32(std::lround(kPixelsPerMeter * pixels_per_point)), with_alpha,
                               raw_texts.data(), int(raw_texts.size())));
}

PngPacker::~PngPacker() = default;
PngPacker::PngPacker(PngPacker&&) noexcept = default;
PngPacker& PngPacker::operator=(PngPacker&&) noexcept = default;

bool PngPacker::step() {
    constexpr png_uint_32 kPixels = 8192;  // about two milliseconds in a browser
    File& file = *file_;
    const png_uint_32 rows = std::max<png_uint_32>(1, kPixels / file.width);
    file.check(file.write_rows(std::min(file.height, file.row + rows)));
    return file.row < file.height;
}

double PngPacker::how_far() const { return double(file_->row) / double(file_->height); }
std::string PngPacker::take() { return std::move(file_->bytes); }

std::string encode_png(int width, int height, std::span<const std::uint8_t> rgba, double pixels_per_point,
                       const std::vector<PngText>& texts, bool with_alpha) {
    PngPacker packer(width, height, rgba, pixels_per_point, texts, with_alpha);
    while (packer.step()) {
    }
    return packer.take();
}

namespace {

std::string big_endian(std::uint32_t value, int bytes) {
    std::string text;
    for (int i = bytes - 1; i >= 0; --i) text += static_cast<char>(value >> (8 * i) & 0xffu);
    return text;
}

void append_chunk(std::string& file, std::string_view type, std::string_view data) {
    const std::string body = std::string(type) + std::string(data);
    file += big_endian(std::uint32_t(data.size()), 4) + body;
    const auto sum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
    file += big_endian(std::uint32_t(sum), 4);
}

/// The chunk before a frame's data: a whole image that takes the place of the one before.
std::string frame_control(std::uint32_t sequence, std::string_view header, double seconds) {
    constexpr std::uint32_t kMilliseconds = 1000;
    return big_endian(sequence, 4) + std::string(header.substr(0, 8)) +  // width and height stand first there
           big_endian(0, 4) + big_endian(0, 4) +                         // left, top
           big_endian(std::uint32_t(std::lround(seconds * kMilliseconds)), 2) + big_endian(kMilliseconds, 2) +
           std::string(2, '\0');  // keep nothing, blend nothing
}

std::string_view header_of(const std::vector<PngChunk>& chunks) {
    if (chunks.empty() || chunks.front().type != "IHDR" || chunks.front().data.size() != 13)
        throw std::runtime_error("cannot join pictures: one of them is no PNG file");
    return chunks.front().data;
}

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

std::string join_apng(std::span<const ApngFrame> frames) {
    if (frames.empty()) throw std::runtime_error("cannot join pictures: there are none");
    std::string file("\x89PNG\r\n\x1a\n");
    const std::vector<PngChunk> first = png_chunks(frames.front().png);
    const std::string_view header = header_of(first);
    std::uint32_t sequence = 0;
    for (const ApngFrame& frame : frames) {
        const bool is_first = &frame == &frames.front();
        const std::vector<PngChunk> chunks = png_chunks(frame.png);
        if (header_of(chunks) != header) throw std::runtime_error("cannot join pictures of different sizes");
        bool started = false;
        for (const PngChunk& chunk : chunks) {
            const bool data = chunk.type == "IDAT";
            if (data && !started)
                append_chunk(file, "fcTL", frame_control(sequence++, header, frame.seconds));
            started = started || data;
            if (data && !is_first)
                append_chunk(file, "fdAT", big_endian(sequence++, 4) + std::string(chunk.data));
            else if (is_first && chunk.type != "IEND")
                append_chunk(file, chunk.type, chunk.data);
            if (is_first && chunk.type == "IHDR")
                append_chunk(file, "acTL",
                             big_endian(std::uint32_t(frames.size()), 4) + big_endian(0, 4));  // for ever
        }
    }
    append_chunk(file, "IEND", {});
    return file;
}

}  // namespace warplens
