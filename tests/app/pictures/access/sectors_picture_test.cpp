#include "app/pictures/access/explain.h"
#include "app/pictures/access/sectors_canvas.h"

#include "tests/app/pictures/kit/pictures_of_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace warplens::test::sectors_picture_tests {
namespace {

using testing::HasSubstr;

Style large() { return style_of(ThemeName::dark, {1100, 900}); }

bool says(const Picture& picture, std::string_view part) {
    const auto all = texts(picture);
    return std::any_of(all.begin(), all.end(),
                       [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

/// The lanes' own hits come last; all others that name lanes are memory cells.
int memory_cells(const Picture& picture) {
    return static_cast<int>(std::count_if(picture.hits.begin(), picture.hits.end() - kWarpLanes,
                                          [](const Hit& hit) { return hit.tooltip.starts_with("lane"); }));
}

TEST(SectorsPicture, HasOneMemoryCellForEachDistinctElementAndOneForEachLane) {
    std::mt19937 random(3);
    const Scenario& scenario = *find_scenario("global-stride");
    for (int round = 0; round < 200; ++round) {
        const Params params = random_params(scenario, random);
        const Pictured one = pictured(scenario, params, h200()).front();
        if (one.sectors.lines.size() > 12) continue;
        const Picture picture = one.draw(style_of(ThemeName::light, {1600, 1000}));
        std::set<std::uint64_t> elements;
        for (int lane = 0; lane < kWarpLanes; ++lane) {
            if ((one.report.access.active >> lane & 1u) != 0)
                elements.insert(one.report.access.byte_address[lane]);
        }
        EXPECT_EQ(memory_cells(picture), static_cast<int>(elements.size()))
            << params.stride << " " << params.element_bytes;
    }
}

// The first array of a text begins at 0, and the next one far behind it.
TEST(SectorsPicture, CountsAddressesFromTheBeginningOfTheirArray) {
    Pictured one = pictured(*find_scenario("vector-add"), {}, h200()).front();
    constexpr std::int64_t kFar = std::int64_t{1} << 40;
    one.report.instruction.array_begin = kFar;
    for (std::uint64_t& address : one.report.access.byte_address) address += kFar;
    one.sectors = analyze_sectors(one.report.access, h200().sector_rules);
    const Picture picture = one.draw(large());
    EXPECT_TRUE(says(picture, "0x000"));
    EXPECT_TRUE(std::ranges::any_of(picture.hits, [](const Hit& hit) {
        return hit.tooltip.find("(element 0)\nsector 0, line 0 (0x000)") != std::string::npos;
    }));
    EXPECT_EQ(address_text(kFar - 128, kFar, 3), "-0x080");
}

// A learner is to find out what is fetched, and which words are the same.
TEST(HiddenPictures, AreDrawnAlikeWhateverIsCounted) {
    Style style = large();
    style.counts_hidden = true;
    const auto boxes = [&](const Pictured& one, bool hatched) {
        const std::vector<Shape> shapes = one.draw(style).shapes;
        return std::ranges::count_if(shapes, [&](const Shape& shape) {
            const auto* box = std::get_if<Box>(&shape);
            return box != nullptr && (!hatched || box->hatch.a > 0);
        });
    };
    for (const Scenario& scenario : all_scenarios())
        for (const Preset& preset : scenario.info->presets)
            for (const Pictured& one : pictured(scenario, preset_params(scenario, preset), h200()))
                if (one.space() == Space::global || one.space() == Space::local) {
                    EXPECT_EQ(boxes(one, true), 0) << scenario.info->id << " " << preset.name;
                }
    WarpAccess access{.space = Space::constant};
    std::set<std::ptrdiff_t> counts;
    for (const int words : {1, 2, 32}) {
        for (int lane = 0; lane < kWarpLanes; ++lane) access.byte_address[lane] = 4u * (lane % words);
        counts.insert(boxes(pictured(access, h200()), false));
    }
    EXPECT_EQ(counts.size(), 1u);
}

TEST(SectorsPicture, SaysTheReportsNumbers) {
    std::mt19937 random(4);
    for (const char* id : {"global-stride", "transpose"}) {
        const Scenario& scenario = *find_scenario(id);
        for (int round = 0; round < 100; ++round) {
            const Params params = random_params(scenario, random);
            for (const Pictured& one :
                 pictured(scenario, params, generations()[round % generations().size()])) {
                if (one.shared() || one.report.access.active == 0) continue;
                const SectorCount& count = one.sectors.count;
                const Travelling pieces = travelling(one.sectors);
                const Picture picture = one.draw(large());
                const bool load = one.report.access.op == Op::load;
                const std::string used =
                    format_count(count.bytes_used) + " of " + format_count(count.bytes_moved) +
                    " bytes used: " + format_percent(count.bytes_used, count.bytes_moved) + " of the bytes " +
                    (load ? "fetched" : "sent");
                EXPECT_THAT(texts(picture), testing::Contains(used));
                Style small = style_of(ThemeName::dark, {340, 230});
                small.compact = true;
                EXPECT_THAT(texts(one.draw(small)),
                            testing::Contains(
                                HasSubstr(format_count(pieces.count) + " " + std::string(pieces.name))));
                EXPECT_THAT(texts(one.draw(small)),
                            testing::Contains(HasSubstr("ideal " + std::to_string(pieces.ideal))));
            }
        }
    }
}

/// "2 × 64 B + 32 B": pieces and their bytes; "3 of 4 sectors", "8 sectors".
struct RowSum {
    int pieces = 0, bytes = 0;
};
RowSum sum_of(const std::string& text) {
    RowSum sum;
    if (text.find("sector") != std::string::npos)
        return {std::atoi(text.c_str()), 32 * std::atoi(text.c_str())};
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find(" + ", at), text.size()), times = text.find(" × ", at);
        const bool several = times != std::string::npos && times < end;
        const int count = several ? std::atoi(text.c_str() + at) : 1;
        const int bytes = std::atoi(text.c_str() + (several ? times + 4 : at));  // the sign has two bytes
        sum.pieces += count;
        sum.bytes += count * bytes;
        at = end + 3;
    }
    return sum;
}

TEST(SectorsPicture, TheRowsAddUpToTheCountOnEveryGeneration) {
    std::mt19937 random(5);
    const Scenario& scenario = *find_scenario("global-stride");
    for (int round = 0; round < 400; ++round) {
        const DeviceFacts& device = generations()[static_cast<std::size_t>(round) % generations().size()];
        const Pictured one = pictured(scenario, random_params(scenario, random), device).front();
        RowSum sum;
        for (const LineUse& line : one.sectors.lines) {
            const RowSum row = sum_of(moved_text(one.sectors, line, true));
            sum.pieces += row.pieces;
            sum.bytes += row.bytes;
        }
        EXPECT_EQ(sum.pieces, travelling(one.sectors).count) << device.name;
        EXPECT_EQ(sum.bytes, one.sectors.count.bytes_moved) << device.name;
    }
}

/// Frames of the colour and width that transactions and requests have.
int frames(const Picture& picture, const Style& style, float width) {
    return static_cast<int>(
        std::count_if(picture.shapes.begin(), picture.shapes.end(), [&](const Shape& shape) {
            const auto* box = std::get_if<Box>(&shape);
            return box != nullptr && box->stroke == style.theme->text_weak && box->stroke_width == width;
        }));
}

TEST(SectorsPicture, FramesWhatTravelsAndWhoIsServedTogether) {
    struct Example {
        const char* device;
        int transactions, requests;
        const char* row;
    };
    const Style style = large();
    for (const Example& e : {Example{"8800 GTX", 2, 2, "2 × 64 B"},
                             {"GTX 280", 2, 2, "2 × 64 B"},
                             {"GTX 480", 1, 0, "128 B"},
                             {"K40", 0, 0, "4 of 4 sectors"},
                             {"GTX 980", 0, 4, "4 of 4 sectors"},
                             {"V100", 0, 0, "4 of 4 sectors"}}) {
        const DeviceFacts& device = all_devices().at(find_device(all_devices(), e.device).value());
        const Picture picture = pictured(strided(Space::global, 4), device).draw(style);
        EXPECT_EQ(frames(picture, style, 2), e.transactions) << e.device;
        EXPECT_EQ(frames(picture, style, 1.5f), e.requests) << e.device;
        EXPECT_TRUE(says(picture, e.row)) << e.device;
    }
}

TEST(SectorsPicture, TheBarIsAsLongAsTheUsedShare) {
    const Pictured one = pictured(strided(Space::global, 32), h200());
    const Style style = large();
    const Picture picture = one.draw(style);
    float used = 0, moved = 0;
    for (const Shape& shape : picture.shapes) {
        const auto* box = std::get_if<Box>(&shape);
        if (box == nullptr || box->rect.h != 12 || box->rect.w < 50) continue;
        (box->fill == style.theme->accent ? used : moved) = box->rect.w;
    }
    EXPECT_NEAR(used / moved, 0.125, 1e-4);
}

TEST(SectorsPicture, DrawsAllLinesAndFoldsOnlyWhereTheyHaveNoRoom) {
    const Picture every_line = pictured(strided(Space::global, 128), h200()).draw(large());
    EXPECT_EQ(every_line.folds, 0);
    EXPECT_FALSE(says(every_line, "skipped"));
    EXPECT_TRUE(says(every_line, "0xf80"));
    const Picture few = pictured(strided(Space::global, 2048, 4, 4), h200()).draw(large());
    EXPECT_EQ(few.folds, 0);
    const Picture low =
        pictured(strided(Space::global, 2048), h200()).draw(style_of(ThemeName::light, {400, 150}));
    EXPECT_EQ(low.folds, 1);
}

TEST(SectorsPicture, NoLineIsHiddenSilently) {
    for (const std::int64_t step : {128, 256, 2048}) {
        for (const Vec2 size : {Vec2{300, 200}, Vec2{340, 230}, Vec2{700, 480}, Vec2{1600, 1000}}) {
            for (const bool compact : {false, true}) {
                Style style = style_of(ThemeName::light, size);
                style.compact = compact;
                const Picture picture = pictured(strided(Space::global, step), h200()).draw(style);
                const auto sectors =
                    std::count_if(picture.hits.begin(), picture.hits.end(),
                                  [](const Hit& hit) { return hit.tooltip.starts_with("sector"); });
                int hidden = 0;
                for (const std::string& text : texts(picture)) {
                    if (text.starts_with("… ") && text.find(" more") != std::string::npos)
                        hidden = std::atoi(text.c_str() + std::string("… ").size());
                }
                EXPECT_EQ(sectors / 4 + hidden, 32) << step << " " << size.x << " " << compact;
            }
        }
    }
}

TEST(SectorsPicture, KeepsItsSentenceWhenThereIsLittleRoom) {
    for (const Vec2 size : {Vec2{300, 200}, Vec2{420, 260}, Vec2{700, 300}}) {
        const Picture picture =
            pictured(strided(Space::global, 32), h200()).draw(style_of(ThemeName::light, size));
        EXPECT_TRUE(says(picture, "Each lane has a sector")) << size.x;
    }
}

TEST(SectorsPicture, TheHoveredLaneStandsOut) {
    const Pictured one = pictured(strided(Space::global, 32), h200());
    Style style = large();
    style.hovered_lane = 9;
    const Picture picture = one.draw(style);
    int bright = 0, rings = 0;
    for (const Shape& shape : picture.shapes) {
        if (const auto* wire = std::get_if<Wire>(&shape)) bright += wire->color == style.theme->highlight;
        if (const auto* box = std::get_if<Box>(&shape)) rings += box->stroke == style.theme->highlight;
    }
    EXPECT_EQ(bright, 1);
    EXPECT_EQ(rings, 2) << "the lane and its memory cell";
}

TEST(SectorsPicture, PointingAtALaneNamesItsPlace) {
    const Picture picture = pictured(strided(Space::global, 32, 4, 4), h200()).draw(large());
    const auto lane = std::find_if(picture.hits.begin(), picture.hits.end(),
                                   [](const Hit& hit) { return hit.tooltip.starts_with("lane 9\n"); });
    ASSERT_NE(lane, picture.hits.end());
    EXPECT_THAT(lane->tooltip, HasSubstr("bytes 0x124 to 0x127 (element 73)"));
    EXPECT_THAT(lane->tooltip, HasSubstr("sector 9, line 2 (0x100)"));
    const Hit* hit = picture.hit_at({lane->rect.x + lane->rect.w / 2, lane->rect.y + lane->rect.h / 2});
    ASSERT_NE(hit, nullptr);
    EXPECT_EQ(hit->lane, 9);
}

TEST(SectorsPicture, SeveralLanesInOneCellAreNeverShownAsOne) {
    const Picture picture = pictured(strided(Space::global, 0), h200()).draw(large());
    EXPECT_TRUE(says(picture, "32 lanes"));
    const auto cell = std::find_if(picture.hits.begin(), picture.hits.end(),
                                   [](const Hit& hit) { return hit.tooltip.starts_with("lanes 0 to 31"); });
    ASSERT_NE(cell, picture.hits.end());
    EXPECT_EQ(cell->lane, -1);
}

}  // namespace
}  // namespace warplens::test::sectors_picture_tests
