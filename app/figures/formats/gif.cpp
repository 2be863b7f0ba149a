#include "app/figures/formats/gif.h"

#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

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

    // The frame that is being put in:
    const Image* frame = nullptr;
    Area area;
    int hundredths = 0;
    int counted = 0, written = 0;                  ///< rows of the area
    std::unordered_map<Rgb, int> counts;           ///< pixels of each colour
    std::vector<std::pair<int, Rgb>> by_count;     ///< its colours, the most frequent first
    std::vector<Rgb> colors;                       ///< of the frame's palette
    std::unordered_map<Rgb, GifByteType> indices;  ///< which of them stands for each colour

    void check(int result) const {
        if (result != GIF_OK) fail(gif->Error);
    }
    std::size_t row_begin(int row) const {
        return std::size_t(area.y + row) * std::size_t(frame->width) + std::size_t(area.x);
    }
    int rows_at_once() const {
        constexpr int kPixels = 1 << 15;  // some milliseconds in a browser
        return std::max(1, kPixels / area.w);
    }
    void open(const Image& first);
    bool step();
    void count_row(int row);
    void choose_colors();
    void begin_image();
    void write_row(int row);
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

bool GifWriter::File::step() {
    if (counted < area.h) {
        for (const int end = std::min(area.h, counted + rows_at_once()); counted < end; ++counted)
            count_row(counted);
        if (counted < area.h) return true;
        for (const auto& [color, count] : counts) by_count.emplace_back(-count, color);
        std::ranges::sort(by_count);
        return true;
    }
    if (indices.size() < by_count.size()) {
        choose_colors();
        if (indices.size() == by_count.size()) begin_image();
        return true;
    }
    for (const int end = std::min(area.h, written + rows_at_once()); written < end; ++written)
        write_row(written);
    return written < area.h;
}

void GifWriter::File::count_row(int row) {
    const std::size_t begin = row_begin(row);
    for (int x = 0; x < area.w; ++x) ++counts[color_at(*frame, begin + std::size_t(x))];
}

/// Takes the most frequent colours. Edges of text and lines have many others, which lie between these.
void GifWriter::File::choose_colors() {
    constexpr std::size_t kAtOnce = 2000;
    const std::size_t end = std::min(by_count.size(), indices.size() + kAtOnce);
    for (std::size_t i = indices.size(); i < end; ++i) {
        const Rgb color = by_count[i].second;
        if (colors.size() < kMostColors) {
            indices[color] = GifByteType(colors.size());
            colors.push_back(color);
            continue;
        }
        const auto nearest =
            std::ranges::min_element(colors, {}, [&](Rgb known) { return distance(known, color); });
        indices[color] = GifByteType(nearest - colors.begin());
    }
}

void GifWriter::File::begin_image() {
    std::array<GifColorType, kMostColors> palette{};
    for (std::size_t i = 0; i < colors.size(); ++i)
        palette[i] = {GifByteType(colors[i] >> 16), GifByteType(colors[i] >> 8), GifByteType(colors[i])};
    ColorMapObject* map = GifMakeMapObject(int(kMostColors), palette.data());
    if (map == nullptr) throw std::bad_alloc();
    const GraphicsControlBlock control{DISPOSE_DO_NOT, false, hundredths, NO_TRANSPARENT_COLOR};
    std::array<GifByteType, 4> block{};
    EGifGCBToExtension(&control, block.data());
    int result = EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, int(block.size()), block.data());
    if (result == GIF_OK) result = EGifPutImageDesc(gif, area.x, area.y, area.w, area.h, false, map);
    GifFreeMapObject(map);
    check(result);
}

void GifWriter::File::write_row(int row) {
    std::vector<GifByteType> line(std::size_t(area.w));
    const std::size_t begin = row_begin(row);
    for (std::size_t x = 0; x < line.size(); ++x) line[x] = indices.at(color_at(*frame, begin + x));
    check(EGifPutLine(gif, line.data(), area.w));
}

std::optional<Unavailable> gif_unavailable() { return std::nullopt; }

GifWriter::GifWriter(std::string comment) : file_(std::make_unique<File>()) {
    file_->comment = std::move(comment);
}

GifWriter::~GifWriter() {
    int ignored = 0;
    if (file_->gif != nullptr) EGifCloseFile(file_->gif, &ignored);
}

void GifWriter::begin(const Image& frame, double seconds) {
    constexpr int kMostSide = 16384;
    if (frame.width < 1 || frame.height < 1 || frame.width > kMostSide || frame.height > kMostSide)
        throw std::runtime_error("cannot write the GIF: a frame has no pixels or too many");
    File& file = *file_;
    file.hundredths = std::clamp(int(std::lround(seconds * 100)), 2, 60000);
    file.area = {0, 0, frame.width, frame.height};
    if (file.gif == nullptr) {
        file.open(frame);
    } else {
        if (frame.width != file.last.width || frame.height != file.last.height)
            throw std::runtime_error("cannot join pictures of different sizes");
        file.area = changed_area(file.last, frame);
    }
    file.frame = &frame;
    file.counted = file.written = 0;
    file.counts.clear();
    file.by_count.clear();
    file.colors.clear();
    file.indices.clear();
}

bool GifWriter::step() {
    if (file_->step()) return true;
    file_->last = *file_->frame;
    return false;
}

std::string GifWriter::take() {
    int error = 0;
    if (EGifCloseFile(std::exchange(file_->gif, nullptr), &error) != GIF_OK) fail(error);
    return std::move(file_->bytes);
}

}  // namespace warplens
