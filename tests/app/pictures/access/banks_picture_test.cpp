#include "tests/app/pictures/kit/pictures_of_settings.h"

#include "kernels/swizzle.h"
#include "kernels/trace/trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <tuple>

namespace warplens::test::banks_picture_tests {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// Every shared instruction of random settings on random GPUs.
std::vector<Pictured> random_requests(unsigned seed, int rounds) {
    std::mt19937 random(seed);
    std::vector<Pictured> all;
    for (const Scenario& scenario : all_scenarios()) {
        for (int round = 0; round < rounds; ++round) {
            const DeviceFacts& device =
                round % 2 == 0 ? h200() : all_devices()[random() % all_devices().size()];
            for (Pictured& one : pictured(scenario, random_params(scenario, random), device)) {
                if (one.shared()) all.push_back(std::move(one));
            }
        }
    }
    return all;
}

TEST(BanksPicture, TheBarsAreTheReportsWords) {
    for (const Pictured& one : random_requests(5, 60)) {
        const Picture picture = one.draw(style_of(ThemeName::dark, {1100, 800}));
        std::vector<int> seen, expected;
        for (const Hit& hit : picture.hits) {
            const std::size_t line = hit.tooltip.find('\n');
            if (hit.tooltip.starts_with("bank ")) seen.push_back(std::atoi(hit.tooltip.c_str() + line + 1));
        }
        for (int group = 0; group < one.banks.groups; ++group) {
            for (int bank = 0; bank < one.banks.banks; ++bank)
                expected.push_back(one.banks.words[group][bank]);
        }
        ASSERT_EQ(seen, expected);
    }
}

TEST(BanksPicture, BarHeightsGrowByAStepWithEachDoublingOfTheWords) {
    // Lanes 0 to 3 share bank 0 with four words, the others have a bank each.
    WarpAccess access = strided(Space::shared, 4);
    for (int lane = 0; lane < 4; ++lane) access.byte_address[lane] = static_cast<std::uint64_t>(128 * lane);
    const Style style = style_of(ThemeName::light, {1100, 800});
    std::set<float> high, low;
    for (const Box& box : all_of<Box>(pictured(access, h200()).draw(style))) {
        if (box.rect.h == 12 || box.stroke.a > 0) continue;  // a sample of the legend, a lane
        if (box.fill == style.theme->bad) high.insert(box.rect.h);
        if (box.fill == style.theme->series[kSeriesMeasured]) low.insert(box.rect.h);
    }
    ASSERT_EQ(high.size(), 1u);
    ASSERT_EQ(low.size(), 1u);
    EXPECT_NEAR(*high.begin() / *low.begin(), 3, 1e-3) << "4 is 1 doubled twice";
}

TEST(BanksPicture, EveryWantedWordIsOneHeatCellThatPointsIntoItsOwnTraceBlock) {
    for (Pictured& one : random_requests(6, 80)) {
        one.index = 2;
        for (const ColorBy by : {ColorBy::wavefront, ColorBy::words}) {
            const Picture picture = one.draw(style_of(ThemeName::dark, {1600, 1000}), by);
            const auto cells = all_of<HeatCell>(picture);
            std::set<std::pair<int, std::uint64_t>> wanted;
            const auto granule = static_cast<std::uint64_t>(std::max(4, one.report.access.bytes_per_lane));
            for (int lane = 0; lane < kWarpLanes; ++lane) {
                if ((one.report.access.active >> lane & 1u) == 0) continue;
                wanted.emplace(lane / one.banks.lanes_per_group,
                               one.report.access.byte_address[lane] / granule);
            }
            ASSERT_EQ(cells.size(), wanted.size());
            for (const HeatCell& cell : cells) {
                const int offset = cell.value_index - 2 * kTraceWords;
                const int first = by == ColorBy::wavefront ? kTraceWavefront : kTraceBankWords;
                const int last = by == ColorBy::wavefront ? kTraceWavefront + kWarpLanes : kTraceWords;
                ASSERT_TRUE(offset >= first && offset < last) << offset;
                ASSERT_EQ(cell.ramp, by == ColorBy::wavefront ? Ramp::blue_vermilion : Ramp::viridis);
            }
        }
    }
}

TEST(BanksPicture, TheFirstWavefrontOfEveryGroupIsBlueAndTheLastVermilion) {
    for (const Pictured& one : random_requests(7, 60)) {
        if (one.rules.single_broadcast) continue;
        int lowest_first = 1000;
        for (const HeatCell& cell : all_of<HeatCell>(one.draw(style_of(ThemeName::dark, {1600, 1000})))) {
            const int lane = cell.value_index - one.index * kTraceWords - kTraceWavefront;
            const float value = one.banks.wavefront[lane];
            ASSERT_GE(value, cell.first);
            ASSERT_LE(value, std::max(cell.first, cell.max));
            lowest_first = std::min(lowest_first, static_cast<int>(cell.first));
        }
        ASSERT_TRUE(lowest_first == 0 || one.report.access.active == 0);
    }
    for (const HeatCell& cell : all_of<HeatCell>(
             pictured(strided(Space::shared, 16, 16), h200()).draw(style_of(ThemeName::dark, {1100, 800})))) {
        EXPECT_EQ(cell.max, cell.first) << "four wavefronts for four groups are no conflict";
    }
}

TEST(BanksPicture, TheSumOfTheGroupsIsWrittenOut) {
    const Pictured one = pictured(strided(Space::shared, 64, 16), h200());
    EXPECT_THAT(texts(one.draw(style_of(ThemeName::light, {1100, 800}))),
                Contains("4 + 4 + 4 + 4 = 16 wavefronts, ideal 4"));
    Style compact = style_of(ThemeName::light, {420, 230});
    compact.compact = true;
    EXPECT_THAT(texts(one.draw(compact)), Contains("4 + 4 + 4 + 4 = 16 wavefronts, ideal 4"));
}

TEST(BanksPicture, OneWavefrontCanBeShownAlone) {
    const Pictured one = pictured(strided(Space::shared, 32), h200());
    const Picture picture = one.draw(style_of(ThemeName::dark, {1100, 800}), ColorBy::wavefront, 2);
    EXPECT_THAT(picture.subtitle, HasSubstr("wavefront 3 of 8"));
    int bright = 0;
    for (const HeatCell& cell : all_of<HeatCell>(picture)) bright += cell.opacity == 1;
    EXPECT_EQ(bright, 4);
}

TEST(BanksPicture, PaddingIsHatchedWhereItFalls) {
    WarpAccess access = strided(Space::shared, 33 * 4);
    const TileShape tile{.width = 32, .height = 32, .padding = 1};
    const Style style = style_of(ThemeName::dark, {1100, 900});
    int hatched = 0;
    for (const Box& box : all_of<Box>(pictured(access, h200(), tile).draw(style))) hatched += box.hatch.a > 0;
    EXPECT_EQ(hatched, 32 + 1) << "one word for each row, and the sample in the legend";
}

TileShape square_tile(int padding) { return {.width = 32, .height = 32, .padding = padding}; }
WarpAccess column_of(const TileShape& tile) {
    return strided(Space::shared, std::int64_t{tile.width + tile.padding} * 4);
}
/// About what the picture has of a window of 1280 x 800, whose headline says the verdict.
Style style_of_a_window() {
    Style style = style_of(ThemeName::dark, {660, 484});
    style.embedded = style.silent = true;
    return style;
}

TEST(BanksPicture, EachLaneHasItsNumberAboveAndInItsCellAndAWireToItsBank) {
    for (const int padding : {0, 1}) {
        const TileShape tile = square_tile(padding);
        const Picture picture = pictured(column_of(tile), h200(), tile).draw(style_of_a_window());
        const std::vector<std::string> said = texts(picture);
        EXPECT_GE(std::ranges::count(said, "31"), 2) << "a lane and a cell; perhaps a bank";
        const std::vector<Wire> wires = all_of<Wire>(picture);
        ASSERT_EQ(wires.size(), 32u);
        std::set<float> ends;
        for (const Wire& wire : wires) ends.insert(wire.to.x);
        EXPECT_EQ(ends.size(), padding == 0 ? 1u : 32u) << "as many banks as the column lies in";
    }
}

TEST(BanksPicture, TheNumberOfWordsStandsBesideTheWires) {
    const TileShape tile = square_tile(0);
    const Picture column = pictured(column_of(tile), h200(), tile).draw(style_of_a_window());
    Style with_verdict = style_of_a_window();
    with_verdict.silent = false;
    const Picture twos = pictured(strided(Space::shared, 8), h200()).draw(with_verdict);
    for (const auto& [picture, text] :
         {std::pair{&column, "32 words in bank 0"}, {&twos, "2 words in each of 16 banks"}}) {
        const std::vector<Label> labels = all_of<Label>(*picture);
        const auto found = std::ranges::find(labels, text, &Label::text);
        ASSERT_NE(found, labels.end()) << text;
        const float top = found->position.y - ascent(found->font),
                    bottom = found->position.y + descent(found->font);
        for (const Wire& wire : all_of<Wire>(*picture))
            EXPECT_TRUE(wire.to.y <= top || wire.from.y >= bottom) << text;
    }
}

TEST(BanksPicture, BarsHaveOneScaleAtEverySetting) {
    const auto bar_height = [](int stride) {
        const Style style = style_of(ThemeName::light, {1100, 800});
        constexpr float kSample = 16;  // of the legend
        float highest = 0;
        for (const Box& box : all_of<Box>(pictured(strided(Space::shared, 4 * stride), h200()).draw(style)))
            if (box.stroke.a == 0 && box.rect.w > kSample &&
                (box.fill == style.theme->series[kSeriesMeasured] || box.fill == style.theme->bad))
                highest = std::max(highest, box.rect.h);
        return highest;
    };
    const float one = bar_height(1);
    ASSERT_GT(one, 0);
    for (const int ways : {2, 4, 8, 16, 32})
        EXPECT_NEAR(bar_height(ways) / one, 1 + std::log2(ways), 0.01) << ways;
}

TEST(BanksPicture, RowsOfATileAreNamedAndTooltipsNameElementsAndAddresses) {
    const TileShape tile = square_tile(1);
    const Picture picture = pictured(column_of(tile), h200(), tile).draw(style_of_a_window());
    EXPECT_THAT(texts(picture), Contains("row 0"));
    EXPECT_THAT(texts(picture), testing::Not(Contains("0x000")));
    std::vector<std::string> tooltips;
    for (const Hit& hit : picture.hits) tooltips.push_back(hit.tooltip);
    EXPECT_THAT(tooltips, Contains(HasSubstr("lane 31, tile[31][0]\naddress 0xffc")));
    EXPECT_THAT(tooltips, Contains("addresses 0x0 to 0x7f"));
    const Picture words = pictured(strided(Space::shared, 8), h200()).draw(style_of_a_window());
    EXPECT_THAT(texts(words), Contains("0x000")) << "without a tile rows have addresses";
}

TEST(BanksPicture, ASwizzledTileNamesTheElementThatLiesThere) {
    TileShape tile = square_tile(0);
    tile.swizzle_bits = 5;
    WarpAccess access = strided(Space::shared, 0);
    for (int lane = 0; lane < kWarpLanes; ++lane)
        access.byte_address[lane] = static_cast<std::uint64_t>(4 * xor_swizzle(32 * lane, 5, 0, 5));
    std::vector<std::string> tooltips;
    for (const Hit& hit : pictured(access, h200(), tile).draw(style_of_a_window()).hits)
        tooltips.push_back(hit.tooltip);
    EXPECT_THAT(tooltips, Contains(HasSubstr("lane 31, tile[31][0]\n")));
}

TEST(BanksPicture, ColouredByLaneCellsHaveTheColoursOfTheLanes) {
    const Style style = style_of_a_window();
    const Picture picture = pictured(strided(Space::shared, 4), h200()).draw(style, ColorBy::lane);
    EXPECT_TRUE(all_of<HeatCell>(picture).empty());
    const std::vector<Box> boxes = all_of<Box>(picture);
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        const Color own = lane_color(*style.theme, lane);
        EXPECT_GE(std::ranges::count_if(boxes, [&](const Box& box) { return box.fill == own; }), 2) << lane;
    }
}

TEST(BanksPicture, ABroadcastIsOneCellWithTwoOutlinesAndTheNumberOfLanes) {
    const Pictured one = pictured(strided(Space::shared, 0), h200());
    const Picture picture = one.draw(style_of(ThemeName::light, {1100, 600}));
    ASSERT_EQ(all_of<HeatCell>(picture).size(), 1u);
    EXPECT_THAT(texts(picture), Contains("32 lanes"));
    const auto cell = all_of<HeatCell>(picture).front();
    const auto boxes = all_of<Box>(picture);
    EXPECT_EQ(std::count_if(boxes.begin(), boxes.end(),
                            [&](const Box& box) {
                                return box.stroke.a > 0 && box.rect.x >= cell.rect.x &&
                                       box.rect.y >= cell.rect.y &&
                                       box.rect.x + box.rect.w <= cell.rect.x + cell.rect.w;
                            }),
              2);
}

// Bars grow by doublings, and a tick stands at each of them.
TEST(BanksPicture, EveryDoublingHasATick) {
    const Picture picture =
        pictured(strided(Space::shared, 8), h200()).draw(style_of(ThemeName::light, {1100, 800}));
    std::vector<float> ticks;
    for (const Path& path : all_of<Path>(picture))
        if (path.points.size() == 2 && path.points[0].y == path.points[1].y &&
            path.points[1].x - path.points[0].x == 4)
            ticks.push_back(path.points[0].y);
    ASSERT_EQ(ticks.size(), 6u) << "1 to 32 words";
    for (std::size_t i = 2; i < ticks.size(); ++i)
        EXPECT_NEAR(ticks[i - 1] - ticks[i], ticks[0] - ticks[1], 0.01f);
}

// A small stride shows the rows that a larger one reaches: nothing is left empty below them.
TEST(BanksPicture, FewRowsLeaveNoVoid) {
    for (const Vec2 size : {Vec2{420, 560}, Vec2{700, 600}, Vec2{1100, 800}})
        for (const int stride : {4, 8, 16, 128}) {
            Style style = style_of(ThemeName::light, size);
            style.embedded = style.silent = true;
            const Picture picture = pictured(strided(Space::shared, stride), h200()).draw(style);
            float bottom = 0;
            for (const Box& box : all_of<Box>(picture))
                if (box.fill == style.theme->cell_empty) bottom = std::max(bottom, box.rect.y + box.rect.h);
            for (const HeatCell& cell : all_of<HeatCell>(picture))
                bottom = std::max(bottom, cell.rect.y + cell.rect.h);
            EXPECT_GT(bottom, size.y - 100) << size.x << " " << stride;
        }
}

// As in a comparison in a window of 1024 x 768: all rows are drawn, however low.
TEST(BanksPicture, ALowPictureDrawsEveryRow) {
    Style style = style_of(ThemeName::light, {408, 170});
    style.embedded = true;
    const Pictured one = pictured(strided(Space::shared, 128), h200());
    EXPECT_EQ(one.draw(style).folds, 0);
}

TEST(BanksPicture, NoRowIsHiddenSilently) {
    for (const Vec2 size : {Vec2{300, 200}, Vec2{340, 230}, Vec2{700, 300}, Vec2{1600, 1000}}) {
        for (const bool compact : {false, true}) {
            Style style = style_of(ThemeName::light, size);
            style.compact = compact;
            const Picture picture = pictured(strided(Space::shared, 128), h200()).draw(style);
            int hidden = 0;
            for (const std::string& text : texts(picture)) {
                if (text.starts_with("… ") && text.find(" more") != std::string::npos)
                    hidden = std::atoi(text.c_str() + std::string("… ").size());
            }
            EXPECT_EQ(static_cast<int>(all_of<HeatCell>(picture).size()) + hidden, 32)
                << size.x << " " << compact;
        }
    }
}

TEST(BanksPicture, OldGpusHaveTheirOwnColumns) {
    for (const DeviceFacts& device : all_devices()) {
        const Pictured one = pictured(strided(Space::shared, 4), device);
        const Picture picture = one.draw(style_of(ThemeName::light, {1100, 600}));
        const auto bars = std::count_if(picture.hits.begin(), picture.hits.end(),
                                        [](const Hit& hit) { return hit.tooltip.starts_with("bank "); });
        EXPECT_EQ(bars, one.banks.banks * one.banks.groups) << device.name;
    }
}

}  // namespace
}  // namespace warplens::test::banks_picture_tests
