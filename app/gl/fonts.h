#pragma once

#include "app/pictures/kit/picture.h"

#include <string>
#include <string_view>

struct ImFont;

namespace warplens {

/// Symbols beyond ASCII that the window and the pictures may use in any font role. One that is missing in
/// the main font comes from DejaVu.
inline constexpr std::string_view kSymbols = " ●○◆▲✓✗◷−≤≥→←…–×·±⁰¹²³⁴⁵⁶⁷⁸⁹µ";

/// The fonts of the window and of the pictures: Inter and JetBrains Mono where they are installed, DejaVu
/// else, and ImGui's built-in font when there is none. Sizes follow FontRole; the atlas is rebuilt for every
/// scale.
class Fonts final : public TextMeasure {
public:
    /// Add all roles to the current ImGui context's atlas; FontRole::body becomes the default. Call again,
    /// between frames, when the scale changes, and then renew_font_texture().
    /// @param scale   pixels per point, 0.5 to 8.
    /// @param titles  also FontRole::title, which only figures have; without, it looks like a heading.
    void load(float scale, bool titles);

    float width(std::string_view utf8, FontRole font) const override;  ///< [points]
    ImFont* font(FontRole role) const { return fonts_[static_cast<int>(role)]; }
    /// What ImGui calls the size: ascent plus descent [pixels].
    float imgui_size(FontRole role) const { return sizes_[static_cast<int>(role)]; }
    /// From the top of ImGui's line to the baseline [pixels].
    float baseline(FontRole role) const;
    float scale() const { return scale_; }
    const std::string& source() const { return source_; }  ///< for `doctor`: which files were found

private:
    void add_role(FontRole role);

    static constexpr int kRoles = 5;
    ImFont* fonts_[kRoles] = {};
    float sizes_[kRoles] = {};
    float scale_ = 1;
    std::string source_;
};

/// After Fonts::load on a context whose OpenGL backend has drawn before: hand it the new atlas.
void renew_font_texture();

}  // namespace warplens
