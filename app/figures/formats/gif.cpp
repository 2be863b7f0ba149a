#include "app/figures/formats/gif.h"

#include <gif_lib.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace warplens {
namespace {

constexpr std::size_t kMostColors = 256;

int append_to(GifFileType* file, const GifByteType* bytes, int count) {
    static_cast<std::string*>(file->UserData)
        ->append(reinterpret_cast<const char*>(bytes), std::size_t(count));
    return count;
}

[[noreturn]] void fail(int code) {
    const char* why = GifErrorString(code);
    throw std::runtime_error(std::string("cannot write the GIF: ") +
                             (why != nullptr ? why : "unknown error"));
}

using Rgb = std::uint32_t;  // 0xRRGGBB
Rgb color_at(const Image& image, std::size_t pixel) {
    const std::uint8_t* p = &image.rgba[pixel * 4];
    return Rgb(p[0]) << 16 | Rgb(p[1]) << 8 | p[2];
}

int distance(Rgb a, Rgb b) {
    const auto part = [&](int shift) { return int(a >> shift & 0xffu) - int(b >> shift & 0xffu); };
    const int r = part(16), g = part(8), blue = part(0);
    return 2 * r * r + 4 * g * g + 3 * blue * blue;  // as the eye weighs them
}

/// The colours of a frame, and which of them stands for each pixel's.
struct Palette {
    std::vector<Rgb> colors;
    std::unordered_map<Rgb, GifByteType> index;
};

/// The most frequent colours. Edges of text and lines have many others, which lie between these.
Palette palette_of(const Image& image, std::span<const std::size_t> pixels) {
    std::unordered_map<Rgb, int> counts;
    for (const std::size_t pixel : pixels) ++counts[color_at(image, pixel)];
    std::vector<std::pair<int, Rgb>> by_count;
    by_count.reserve(counts.size());
    for (const auto& [color, count] : counts) by_count.emplace_back(-count, color);
    std::ranges::sort(by_count);
    Palette palette;
    for (std::size_t i = 0; i < by_count.size(); ++i) {
        const Rgb color = by_count[i].second;
        if (palette.colors.size() < kMostColors) {
            palette.index[color] = GifByteType(palette.colors.size());
            palette.colors.push_back(color);
            continue;
        }
        const auto nearest =
            std::ranges::min_element(palette.colors, {}, [&](Rgb known) { return distance(known, color); });
        palette.index[color] = GifByteType(nearest - palette.colors.begin());
    }
    return palette;
}

struct Area {
    int x = 0, y = 0, w = 0, h = 0;
};

/// The part in which two frames of one size differ; a single pixel if none does, because a frame cannot be
/// empty.
Area changed_area(const Image& before, const Image& now) {
    int left = now.width, right = -1, top = now.height, bottom = -1;
    for (int y = 0; y < now.height; ++y) {
        for (int x = 0; x < now.width; ++x) {
            const auto pixel = std::size_t(y) * std::size_t(now.width) + std::size_t(x);
            if (color_at(before, pixel) == color_at(now, pixel)) continue;
            left = std::min(left, x);
            right = std::max(right, x);
            top = std::min(top, y);
            bottom = std::max(bottom, y);
        }
    }
    return right < 0 ? Area{0, 0, 1, 1} : Area{left, top, right - left + 1, bottom - top + 1};
}

}  // namespace

struct GifWriter::File {
    std::string comment, bytes;
    GifFileType* gif = nullptr;
    Image last;

    void check(int result) const {
        if (result != GIF_OK) fail(gif->Error);
    }
    void open(const Image& first);
    void put(const Image& frame, const Area& area, int hundredths);
};

/// Header, loop and comment.
void GifWriter::File::open(const Image& first) {
    int error = 0;
    gif = EGifOpen(&bytes, append_to, &error);
    if (gif == nullptr) fail(error);
    EGifSetGifVersion(gif, true);
    check(EGifPutScreenDesc(gif, first.width, first.height, 8, 0, nullptr));
    const std::array<unsigned char, 3> for_ever{1, 0, 0};
    check(EGifPutExtensionLeader(gif, APPLICATION_EXT_FUNC_CODE));
    check(EGifPutExtensionBlock(gif, 11, "NETSCAPE2.0"));
    check(EGifPutExtensionBlock(gif, int(for_ever.size()), for_ever.data()));
    check(EGifPutExtensionTrailer(gif));
    if (!comment.empty()) check(EGifPutComment(gif, comment.c_str()));
}

void GifWriter::File::put(const Image& frame, const Area& area, int hundredths) {
    std::vector<std::size_t> pixels;
    pixels.reserve(std::size_t(area.w) * std::size_t(area.h));
    for (int y = area.y; y < area.y + area.h; ++y)
        for (int x = area.x; x < area.x + area.w; ++x)
            pixels.push_back(std::size_t(y) * std::size_t(frame.width) + std::size_t(x));
    const Palette palette = palette_of(frame, pixels);
    std::array<GifColorType, kMostColors> colors{};
    for (std::size_t i = 0; i < palette.colors.size(); ++i)
        colors[i] = {GifByteType(palette.colors[i] >> 16), GifByteType(palette.colors[i] >> 8),
                     GifByteType(palette.colors[i])};
    ColorMapObject* map = GifMakeMapObject(int(kMostColors), colors.data());
    if (map == nullptr) throw std::bad_alloc();
    const GraphicsControlBlock control{DISPOSE_DO_NOT, false, hundredths, NO_TRANSPARENT_COLOR};
    std::array<GifByteType, 4> block{};
    EGifGCBToExtension(&control, block.data());
    int result = EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, int(block.size()), block.data());
    if (result == GIF_OK) result = EGifPutImageDesc(gif, area.x, area.y, area.w, area.h, false, map);
    GifFreeMapObject(map);
    check(result);
    std::vector<GifByteType> line(std::size_t(area.w));
    for (std::size_t begin = 0; begin < pixels.size(); begin += line.size()) {
        for (std::size_t i = 0; i < line.size(); ++i)
            line[i] = palette.index.at(color_at(frame, pixels[begin + i]));
        check(EGifPutLine(gif, line.data(), area.w));
    }
}

std::optional<Unavailable> gif_unavailable() { return std::nullopt; }

GifWriter::GifWriter(std::string comment) : file_(std::make_unique<File>()) {
    file_->comment = std::move(comment);
}

GifWriter::~GifWriter() {
    int ignored = 0;
    if (file_->gif != nullptr) EGifCloseFile(file_->gif, &ignored);
}

void GifWriter::add(const Image& frame, double seconds) {
    constexpr int kMostSide = 16384;
    if (frame.width < 1 || frame.height < 1 || frame.width > kMostSide || frame.height > kMostSide)
        throw std::runtime_error("cannot write the GIF: a frame has no pixels or too many");
    const int hundredths = std::clamp(int(std::lround(seconds * 100)), 2, 60000);
    Area area{0, 0, frame.width, frame.height};
    if (file_->gif == nullptr) {
        file_->open(frame);
    } else {
        if (frame.width != file_->last.width || frame.height != file_->last.height)
            throw std::runtime_error("cannot join pictures of different sizes");
        area = changed_area(file_->last, frame);
    }
    file_->put(frame, area, hundredths);
    file_->last = frame;
}

std::string GifWriter::take() {
    int error = 0;
    if (EGifCloseFile(std::exchange(file_->gif, nullptr), &error) != GIF_OK) fail(error);
    return std::move(file_->bytes);
}

}  // namespace warplens
