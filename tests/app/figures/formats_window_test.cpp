// The same picture in every format: SVG and PDF, drawn by other programs, against the PNG of the window's own
// drawing code.
#include "app/figures/figure_options.h"
#include "app/figures/formats/pdf.h"
#include "app/gl/context.h"
#include "tests/app/figures/plans.h"
#include "tests/app/figures/read_png.h"
#include "tests/with_folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace warplens::test::formats_window_tests {
namespace {

namespace fs = std::filesystem;

constexpr float kScale = 2;  // pixels per point: edges, which every program smooths its own way, count less

bool is_installed(const std::string& program) {
    return std::system(("command -v " + program + " >/dev/null").c_str()) == 0;
}

struct Case {
    const char* scenario;
    std::vector<std::string> settings;
    FigureView view;
    ThemeName theme;
};
std::ostream& operator<<(std::ostream& out, const Case& one) {
    return out << one.scenario << ", " << view_name(one.view) << ", " << theme_key(one.theme);
}

Color pixel(const Image& image, float x, float y) {
    const int column = std::clamp(static_cast<int>(x), 0, image.width - 1);
    const int row = std::clamp(static_cast<int>(y), 0, image.height - 1);
    const std::size_t at = (static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width) +
                            static_cast<std::size_t>(column)) *
                           4;
    return {image.rgba[at], image.rgba[at + 1], image.rgba[at + 2], 255};
}

int distance(Color a, Color b) {
    return std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)});
}

/// Means over blocks of 8 x 8 pixels, each 0 to 255: how programs smooth edges and place letters by parts of
/// a pixel is gone then, and a shape at the wrong place is not.
std::vector<double> block_means(const Image& image) {
    constexpr int kBlock = 8;
    std::vector<double> means;
    for (int y = 0; y + kBlock <= image.height; y += kBlock) {
        for (int x = 0; x + kBlock <= image.width; x += kBlock) {
            double sum[3] = {};
            for (int i = 0; i < kBlock * kBlock; ++i) {
                const Color c =
                    pixel(image, static_cast<float>(x + i % kBlock), static_cast<float>(y + i / kBlock));
                sum[0] += c.r;
                sum[1] += c.g;
                sum[2] += c.b;
            }
            for (const double one : sum) means.push_back(one / (kBlock * kBlock));
        }
    }
    return means;
}

struct Difference {
    double mean = 0;  ///< 0 to 255
    double far = 0;   ///< share of the blocks that differ by more than a sixth of the whole range
};
Difference difference(const Image& a, const Image& b) {
    const std::vector<double> first = block_means(a), second = block_means(b);
    Difference result;
    for (std::size_t i = 0; i < first.size(); ++i) {
        const double apart = std::abs(first[i] - second[i]);
        result.mean += apart / static_cast<double>(first.size());
        result.far += (apart > 255.0 / 6 ? 1.0 : 0.0) / static_cast<double>(first.size());
    }
    return result;
}

/// Places that show what shape stands where: inside boxes and markers, away from edges and from the text in
/// the middle. [points]
std::vector<Vec2> places_in(const Drawing& drawing) {
    std::vector<Vec2> places;
    for (const DrawnGroup& group : drawing.groups) {
        for (const Drawn& shape : group.shapes) {
            if (const auto* box = std::get_if<DrawnBox>(&shape)) {
                if (box->fill.a == 0 || box->rect.w < 6 || box->rect.h < 6) continue;
                places.push_back({box->rect.x + 0.5f * box->rect.w, box->rect.y + 3});
                places.push_back({box->rect.x + 3, box->rect.y + 0.5f * box->rect.h});
            } else if (const auto* disk = std::get_if<DrawnDisk>(&shape)) {
                if (disk->radius >= 3) places.push_back(disk->center);
            } else if (const auto* image = std::get_if<DrawnImage>(&shape)) {
                for (int i = 1; i < 9; ++i) {
                    places.push_back({image->rect.x + 0.1f * static_cast<float>(i) * image->rect.w,
                                      image->rect.y + 0.07f * static_cast<float>(i) * image->rect.h});
                }
            }
        }
    }
    return places;
}

/// Whether a place has the colour of all its neighbours, so that it lies on no edge of a smaller shape.
bool is_flat(const Image& image, Vec2 place, int same_color) {
    const float x = kScale * place.x, y = kScale * place.y;
    for (const float dx : {-1.0f, 0.0f, 1.0f})
        for (const float dy : {-1.0f, 0.0f, 1.0f})
            if (distance(pixel(image, x, y), pixel(image, x + dx, y + dy)) > same_color) return false;
    return true;
}

class FormatsTest : public testing::Test, protected WithFolder {
protected:
    void SetUp() override {
        if (const auto made = HeadlessContext::create(); std::holds_alternative<Unavailable>(made))
            GTEST_SKIP() << std::get<Unavailable>(made).reason;
    }
    /// @param command  draws `path(name)` into `path("drawn.png")`.
    /// @param most_far  see Difference; letters move a little where a program kerns
    void expect_same(const Planned& planned, const Image& own, const char* name, const std::string& command,
                     double most_far) {
        std::ofstream(path(name), std::ios::binary)
            << writer_.write(planned.plan, format_of({}, name), "figure");
        ASSERT_EQ(std::system((command + " 2>/dev/null").c_str()), 0) << command;
        const Image drawn = read_png(path("drawn.png"));
        ASSERT_EQ(drawn.width, own.width);
        ASSERT_EQ(drawn.height, own.height);
        const Difference apart = difference(own, drawn);
        EXPECT_LT(apart.mean, kMostMean) << name;
        EXPECT_LT(apart.far, most_far) << name;
        std::vector<Vec2> places = places_in(planned.drawing(*open_figure_fonts()));
        std::erase_if(places, [&](Vec2 place) { return !is_flat(own, place, kSameColor); });
        ASSERT_GT(places.size(), 5u);
        std::size_t same = 0;
        for (const Vec2 place : places) {
            const float x = kScale * place.x, y = kScale * place.y;
            same += distance(pixel(own, x, y), pixel(drawn, x, y)) <= kSameColor;
        }
        EXPECT_GE(static_cast<double>(same), kLeastSame * static_cast<double>(places.size()))
            << name << ": " << same << " of " << places.size();
    }

    static constexpr double kMostMean = 2;
    static constexpr int kSameColor = 12;
    static constexpr double kLeastSame = 0.95;

    FigureWriter writer_{true};
};

class Formats : public FormatsTest, public testing::WithParamInterface<Case> {};

FigureOptions options_of(const Case& one) {
    FigureOptions options;
    options.view = one.view;
    options.look.theme = one.theme;
    options.scale = kScale;
    options.width = 640;
    options.height = 480;
    return options;
}

TEST_P(Formats, SvgAndPdfLookLikePng) {
    if (!is_installed("rsvg-convert") || !is_installed("pdftoppm"))
        GTEST_SKIP() << "rsvg-convert or pdftoppm is not installed (Debian: librsvg2-bin, poppler-utils)";
    const Planned planned(GetParam().scenario, options_of(GetParam()), GetParam().settings);
    const Image own = writer_.draw(planned.plan);
    expect_same(planned, own, "f.svg", "rsvg-convert -z 2 -o " + path("drawn.png") + " " + path("f.svg"),
                0.006);
    if (pdf_unavailable()) return;
    expect_same(planned, own, "f.pdf",
                "pdftoppm -png -singlefile -r 192 " + path("f.pdf") + " " + path("drawn"), 0.001);
}

/// The bounds above tell figures apart.
TEST_F(FormatsTest, AnotherSettingLooksDifferent) {
    const Case one{"shared-stride", {}, FigureView::access, ThemeName::dark};
    const Image four = writer_.draw(Planned(one.scenario, options_of(one), {"stride=4"}).plan);
    const Image five = writer_.draw(Planned(one.scenario, options_of(one), {"stride=5"}).plan);
    EXPECT_GT(difference(four, five).mean, kMostMean);
    EXPECT_GT(difference(four, five).far, 0.01);
}

INSTANTIATE_TEST_SUITE_P(
    Figures, Formats,
    testing::Values(Case{"shared-stride", {"stride=4"}, FigureView::all, ThemeName::dark},
                    Case{"global-stride", {"stride=2"}, FigureView::all, ThemeName::light},
                    Case{"transpose", {"variant=padded"}, FigureView::all, ThemeName::print},
                    Case{"texture-filter", {}, FigureView::access, ThemeName::dark},
                    Case{"register-shuffle", {}, FigureView::access, ThemeName::high_contrast},
                    Case{"global-stride", {}, FigureView::heatmap, ThemeName::light},
                    Case{"shared-tile", {}, FigureView::fit, ThemeName::dark}));

}  // namespace
}  // namespace warplens::test::formats_window_tests
