#pragma once

#include "app/pictures/kit/picture.h"

#include <string>
#include <vector>

namespace warplens {

/// A font file in memory, and the measures that are needed for its sizes.
struct FontFile {
    std::string path;
    std::vector<unsigned char> bytes;  ///< the whole file; ImGui reads from it as long as the font is in use
    float line_per_em = 1;  ///< ascent plus descent in units of the em, which is ImGui's size for a given em
};

/// A typeface that is used, and the names of its files.
struct Typeface {
    const char* name;                     ///< for people
    std::vector<const char*> file_names;  ///< the first one that is found is used
};

/// The typefaces of the window and of the pictures, and the one that provides missing symbols.
const Typeface& typeface_of(FontRole role);
const Typeface& symbol_typeface();

/// Search for a typeface in the font folders of the system and of the person. Each file is read once and kept
/// until the program ends.
/// @return  null if it is not installed, or if its files cannot be used.
const FontFile* find_font(const Typeface& typeface);

/// Why a font file that find_font found is not used, in one sentence. Empty if there was none: then every
/// text is in the font that it should have.
const std::string& unreadable_font();

/// Ascent plus descent of an OpenType font in units of its em, from its `head` and `hhea` tables. 0 if it is
/// no such font.
float read_line_per_em(const std::vector<unsigned char>& bytes);

}  // namespace warplens
