#include "app/gl/fonts.h"

#include "app/base/assets.h"
#include "app/gl/font_files.h"
#include "app/gl/imgui_compat.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <span>
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

/// How a size with a fraction is asked for.
struct FontSize {
    float pixels;       ///< ascent plus descent, as ImGui counts it
    float density = 1;  ///< by how much more pixels the glyphs are rendered with, and drawn with
    float offset = 0;   ///< of the baseline [pixels of `pixels`]
};

ImFont* add_font(const FontFile& file, const FontSize& size, bool large, bool merge, bool latin_1) {
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    config.MergeMode = merge;
    // Half-pixel steps keep the spacing of small letters even. Large letters do not need the time and the
    // memory.
    config.OversampleH = large ? 1 : 2;
    config.OversampleV = 1;
#if IMGUI_VERSION_NUM >= 19000 && IMGUI_VERSION_NUM < 19200
    config.RasterizerDensity = size.density;
    config.GlyphOffset.y = size.offset;
#endif
    auto* bytes = const_cast<unsigned char*>(
        file.bytes.data());  // ImGui takes void*, but does not write to it without ownership
    ImFont* font = ImGui::GetIO().Fonts->AddFontFromMemoryTTF(bytes, int(file.bytes.size()), size.pixels,
                                                              &config, glyph_ranges(latin_1));
#if IMGUI_VERSION_NUM >= 19000 && IMGUI_VERSION_NUM < 19200
    if (!merge) font->Scale = size.density;
#endif
    return font;
}

/// Reads a big-endian number, as OpenType has them. 0 past the end.
unsigned read_16(std::span<const unsigned char> bytes, std::size_t at) {
    return at + 2 <= bytes.size() ? unsigned(bytes[at]) << 8 | bytes[at + 1] : 0;
}

std::size_t read_32(std::span<const unsigned char> bytes, std::size_t at) {
    return std::size_t{read_16(bytes, at)} << 16 | read_16(bytes, at + 2);
}

std::size_t find_table(std::span<const unsigned char> bytes, const char* tag) {
    const unsigned tables = read_16(bytes, 4);
    for (std::size_t entry = 12; entry < 12 + std::size_t{16} * tables && entry + 16 <= bytes.size();
         entry += 16)
        if (std::memcmp(&bytes[entry], tag, 4) == 0) return read_32(bytes, entry + 8);
    return 0;
}

#if IMGUI_VERSION_NUM >= 19000 && IMGUI_VERSION_NUM < 19200
/// These versions cut the fraction off a size. Letters that are then drawn at the size that was asked for are
/// stretched, blurred and half a pixel too low. So they are rendered with as many pixels as they are drawn
/// with, and the baseline falls between two rows of pixels.
FontSize font_size(const FontFile& file, float pixels) {
    const std::size_t hhea = find_table(file.bytes, "hhea");
    const int ascent = static_cast<std::int16_t>(read_16(file.bytes, hhea + 4));
    const int descent = static_cast<std::int16_t>(read_16(file.bytes, hhea + 6));
    const float whole = std::floor(pixels), density = pixels / whole;
    const float baseline =  // as ImGui has it
        std::floor(float(ascent) * (whole / float(ascent - descent)) + 1);
    return {whole, density, std::round(baseline * density) / density - baseline};
}

/// The size of a font that is merged into one of `main`, so that both look the same.
FontSize merged_size(const FontSize& main, float pixels) {
    return {std::round(pixels / main.density), main.density, main.offset};
}
#else
FontSize font_size(const FontFile&, float pixels) { return {pixels}; }
FontSize merged_size(const FontSize&, float pixels) { return {pixels}; }
#endif

/// @param use  the folder that app/cmake/EmbedAssets.cmake names for it.
std::optional<FontFile> embedded_font(std::string_view use) {
    for (const std::string_view path : asset_paths(use)) {
        const std::string_view bytes = asset(path);
        const std::span file(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
        return FontFile{std::string(path.substr(use.size())), file, read_line_per_em(file)};
    }
    return std::nullopt;
}

const FontFile* pointer_to(const std::optional<FontFile>& file) { return file ? &*file : nullptr; }

}  // namespace

void Fonts::add_role(FontRole role) {
    const int i = int(role);
    const float em_pixels = font_points(role) * scale_;
    const FontFile* main = font_file(role);
    const FontFile* symbols = symbol_font_file();
    const bool reuse =
        ui::kDynamicFonts && fonts_[i] != nullptr;  // a font that is loaded can be rendered at any size
    if (main != nullptr) {
        const float pixels = em_pixels * main->line_per_em;
        // Since 1.92 widgets write with whole sizes, and pictures would stretch the letters of the nearest.
        sizes_[i] = ui::kDynamicFonts ? std::round(pixels) : pixels;
        const FontSize size = font_size(*main, pixels);
        const bool large = em_pixels >= 30;
        if (!reuse) fonts_[i] = add_font(*main, size, large, false, role == FontRole::body);
        if (!reuse && symbols != nullptr && symbols->name != main->name)
            add_font(*symbols, merged_size(size, em_pixels * symbols->line_per_em), large, true, false);
    } else {
        ImFontConfig config;
        config.SizePixels =
            std::max(13.0f, std::floor(em_pixels / 13) *
                                13);  // a bitmap font is sharp at integer multiples of its size
        sizes_[i] = config.SizePixels;
        if (!reuse) fonts_[i] = ImGui::GetIO().Fonts->AddFontDefault(&config);
    }
    const std::string file = main != nullptr ? main->name : "ImGui's built-in font";
    if (source_.find(file) == std::string::npos) source_ += (source_.empty() ? "" : ", ") + file;
}

void Fonts::load(float scale, bool titles) {
    scale_ = std::clamp(scale, 0.5f, 8.0f);
    source_.clear();
    if (!ui::kDynamicFonts) ImGui::GetIO().Fonts->Clear();
    const auto title = int(FontRole::title), heading = int(FontRole::heading);
    for (int i = 0; i < int(kFontRoles); ++i) {
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
    const int i = int(role);
    return fonts_[i]->CalcTextSizeA(sizes_[i], FLT_MAX, 0, utf8.data(), utf8.data() + utf8.size()).x / scale_;
}

void renew_font_texture() {
#if IMGUI_VERSION_NUM < 19200
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

float read_line_per_em(std::span<const unsigned char> bytes) {
    const std::size_t head = find_table(bytes, "head");
    const std::size_t hhea = find_table(bytes, "hhea");
    if (head == 0 || hhea == 0) return 0;
    const unsigned units_per_em = read_16(bytes, head + 18);
    const int ascent = static_cast<std::int16_t>(read_16(bytes, hhea + 4));
    const int descent = static_cast<std::int16_t>(read_16(bytes, hhea + 6));
    if (units_per_em == 0 || ascent <= descent) return 0;
    return float(ascent - descent) / float(units_per_em);
}

const FontFile* font_file(FontRole role) {
    static const auto regular = embedded_font("fonts/regular/"), strong = embedded_font("fonts/strong/"),
                      mono = embedded_font("fonts/mono/");
    return pointer_to(role == FontRole::body ? regular : role == FontRole::mono ? mono : strong);
}

const FontFile* symbol_font_file() {
    static const auto symbols = embedded_font("fonts/symbols/");
    return pointer_to(symbols);
}

}  // namespace warplens
