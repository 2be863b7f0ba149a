#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// A text inside the file, as UTF-8, for example {"Command", "warplens export …"}.
struct PngText {
    std::string keyword;  ///< 1 to 79 characters
    std::string text;
};

/// Packs pixels as PNG, marked as sRGB, a few rows at a time: a large figure takes a second, and a window
/// without threads has frames to show meanwhile. The same input gives the same bytes.
class PngPacker {
public:
    /// @param rgba             top row first, 4 bytes per pixel; they must exist until all are packed
    /// @param pixels_per_point 1 for 96 pixels per inch. It is written to the file, so that figures of any
    ///                         scale are shown in their size in points.
    /// @param with_alpha       whether to write the opacity of each pixel
    /// Errors of this and of step: std::runtime_error if libpng refuses, for example a size of 0.
    PngPacker(int width, int height, std::span<const std::uint8_t> rgba, double pixels_per_point,
              const std::vector<PngText>& texts, bool with_alpha = false);
    ~PngPacker();
    PngPacker(PngPacker&&) noexcept;
    PngPacker& operator=(PngPacker&&) noexcept;

    bool step();             ///< Packs some rows. @return  whether there are more
    double how_far() const;  ///< 0 to 1
    std::string take();      ///< The bytes of the file. Only valid when all is packed.

private:
    struct File;
    std::unique_ptr<File> file_;
};

/// All rows at once, as PngPacker packs them.
std::string encode_png(int width, int height, std::span<const std::uint8_t> rgba, double pixels_per_point,
                       const std::vector<PngText>& texts, bool with_alpha = false);

/// One chunk of a PNG file; valid as long as the file's bytes are.
struct PngChunk {
    std::string_view type;  ///< four letters: "IDAT"
    std::string_view data;
};

/// The chunks of a PNG file in order, up to the first that is cut off. Empty if it is no PNG file. Checksums
/// are not verified.
std::vector<PngChunk> png_chunks(std::string_view file);

/// The text with this keyword, as UTF-8. Empty if there is none.
std::optional<std::string> png_text(std::string_view file, std::string_view keyword);

/// A frame of an animated PNG.
struct ApngFrame {
    std::string png;     ///< a whole file
    double seconds = 1;  ///< how long it is shown, 0.001 to 65
};

/// Join PNG files into one animated PNG that plays them in a loop. Programs that do not support animations
/// show the first one. Texts and resolution are those of the first file.
///
/// Format: PNG Third Edition (W3C), section 11.3.4: acTL, fcTL and fdAT chunks round the files' own image
/// data.
/// @param frames  at least one, as encode_png makes them; all of one size and kind of pixels.
/// Errors: std::runtime_error if a frame is no PNG, or differs from the first in size or kind of pixels.
std::string join_apng(std::span<const ApngFrame> frames);

}  // namespace warplens
