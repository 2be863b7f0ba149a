// The picture of a filtered texture: the image, and the texels round a warp.
#include "app/pictures/access/filter_canvas.h"
#include "kernels/texture_sample.h"
#include "tests/app/pictures/kit/pictures_of_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace warplens::test::filter_picture_tests {
namespace {

const Scenario& scenario() { return *find_scenario("texture-filter"); }

Pictured of(const char* setting, int value, int linear = 1) {
    Params p = scenario().info->defaults;
    p.linear = linear;
    p.*find_knob(scenario(), setting)->field = value;
    return pictured(scenario(), p, h200()).front();
}

Style large() { return style_of(ThemeName::dark, {1100, 600}); }

std::string all_text(const Picture& picture) {
    std::string text;
    for (const Shape& shape : picture.shapes) {
        if (const auto* label = std::get_if<Label>(&shape)) text += label->text + "\n";
    }
    return text;
}

TEST(FilterPicture, ShowsTheImageAndEveryLane) {
    std::mt19937 random(1);
    for (int trial = 0; trial < 60; ++trial) {
        const Params p = random_params(scenario(), random);
        const Picture picture = pictured(scenario(), p, h200()).front().draw(large());
        int images = 0;
        for (const Shape& shape : picture.shapes) images += std::holds_alternative<ImageBox>(shape);
        EXPECT_EQ(images, 1);
        std::uint32_t lanes = 0;
        for (const Hit& hit : picture.hits) {
            if (hit.lane >= 0) lanes |= 1u << hit.lane;
        }
        EXPECT_EQ(lanes, kAllLanes);
    }
}

TEST(FilterPicture, TheRegionHoldsWhatTheLanesGet) {
    std::mt19937 random(2);
    for (int trial = 0; trial < 200; ++trial) {
        const Params p = random_params(scenario(), random);
        const Pictured one = pictured(scenario(), p, h200()).front();
        const TexelRegion region = region_of(one.report.access, {600, 400});
        EXPECT_EQ(region.first.x % kSectorTexelsX, 0);
        EXPECT_EQ(region.columns % kSectorTexelsX, 0);
        EXPECT_EQ(region.rows % kSectorTexelsY, 0);
        int texels = 0;
        for (const std::uint32_t lanes : region.lanes) texels += std::popcount(lanes);
        EXPECT_EQ(texels, p.linear != 0 ? 4 * 32 : 32);
    }
}

TEST(FilterPicture, WeightsOfFourTexelsAreOne) {
    for (int fraction_x = 0; fraction_x < kTexelParts; fraction_x += 5) {
        for (int fraction_y = 0; fraction_y < kTexelParts; fraction_y += 3) {
            const LaneTexel texel{0, 0, static_cast<std::uint8_t>(fraction_x),
                                  static_cast<std::uint8_t>(fraction_y)};
            float sum = 0;
            for (int k = 0; k < 4; ++k) sum += weight_of(texel, true, k % 2, k / 2);
            EXPECT_FLOAT_EQ(sum, 1);
        }
    }
    EXPECT_EQ(weight_of({}, false, 0, 0), 1);
    EXPECT_EQ(weight_of({}, false, 1, 0), 0);
}

TEST(FilterPicture, TheHoveredLaneIsCalculatedInFull) {
    const Pictured one = of("angle", 10);
    Style style = large();
    EXPECT_THAT(all_text(one.draw(style)), testing::HasSubstr("lane 0: "));
    style.hovered_lane = 17;
    EXPECT_THAT(all_text(one.draw(style)), testing::HasSubstr("lane 17: "));
    EXPECT_THAT(all_text(of("angle", 10, 0).draw(style)), testing::Not(testing::HasSubstr("lane 17: ")));
}

TEST(FilterPicture, SaysTheReportsNumbers) {
    std::mt19937 random(3);
    for (int trial = 0; trial < 100; ++trial) {
        const Params p = random_params(scenario(), random);
        const Pictured one = pictured(scenario(), p, h200()).front();
        const Explanation explanation = explain(one.view());
        EXPECT_THAT(explanation.verdict,
                    testing::HasSubstr(std::to_string(one.texture.count.sectors) + " sector"));
        // What is fetched for nothing is not good, though no request could do with less.
        EXPECT_EQ(explanation.good, one.texture.count.bytes_used > 0 &&
                                        one.texture.count.sectors == one.texture.count.ideal_sectors);
    }
}

TEST(FilterPicture, SaysWhatLiesOutside) {
    Params p = scenario().info->defaults;
    p.warp = 0;
    p.border = static_cast<int>(Border::border);
    EXPECT_EQ(explain(pictured(scenario(), p, h200()).front().view()).verdict,
              "All 32 lanes read outside the texture: 12 sectors fetched for nothing.");
    EXPECT_EQ(
        explain(pictured(scenario(), p, h200()).front().view()).why,
        "A request fetches at least one sector, also where the border's value is given: 8 is the minimum.");
    p.border = static_cast<int>(Border::wrap);
    EXPECT_THAT(explain(pictured(scenario(), p, h200()).front().view()).why,
                testing::HasSubstr("32 lanes lie outside the texture: there the texture starts again."));
}

}  // namespace
}  // namespace warplens::test::filter_picture_tests
