#include "app/figures/figure_fonts.h"

#include "app/figures/figure_writer.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace warplens::test::figure_fonts_tests {
namespace {

class FigureFontsTest : public testing::Test {
protected:
    void SetUp() override {
        if (fonts->faces() == 0) GTEST_SKIP() << "this program was built without fonts";
    }
    std::unique_ptr<FigureFonts> fonts = open_figure_fonts();
};

TEST_F(FigureFontsTest, AWidthIsTheSumOfItsGlyphs) {
    const float a = fonts->width("a", FontRole::body), b = fonts->width("b", FontRole::body);
    EXPECT_GT(a, 4);
    EXPECT_FLOAT_EQ(fonts->width("ab", FontRole::body), a + b) << "no kerning";
    EXPECT_FLOAT_EQ(fonts->width("iiii", FontRole::mono), fonts->width("MMMM", FontRole::mono));
    EXPECT_NEAR(fonts->width("a", FontRole::title) / fonts->width("a", FontRole::heading), 1.6f / 1.25f,
                1e-4);
    EXPECT_EQ(fonts->width("", FontRole::body), 0);
}

TEST_F(FigureFontsTest, EveryLetterHasAGlyphAndItsBytes) {
    const std::string text = "a ● ≤ 3 µs – “x”";
    const auto glyphs = fonts->set(text, FontRole::mono);
    std::size_t bytes = 0;
    float last = -1;
    for (const FigureFonts::Glyph& glyph : glyphs) {
        bytes += glyph.bytes;
        EXPECT_GT(glyph.x, last);
        EXPECT_LT(glyph.face, fonts->faces());
        last = glyph.x;
    }
    EXPECT_EQ(bytes, text.size());
    EXPECT_EQ(glyphs.size(), 16u) << "one a letter";
}

TEST_F(FigureFontsTest, AnOutlineLiesBetweenDescentAndAscent) {
    for (const FontRole role : {FontRole::body, FontRole::strong, FontRole::mono}) {
        const auto glyphs = fonts->set("Hg", role);
        float top = 0, bottom = 0;
        for (const auto& glyph : glyphs) {
            const auto outline = fonts->outline(glyph);
            ASSERT_GT(outline.size(), 4u);
            EXPECT_EQ(outline.front().kind, FigureFonts::Step::move);
            for (const auto& step : outline) {
                top = std::min(top, step.points[0].y);
                bottom = std::max(bottom, step.points[0].y);
            }
        }
        EXPECT_NEAR(top, -0.73f, 0.06f) << "a capital's height [em]";
        EXPECT_NEAR(bottom, 0.21f, 0.06f) << "y downwards";
    }
}

TEST_F(FigureFontsTest, TextThatIsNotUtf8IsStillMeasured) {
    EXPECT_GT(fonts->width("\xff\xc3", FontRole::body), 0);
    EXPECT_EQ(fonts->set("\xe2\x82", FontRole::body).size(), 2u);
}

TEST(FigureFonts, WithoutFilesWidthsAreGuessed) {
    const FigureFonts none({});
    EXPECT_GT(none.width("abc", FontRole::body), 10);
    EXPECT_TRUE(none.set("abc", FontRole::body).empty());
    EXPECT_TRUE(none.family(FontRole::body).empty());
    static const unsigned char kGarbage[64] = {1, 2, 3};
    const FigureFonts garbage({FigureFonts::Files{kGarbage, {}}});
    EXPECT_EQ(garbage.faces(), 0);
}

}  // namespace
}  // namespace warplens::test::figure_fonts_tests
