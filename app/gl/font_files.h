#pragma once

#include "app/pictures/kit/picture.h"

#include <string>
#include <vector>

namespace warplens {

/// A font file in memory, and what of it is needed for sizes.
struct FontFile {
    std::string path;
    std::vector<unsigned char> bytes;  ///< whole file; ImGui reads from it as long as the font is in use
    float line_per_em = 1;  ///< ascent plus descent, as part of the em: ImGui's size for a given em
};

/// One typeface that we want, and what it is called in font folders.
struct Typeface {
    const char* name;                     ///< for people
    std::vector<const char*> file_names;  ///< the first one that is found is taken
};

/// The typefaces of the window and of the pictures, and the one whose symbols they borrow.
const Typeface& typeface_of(FontRole role);
const Typeface& symbol_typeface();

/// Look for a typeface in the system's and the person's font folders. Each file is read once and kept until
/// the program ends.
/// @return  null when it is not installed or not an OpenType font.
const FontFile* find_font(const Typeface& typeface);

/// Ascent plus descent of an OpenType font as part of its em, from its `head` and `hhea` tables; 0: not such
/// a font.
float read_line_per_em(const std::vector<unsigned char>& bytes);

}  // namespace warplens
