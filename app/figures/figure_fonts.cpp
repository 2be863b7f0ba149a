#include "app/figures/figure_fonts.h"

#include "app/base/text.h"

// Warnings in the library's code are ignored.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-function"
#define STBTT_STATIC
// If malloc failed, the library would leave out a letter and say nothing. These throw.
#define STBTT_malloc(bytes, context) ((void)(context), ::operator new(bytes))
#define STBTT_free(pointer, context) ((void)(context), ::operator delete(pointer))
#define STB_TRUETYPE_IMPLEMENTATION
#include <stb_truetype.h>
#pragma GCC diagnostic pop

#include <unordered_map>

namespace warplens {
namespace {

constexpr float kGuessedAdvance = 0.55f;  // [em], if there is no font

/// The next code point, and how many bytes it takes. A byte that is not UTF-8 counts as '?'.
std::pair<char32_t, std::size_t> decode(std::string_view text) {
    const Utf8Character next = first_character(text);
    return {next.valid ? next.code : U'?', next.bytes};
}

struct Face {
    std::span<const unsigned char> bytes;
    stbtt_fontinfo info{};
    float em_per_unit = 0;
};

/// A name from the font's `name` table, with its ASCII characters only.
std::string name_of(const Face& face, int id) {
    int length = 0;
    const char* text = stbtt_GetFontNameString(&face.info, &length, STBTT_PLATFORM_ID_MICROSOFT,
                                               STBTT_MS_EID_UNICODE_BMP, STBTT_MS_LANG_ENGLISH, id);
    std::string name;
    for (int i = 1; text != nullptr && i < length; i += 2) {  // UTF-16, big-endian
        if (text[i - 1] == 0 && text[i] >= ' ' && text[i] != '\'' && text[i] != '"') name += text[i];
    }
    return name;
}

std::string family_of(const Face& face) {
    constexpr int kFamily = 1, kTypographicFamily = 16;
    const std::string name = name_of(face, kTypographicFamily);
    return name.empty() ? name_of(face, kFamily) : name;
}

struct Found {
    int face = -1, glyph = 0;
    float advance = 0;  ///< [em]
};

}  // namespace

struct FigureFonts::State {
    std::vector<std::unique_ptr<Face>> faces;
    int main[kFontRoles], symbols[kFontRoles];  ///< index of the face. -1 if there is none.
    std::string families[kFontRoles];
    std::unordered_map<char32_t, Found> found[kFontRoles];

    int add(std::span<const unsigned char> bytes) {
        if (bytes.empty()) return -1;
        for (std::size_t i = 0; i < faces.size(); ++i) {
            if (faces[i]->bytes.data() == bytes.data()) return int(i);
        }
        auto face = std::make_unique<Face>();
        face->bytes = bytes;
        const int offset = stbtt_GetFontOffsetForIndex(bytes.data(), 0);
        if (offset < 0 || stbtt_InitFont(&face->info, bytes.data(), offset) == 0) return -1;
        face->em_per_unit = stbtt_ScaleForMappingEmToPixels(&face->info, 1);
        faces.push_back(std::move(face));
        return int(faces.size()) - 1;
    }

    bool look_up(int face, char32_t code, Found& result) const {
        if (face < 0) return false;
        const Face& in = *faces[face];
        const int glyph = stbtt_FindGlyphIndex(&in.info, int(code));
        if (glyph == 0) return false;
        int advance = 0, bearing = 0;
        stbtt_GetGlyphHMetrics(&in.info, glyph, &advance, &bearing);
        result = {face, glyph, in.em_per_unit * float(advance)};
        return true;
    }

    const Found& find(char32_t code, FontRole role) {
        const int r = int(role);
        const auto [at, is_new] = found[r].try_emplace(code);
        Found& result = at->second;
        if (is_new && !look_up(main[r], code, result) && !look_up(symbols[r], code, result) &&
            !look_up(main[r], U'?', result))
            result = {-1, 0, kGuessedAdvance};
        return result;
    }
};

FigureFonts::FigureFonts(const std::array<Files, kFontRoles>& files) : state_(std::make_unique<State>()) {
    for (std::size_t r = 0; r < kFontRoles; ++r) {
        state_->main[r] = state_->add(files[r].main);
        state_->symbols[r] = state_->add(files[r].symbols);
        if (state_->main[r] >= 0) state_->families[r] = family_of(*state_->faces[state_->main[r]]);
    }
}

FigureFonts::~FigureFonts() = default;

float FigureFonts::width(std::string_view utf8, FontRole font) const {
    float em = 0;
    while (!utf8.empty()) {
        const auto [code, bytes] = decode(utf8);
        em += state_->find(code, font).advance;
        utf8.remove_prefix(bytes);
    }
    return em * font_points(font);
}

std::vector<FigureFonts::Glyph> FigureFonts::set(std::string_view utf8, FontRole font) const {
    std::vector<Glyph> glyphs;
    float x = 0;
    while (!utf8.empty()) {
        const auto [code, bytes] = decode(utf8);
        const Found& found = state_->find(code, font);
        if (found.face >= 0) glyphs.push_back({found.face, found.glyph, x, bytes});
        x += found.advance * font_points(font);
        utf8.remove_prefix(bytes);
    }
    return glyphs;
}

int FigureFonts::faces() const { return int(state_->faces.size()); }

std::span<const unsigned char> FigureFonts::face_bytes(int face) const {
    return state_->faces.at(face)->bytes;
}

const std::string& FigureFonts::family(FontRole font) const { return state_->families[int(font)]; }

std::vector<FigureFonts::Step> FigureFonts::outline(const Glyph& glyph) const {
    const Face& face = *state_->faces.at(glyph.face);
    stbtt_vertex* vertices = nullptr;
    const int count = stbtt_GetGlyphShape(&face.info, glyph.index, &vertices);
    std::vector<Step> steps;
    const float em = face.em_per_unit;
    const auto at = [em](int x, int y) { return Vec2{em * float(x), -em * float(y)}; };
    for (int i = 0; i < count; ++i) {
        const stbtt_vertex& v = vertices[i];
        const Vec2 end = at(v.x, v.y), control = at(v.cx, v.cy);
        if (v.type == STBTT_vmove) steps.push_back({Step::move, {end}});
        if (v.type == STBTT_vline) steps.push_back({Step::line, {end}});
        if (v.type == STBTT_vcurve) steps.push_back({Step::quadratic, {control, end}});
        if (v.type == STBTT_vcubic) steps.push_back({Step::cubic, {control, at(v.cx1, v.cy1), end}});
    }
    stbtt_FreeShape(&face.info, vertices);
    return steps;
}

}  // namespace warplens
