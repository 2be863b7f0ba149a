#pragma once

#include "app/pictures/kit/picture.h"

#include <span>
#include <string>
#include <string_view>

namespace warplens {

/// A font file that is embedded in the program, and the measure that is needed for its sizes.
struct FontFile {
    std::string name;                      ///< of the file, for people
    std::span<const unsigned char> bytes;  ///< the whole file; valid for the whole run
    float line_per_em;  ///< ascent plus descent in units of the em, which is ImGui's size for a given em
};

/// The font of a role, and the one that provides the symbols which it lacks. Null if the machine that built
/// the program did not have its file (app/cmake/EmbedAssets.cmake names those that it looks for).
const FontFile* font_file(FontRole role);
const FontFile* symbol_font_file();

/// Ascent plus descent of an OpenType font in units of its em, from its `head` and `hhea` tables. 0 if it is
/// no such font.
float read_line_per_em(std::span<const unsigned char> bytes);

}  // namespace warplens
