#pragma once

#include "app/pictures/kit/picture.h"

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// The fonts in which figures are measured and set: those of the window, from the same files, without OpenGL.
/// Glyphs are placed without kerning, as the window draws them, so that one layout is right for every format.
class FigureFonts final : public TextMeasure {
public:
    /// The OpenType files of one role. They must outlive the FigureFonts. Empty if there is no file.
    struct Files {
        std::span<const unsigned char> main;
        std::span<const unsigned char> symbols;  ///< for characters that the main font does not have
    };
    /// @param files  by FontRole.
    explicit FigureFonts(const std::array<Files, kFontRoles>& files);
    ~FigureFonts() override;

    /// The width [points]. Without a font file it is a guess.
    float width(std::string_view utf8, FontRole font) const override;

    /// One glyph of a text that is set.
    struct Glyph {
        int face = 0;           ///< 0 to faces() - 1
        int index = 0;          ///< in that face
        float x = 0;            ///< from the start of the text [points]
        std::size_t bytes = 0;  ///< the number of bytes of the text that it shows
    };
    /// Empty when the role has no font file.
    std::vector<Glyph> set(std::string_view utf8, FontRole font) const;

    int faces() const;
    std::span<const unsigned char> face_bytes(int face) const;
    /// The family's name from the file, for example "Inter". Empty if the role has no font file.
    const std::string& family(FontRole font) const;

    /// One step of an outline. A move or a line has one point, a quadratic curve two, a cubic curve three;
    /// the last point is its end.
    struct Step {
        enum Kind { move, line, quadratic, cubic } kind;
        Vec2 points[3];
    };
    /// The outline of a glyph whose origin is (0, 0), y downwards [em].
    std::vector<Step> outline(const Glyph& glyph) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace warplens
