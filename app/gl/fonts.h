#pragma once

#include "app/pictures/kit/picture.h"

#include <string>
#include <string_view>

struct ImFont;

namespace warplens {

/// Symbols beyond ASCII that the window and the pictures may use in any font role. DejaVu provides those that
/// the main font lacks.
inline constexpr std::string_view kSymbols = " ●○◆▲✓✗◷−≤≥→←…–×·±›▸▾⁰¹²³⁴⁵⁶⁷⁸⁹µ";

/// The fonts of the window and of the pictures, which the program carries: Inter and JetBrains Mono. Where it
/// was built without them, DejaVu or ImGui's built-in font (app/gl/font_files.h). Sizes follow FontRole; the
/// atlas is rebuilt for every scale.
class Fonts final : public TextMeasure {
public:
    /// Add all roles to the current ImGui context's atlas; FontRole::body becomes the default. To be called
    /// again, between frames, when the scale changes; renew_font_texture() must follow.
    /// @param scale   pixels per point, 0.5 to 8.
    /// @param titles  whether to load FontRole::title, which only figures use; otherwise it looks like a
    /// heading.
    void load(float scale, bool titles);

    float width(std::string_view utf8, FontRole font) const override;  ///< [points]
    ImFont* font(FontRole role) const { return fonts_[int(role)]; }
    /// The size as ImGui counts it: ascent plus descent [pixels].
    float imgui_size(FontRole role) const { return sizes_[int(role)]; }
    /// The distance from the top of ImGui's line to the baseline [pixels].
    float baseline(FontRole role) const;
    float scale() const { return scale_; }
    const std::string& source() const { return source_; }  ///< which files, for `doctor`

private:
    void add_role(FontRole role);

    ImFont* fonts_[kFontRoles] = {};
    float sizes_[kFontRoles] = {};
    float scale_ = 1;
    std::string source_;
};

/// To be called after Fonts::load if the context's OpenGL backend has drawn before: it uploads the new atlas.
void renew_font_texture();

}  // namespace warplens
