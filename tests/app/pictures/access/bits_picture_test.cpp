#include "app/pictures/access/bits_canvas.h"
#include "app/pictures/access/explain.h"
#include "tests/app/pictures/kit/legible.h"
#include "tests/app/pictures/kit/pictures_of_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <map>
#include <random>

namespace warplens::test::bits_picture_tests {
namespace {

using testing::HasSubstr;

Style style_of(Vec2 size, bool compact = false, bool embedded = false) {
    static const FixedMeasure measure;
    Style style{.theme = &theme(ThemeName::dark), .measure = &measure, .size = size};
    style.compact = compact;
    style.embedded = embedded;
    return style;
}

Picture drawn(const Pictured& one, const Style& style) {
    return draw_access(one.view(), one.tile, {.bits = true}, style);
}

std::string why(const WarpAccess& access, TileShape tile = {}) {
    return explain_bits(pictured(access, h200(), tile).view(), tile).why;
}

TEST(BitsPicture, TextsCanBeReadAtEverySize) {
    std::mt19937 random(4);
    for (const Scenario& scenario : all_scenarios()) {
        for (int round = 0; round < 6; ++round) {
            const DeviceFacts& device = round == 0 ? h200() : generations()[random() % generations().size()];
            const Params params = round == 0 ? scenario.info->defaults : random_params(scenario, random);
            for (const Pictured& one : pictured(scenario, params, device)) {
                if (!has_bits(one.view())) continue;
                for (const auto& style : {style_of({960, 700}), style_of({642, 480}), style_of({420, 330}),
                                          style_of({640, 620}, false, true), style_of({330, 240}, true)}) {
                    const std::vector<PlacedPicture> figure{{drawn(one, style), {0, 0}}};
                    for (const std::string& problem : illegible_texts(figure, *style.measure))
                        ADD_FAILURE() << scenario.info->id << " on " << device.name << " at " << style.size.x
                                      << " x " << style.size.y << ": " << problem;
                }
            }
        }
    }
}

/// The digits of the written address are those of the lane, highest bit first.
TEST(BitsPicture, TheDigitsAreTheAddress) {
    std::mt19937 random(8);
    for (int round = 0; round < 200; ++round) {
        WarpAccess access =
            strided(Space::shared, 4 * static_cast<int>(random() % 40), 4, 4 * (random() % 64));
        const Pictured one = pictured(access, h200());
        Style style = style_of({960, 700});
        style.hovered_lane = static_cast<int>(random() % kWarpLanes);
        std::map<float, bool, std::greater<>> digits;  // from the right
        for (const Shape& shape : drawn(one, style).shapes) {
            const auto* label = std::get_if<Label>(&shape);
            if (label != nullptr && label->font == FontRole::mono)
                digits[label->position.x] = label->text == "1";
        }
        EXPECT_EQ(static_cast<int>(digits.size()), address_bits(access, {}).shown());
        std::uint64_t shown = 0;
        int bit = 0;
        for (const auto& [x, set] : digits) shown |= std::uint64_t{set} << bit++;
        EXPECT_EQ(shown, access.byte_address[static_cast<std::size_t>(style.hovered_lane)]);
    }
}

TEST(BitsPicture, SaysWhichBitsMakeAConflict) {
    EXPECT_EQ(
        why(strided(Space::shared, 128)),
        "Between the lanes, bits 7 to 11 differ. The 5 bits that choose the bank, 2 to 6, are the same: 32 words in 1 bank.");
    EXPECT_EQ(
        why(strided(Space::shared, 4)),
        "Between the lanes, bits 2 to 6 differ. The 5 bits that choose the bank, 2 to 6, all differ: 32 words in 32 banks.");
    EXPECT_EQ(
        why(strided(Space::shared, 8)),
        "Between the lanes, bits 3 to 7 differ. Of the 5 bits that choose the bank, 2 to 6, 4 differ: 32 words in 16 banks.");
    EXPECT_EQ(
        why(strided(Space::shared, 0)),
        "All lanes have the same address. The 5 bits that choose the bank, 2 to 6, are the same: 1 word in 1 bank.");
    EXPECT_EQ(
        why(strided(Space::global, 32)),
        "Between the lanes, bits 5 to 9 differ. Those from bit 5 up choose sector and line: 32 sectors in 8 "
        "lines.");
}

TEST(BitsPicture, SaysWhatASwizzleDoes) {
    const Scenario& scenario = *find_scenario("shared-tile");
    Params params = scenario.info->defaults;
    params.swizzle_bits = 5;
    const Pictured one = pictured(scenario, params, h200()).front();
    EXPECT_THAT(
        explain_bits(one.view(), one.tile).why,
        HasSubstr("The swizzle XORs bits 7 to 11 into bits 2 to 6: before it, the words lie in 1 bank."));
    int wires = 0;
    for (const Shape& shape : drawn(one, style_of({960, 760})).shapes)
        wires += std::holds_alternative<Wire>(shape);
    EXPECT_EQ(wires, 5) << "one for each bit that changes";
}

TEST(BitsPicture, TablesNameTheBanksOfBothWords) {
    const Pictured one = pictured(strided(Space::shared, 4), h200());
    const auto all = texts(drawn(one, style_of({1200, 800})));
    EXPECT_THAT(all, testing::Contains("4 bytes"));
    EXPECT_THAT(all, testing::Contains("8 bytes"));
    EXPECT_THAT(all, testing::Contains("30 31")) << "8 bytes fill two banks";
    EXPECT_THAT(all, testing::Contains("30"));
}

TEST(BitsPicture, HidesWhatIsToBeGuessed) {
    const Pictured one = pictured(strided(Space::shared, 128), h200());
    Style style = style_of({960, 700});
    style.counts_hidden = true;
    EXPECT_THAT(texts(drawn(one, style)), testing::Not(testing::Contains("differ")));
}

TEST(BitsPicture, NamesBits) {
    EXPECT_EQ(name_bits(0), "");
    EXPECT_EQ(name_bits(1), "bit 0");
    EXPECT_EQ(name_bits(0b11), "bits 0 and 1");
    EXPECT_EQ(name_bits(0b1101111), "bits 0 to 3, 5 and 6");
    EXPECT_EQ(name_bits(0b10101000), "bits 3, 5 and 7");
}

}  // namespace
}  // namespace warplens::test::bits_picture_tests
