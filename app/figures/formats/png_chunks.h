#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

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

}  // namespace warplens
