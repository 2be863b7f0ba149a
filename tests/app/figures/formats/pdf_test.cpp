#include "app/figures/formats/pdf.h"

#include "app/base/errors.h"
#include "tests/app/figures/plans.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::test::pdf_tests {
namespace {

using testing::HasSubstr;

class Pdf : public testing::Test {
protected:
    void SetUp() override {
        if (const auto missing = pdf_unavailable()) GTEST_SKIP() << missing->reason;
        if (open_figure_fonts()->faces() == 0) GTEST_SKIP() << "this program was built without fonts";
    }
};

TEST_F(Pdf, IsOnePageOfTheFiguresSizeWithItsFonts) {
    FigureOptions options;
    options.width = 960;
    options.height = 640;
    const std::string pdf = written("global-stride", FigureFormat::pdf, options);
    EXPECT_TRUE(pdf.starts_with("%PDF-1.4\n")) << pdf.substr(0, 10);
    EXPECT_THAT(pdf, HasSubstr("/Count 1"));
    EXPECT_THAT(pdf, HasSubstr("/MediaBox [ 0 0 720 480 ]")) << "1/72 inch";
    EXPECT_THAT(pdf, HasSubstr("/FontFile")) << "embedded";
    EXPECT_THAT(pdf, HasSubstr("/Title"));
    EXPECT_THAT(pdf, HasSubstr("warplens export global-stride"));
}

TEST_F(Pdf, TheSameFigureIsTheSameFile) {
    EXPECT_EQ(written("transpose", FigureFormat::pdf), written("transpose", FigureFormat::pdf));
}

TEST_F(Pdf, AnImageMakesItLarger) {
    EXPECT_THAT(written("texture-filter", FigureFormat::pdf), HasSubstr("/Subtype /Image"));
}

TEST(PdfWithoutFonts, SaysWhatIsMissing) {
    const FigureFonts none({});
    const auto pdf = write_pdf({{320, 320}, {}}, {}, none, {}, {});
    ASSERT_TRUE(std::holds_alternative<Unavailable>(pdf));
    EXPECT_THAT(std::get<Unavailable>(pdf).reason, HasSubstr("install"));
}

}  // namespace
}  // namespace warplens::test::pdf_tests
