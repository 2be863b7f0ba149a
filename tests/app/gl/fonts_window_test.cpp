#include "app/gl/fonts.h"

#include "app/gl/imgui_compat.h"
#include "tests/app/gl/gl_fixture.h"

#include <cmath>
#include <string>

namespace warplens::test::fonts_window_tests {
namespace {

constexpr FontRole kRoles[] = {FontRole::body, FontRole::strong, FontRole::mono, FontRole::heading,
                               FontRole::title};

/// Code points of UTF-8 text; enough for three-byte ones.
std::vector<unsigned> code_points(std::string_view utf8) {
    std::vector<unsigned> all;
    for (std::size_t i = 0; i < utf8.size();) {
        const unsigned lead = static_cast<unsigned char>(utf8[i]);
        const int more = lead < 0x80 ? 0 : lead < 0xe0 ? 1 : 2;
        unsigned code = more == 0 ? lead : lead & (0x3fu >> more);
        for (int k = 1; k <= more; ++k) code = code << 6 | (static_cast<unsigned char>(utf8[i + k]) & 0x3fu);
        all.push_back(code);
        i += 1 + more;
    }
    return all;
}

using FontsTest = GlTest;

TEST_F(FontsTest, EveryRoleHasEverySymbol) {
    const Offscreen offscreen(1);
    for (const FontRole role : kRoles) {
        // Only the body font has accents: names of files and of people's own things are shown in it.
        const std::string text = (role == FontRole::body ? "éüßñ" : "") + ("AZaz09~" + std::string(kSymbols));
        for (const unsigned code : code_points(text))
            EXPECT_TRUE(ui::has_glyph(offscreen.fonts().font(role), code))
                << "role " << static_cast<int>(role) << " lacks U+" << std::hex << code;
    }
}

TEST_F(FontsTest, WidthsArePointsAtEveryScale) {
    const Offscreen one(1), four(4);
    for (const FontRole role : kRoles) {
        const float width = one.fonts().width("32 sectors, ideal 4", role);
        EXPECT_GT(width, 60);
        EXPECT_NEAR(four.fonts().width("32 sectors, ideal 4", role), width, 0.02 * width);
    }
    EXPECT_EQ(one.fonts().width("", FontRole::body), 0);
    EXPECT_NEAR(one.fonts().width("iiii", FontRole::mono), one.fonts().width("MMMM", FontRole::mono), 0.01);
}

TEST_F(FontsTest, SizesFollowTheRoles) {
    const Offscreen offscreen(2);
    const Fonts& fonts = offscreen.fonts();
    EXPECT_NEAR(fonts.imgui_size(FontRole::heading) / fonts.imgui_size(FontRole::strong), 1.25, 0.01);
    EXPECT_NEAR(fonts.imgui_size(FontRole::title) / fonts.imgui_size(FontRole::strong), 1.6, 0.01);
    for (const FontRole role : kRoles) {
        EXPECT_GT(fonts.imgui_size(role), 2 * font_points(role)) << "ascent and descent are more than the em";
        EXPECT_GT(fonts.baseline(role), 0.6f * fonts.imgui_size(role));
        EXPECT_LT(fonts.baseline(role), 0.95f * fonts.imgui_size(role));
    }
}

#if IMGUI_VERSION_NUM < 19200
// A letter that is stretched, however little, is blurred. Sizes with a fraction are the usual ones.
TEST_F(FontsTest, LettersAreDrawnWithThePixelsTheyWereRenderedWith) {
    for (const float scale : {1.0f, 1.25f, 1.7f, 2.0f, 3.0f}) {
        const Offscreen offscreen(scale);
        for (const FontRole role : kRoles) {
            ImFont* font = offscreen.fonts().font(role);
            const ImFontAtlas& atlas = *font->ContainerAtlas;
            const float stretched = offscreen.fonts().imgui_size(role) / font->FontSize;
            for (const ImWchar letter : {u'A', u'g', u'0', u'\u2192'}) {
                const ImFontGlyph& glyph = *font->FindGlyph(letter);
                const float rows = (glyph.V1 - glyph.V0) * static_cast<float>(atlas.TexHeight);
                EXPECT_NEAR((glyph.Y1 - glyph.Y0) * stretched, rows, 0.01) << scale << ' ' << letter;
                EXPECT_NEAR(glyph.Y0 * stretched, std::round(glyph.Y0 * stretched), 0.01)
                    << scale << ' ' << letter;
            }
        }
    }
}
#endif

}  // namespace
}  // namespace warplens::test::fonts_window_tests
