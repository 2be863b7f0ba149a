#include "app/gl/fonts.h"

#include "app/gl/font_files.h"
#include "app/gl/imgui_compat.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include WARPLENS_IMGUI_BACKEND(imgui_impl_opengl3.h)

namespace warplens {
namespace {

/// Before 1.92 every glyph of the ranges is rendered at start, which takes a large part of the first frame,
/// so only those in use are requested. The body font has Latin-1 as well, for file names and texts of the
/// person.
const ImWchar* glyph_ranges(bool latin_1) {
    static const auto build = [](ImWchar last) {
        ImFontGlyphRangesBuilder builder;
        const ImWchar letters[] = {0x20, 0x7e, 0xa0, last, 0};
        builder.AddRanges(letters);
        builder.AddText(kSymbols.data(), kSymbols.data() + kSymbols.size());
        ImVector<ImWchar> built;
        builder.BuildRanges(&built);
        return built;
    };
    static const ImVector<ImWchar> all = build(0xff), few = build(0xa0);
    return latin_1 ? all.Data : few.Data;
}

ImFont* add_font(const FontFile& file, float em_pixels, bool merge, bool latin_1) {
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    config.MergeMode = merge;
    // Half-pixel steps keep the spacing of small letters even. Large letters do not need the time and the
    // memory.
    config.OversampleH = em_pixels < 30 ? 2 : 1;
    config.OversampleV = 1;
    auto* bytes = const_cast<unsigned char*>(
        file.bytes.data());  // ImGui takes void*, but does not write to it without ownership
    return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(bytes, static_cast<int>(file.bytes.size()),
                                                      em_pixels * file.line_per_em, &config,
                                                      glyph_ranges(latin_1));
}

}  // namespace

void Fonts::add_role(FontRole role) {
    const int i = static_cast<int>(role);
    const float em_pixels = font_points(role) * scale_;
    const FontFile* main = find_font(typeface_of(role));
    const FontFile* symbols = find_font(symbol_typeface());
    const bool reuse =
        ui::kDynamicFonts && fonts_[i] != nullptr;  // a font that is loaded can be rendered at any size
    if (main != nullptr) {
        sizes_[i] = em_pixels * main->line_per_em;
        if (!reuse) fonts_[i] = add_font(*main, em_pixels, false, role == FontRole::body);
        if (!reuse && symbols != nullptr && symbols != main) add_font(*symbols, em_pixels, true, false);
    } else {
        ImFontConfig config;
        config.SizePixels =
            std::max(13.0f, std::floor(em_pixels / 13) *
                                13);  // a bitmap font is sharp at integer multiples of its size
        sizes_[i] = config.SizePixels;
        if (!reuse) fonts_[i] = ImGui::GetIO().Fonts->AddFontDefault(&config);
    }
    const std::string file = main != nullptr ? main->path : "ImGui's built-in font";
    if (source_.find(file) == std::string::npos) source_ += (source_.empty() ? "" : ", ") + file;
}

void Fonts::load(float scale, bool titles) {
    scale_ = std::clamp(scale, 0.5f, 8.0f);
    source_.clear();
    if (!ui::kDynamicFonts) ImGui::GetIO().Fonts->Clear();
    const auto title = static_cast<int>(FontRole::title), heading = static_cast<int>(FontRole::heading);
    for (int i = 0; i < kRoles; ++i) {
        if (i != title || titles) add_role(static_cast<FontRole>(i));
    }
    if (!titles) {
        fonts_[title] = fonts_[heading];
        sizes_[title] = sizes_[heading];
    }
#if IMGUI_VERSION_NUM >= 19200
    ImGui::GetStyle().FontSizeBase = sizes_[0];
#else
    ImGui::GetIO().Fonts->Build();
#endif
}

// ImGui rounds the baseline to a whole pixel.
float Fonts::baseline(FontRole role) const {
    return std::round(ui::font_ascent(font(role), imgui_size(role)));
}

float Fonts::width(std::string_view utf8, FontRole role) const {
    if (utf8.empty()) return 0;  // Dear ImGui takes a null end for a text that ends with a zero byte
    const int i = static_cast<int>(role);
    return fonts_[i]->CalcTextSizeA(sizes_[i], FLT_MAX, 0, utf8.data(), utf8.data() + utf8.size()).x / scale_;
}

void renew_font_texture() {
#if IMGUI_VERSION_NUM < 19200
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

}  // namespace warplens
