#include "app/figures/formats/png.h"

#include <png.h>

#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <stdexcept>

namespace warplens {
namespace {

struct Sink {
    std::string bytes;
    std::string error;
};

void write_bytes(png_structp png, png_bytep data, png_size_t size) {
    static_cast<Sink*>(png_get_io_ptr(png))->bytes.append(reinterpret_cast<const char*>(data), size);
}

void flush_nothing(png_structp) {}

void keep_error(png_structp png, png_const_charp message) {
    static_cast<Sink*>(png_get_error_ptr(png))->error = message;
    png_longjmp(png, 1);
}

void ignore_warning(png_structp, png_const_charp) {}

struct Header {
    png_uint_32 width, height, pixels_per_meter;
    bool with_alpha;
};

bool is_ascii(const std::string& text) {
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// Between setjmp and longjmp no object with a destructor may be created, so the caller creates everything.
/// @return  whether it succeeded.
bool write_png(png_structp png, png_infop info, const Header& header, const std::uint8_t* rgba,
               png_textp texts, int text_count) {
    if (setjmp(png_jmpbuf(png)) != 0) return false;
    png_set_IHDR(png, info, header.width, header.height, 8,
                 header.with_alpha ? PNG_COLOR_TYPE_RGBA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB_gAMA_and_cHRM(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_set_pHYs(png, info, header.pixels_per_meter, header.pixels_per_meter, PNG_RESOLUTION_METER);
    png_set_text(png, info, texts, text_count);
    png_write_info(png, info);
    if (!header.with_alpha) png_set_filler(png, 0, PNG_FILLER_AFTER);  // four bytes per pixel in, three out
    for (png_uint_32 y = 0; y < header.height; ++y) {
        png_write_row(png, rgba + std::size_t{y} * header.width * 4);
    }
    png_write_end(png, info);
    return true;
}

}  // namespace

std::string encode_png(int width, int height, std::span<const std::uint8_t> rgba, double pixels_per_point,
                       const std::vector<PngText>& texts, bool with_alpha) {
    if (width <= 0 || height <= 0 ||
        rgba.size() != std::size_t{4} * static_cast<std::size_t>(width) * height) {
        throw std::runtime_error("cannot encode a PNG: the image has no pixels");
    }
    Sink sink;
    std::vector<::png_text> raw_texts(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        // ASCII texts are written as plain text chunks (Latin-1), because most readers support these.
        raw_texts[i].compression =
            is_ascii(texts[i].text) ? PNG_TEXT_COMPRESSION_NONE : PNG_ITXT_COMPRESSION_NONE;
        raw_texts[i].key = const_cast<char*>(texts[i].keyword.c_str());  // libpng copies and never writes
        raw_texts[i].text = const_cast<char*>(texts[i].text.c_str());
    }
    constexpr double kPixelsPerMeter = 96 / 0.0254;
    const Header header{static_cast<png_uint_32>(width), static_cast<png_uint_32>(height),
                        static_cast<png_uint_32>(std::lround(kPixelsPerMeter * pixels_per_point)),
                        with_alpha};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &sink, keep_error, ignore_warning);
    if (png == nullptr) throw std::runtime_error("cannot encode a PNG: libpng does not start");
    png_infop info = png_create_info_struct(png);
    bool written = false;
    if (info != nullptr) {
        png_set_write_fn(png, &sink, write_bytes, flush_nothing);
        written =
            write_png(png, info, header, rgba.data(), raw_texts.data(), static_cast<int>(raw_texts.size()));
    }
    png_destroy_write_struct(&png, &info);
    if (!written) throw std::runtime_error("cannot encode a PNG: " + sink.error);
    return std::move(sink.bytes);
}

}  // namespace warplens
