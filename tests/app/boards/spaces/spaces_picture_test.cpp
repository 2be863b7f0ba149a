#include "kernels/texture_layout.h"
#include "tests/app/pictures/kit/pictures_of_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <functional>
#include <set>

namespace warplens::test::spaces_picture_tests {
namespace {

using testing::Contains;
using testing::HasSubstr;

const Vec2 kLarge{1200, 460};

Style large() { return style_of(ThemeName::dark, kLarge); }

std::vector<Hit> hits_on(const Picture& picture, std::string_view start) {
    std::vector<Hit> found;
    for (const Hit& hit : picture.hits) {
        if (hit.tooltip.starts_with(start)) found.push_back(hit);
    }
    return found;
}

WarpAccess lanes_at(Space space, const std::function<std::uint64_t(int)>& address) {
    WarpAccess access;
    access.space = space;
    for (int lane = 0; lane < kWarpLanes; ++lane) access.byte_address[lane] = address(lane);
    return access;
}

Pictured texture(const std::function<Texel(int)>& texel, Extent size = {64, 64}) {
    const WarpAccess access = lanes_at(Space::texture, [&](int lane) {
        return sampled_address(texel(lane), {size.x, size.y}, Border::border);
    });
    LaunchShape shape;
    shape.texture = size;
    return pictured(access, h200(), {}, shape);
}

TEST(SpacesPictures, EveryActiveLaneCanBePointedAtAndStandsOut) {
    std::mt19937 random(31);
    for (int round = 0; round < 400; ++round) {
        const Pictured one = random_small_space(random);
        Style style = large();
        style.hovered_lane = static_cast<int>(random() % kWarpLanes);
        const Picture picture = one.draw(style);
        std::set<int> lanes;
        for (const Hit& hit : picture.hits) lanes.insert(hit.lane);
        for (int lane = 0; lane < kWarpLanes; ++lane) ASSERT_TRUE(lanes.contains(lane)) << lane;
        const auto boxes = all_of<Box>(picture);
        const bool ring = std::any_of(boxes.begin(), boxes.end(),
                                      [&](const Box& box) { return box.stroke == style.theme->highlight; });
        ASSERT_EQ(ring, (one.report.access.active >> style.hovered_lane & 1u) != 0);
    }
}

TEST(ConstantPicture, EveryPassHasItsWordInTheOrderOfTheLanes) {
    for (const int words : {1, 4, 32}) {
        const Pictured one = pictured(
            lanes_at(Space::constant, [&](int lane) { return static_cast<std::uint64_t>(lane % words * 8); }),
            h200());
        const Picture picture = one.draw(large());
        const auto cells = hits_on(picture, "word 0x");
        ASSERT_EQ(static_cast<int>(cells.size()), words);
        for (std::size_t i = 1; i < cells.size(); ++i) EXPECT_GT(cells[i].rect.x, cells[i - 1].rect.x);
        for (int i = 0; i < words; ++i) EXPECT_THAT(texts(picture), Contains(std::to_string(i + 1)));
        EXPECT_EQ(all_of<Wire>(picture).size(), 32u);
        EXPECT_THAT(texts(picture), Contains("0x000"));
    }
}

TEST(ConstantPicture, NamesHowManyLanesShareAPass) {
    const Pictured one = pictured(
        lanes_at(Space::constant, [](int lane) { return static_cast<std::uint64_t>(lane / 8 * 4); }), h200());
    const auto said = texts(one.draw(large()));
    EXPECT_EQ(std::count(said.begin(), said.end(), "8 lanes"), 4);
}

TEST(ConstantPicture, ThePassesGoFromBlueToVermilion) {
    const Picture picture = pictured(strided(Space::constant, 4), h200()).draw(large());
    const auto boxes = all_of<Box>(picture);
    for (const float t : {0.0f, 1.0f}) {
        EXPECT_TRUE(std::any_of(boxes.begin(), boxes.end(), [&](const Box& box) {
            return box.fill == ramp_color(Ramp::blue_vermilion, t);
        }));
    }
}

TEST(ConstantPicture, NoWordIsHiddenSilently) {
    for (const int bytes : {4, 8, 16}) {
        for (const float width : {300.0f, 420.0f, 700.0f, 1600.0f}) {
            const Picture picture = pictured(strided(Space::constant, bytes, bytes), h200())
                                        .draw(style_of(ThemeName::light, {width, 420}));
            int hidden = 0;
            for (const std::string& text : texts(picture)) {
                if (text.starts_with("… ") && text.ends_with(" more"))
                    hidden = std::atoi(text.c_str() + std::string("… ").size());
            }
            EXPECT_EQ(static_cast<int>(hits_on(picture, "word 0x").size()) + hidden, 8 * bytes) << width;
        }
    }
}

TEST(ConstantPicture, ShowsTheLinesOfTheConstantL1AndWhatLiesBeyond) {
    const Picture few = pictured(strided(Space::constant, 64), h200()).draw(large());
    EXPECT_THAT(texts(few), Contains("32 lines of the 32 that fit into the constant L1 of 2\u2009048 B"));
    EXPECT_EQ(hits_on(few, "line 0x").size(), 32u);
    const Picture many = pictured(strided(Space::constant, 128), h200()).draw(large());
    EXPECT_THAT(texts(many), Contains(HasSubstr("32 lines spread over 4\u2009032 B")));
    EXPECT_THAT(texts(many), Contains("+2 KiB"));
    EXPECT_EQ(hits_on(many, "line 0x").size(), 64u);
}

TEST(TexturePicture, CountsTheSectorsOfEachGroup) {
    const Picture column = texture([](int lane) { return Texel{1, lane}; }).draw(large());
    const auto said = texts(column);
    EXPECT_EQ(std::count(said.begin(), said.end(), "2 sectors"), 8);
    EXPECT_EQ(hits_on(column, "sector: ").size(), 2u * 16) << "in the map and below the lanes";
    const Picture block = texture([](int lane) { return Texel{lane % 8, lane / 8}; }).draw(large());
    EXPECT_EQ(hits_on(block, "sector: ").size(), 4u);
    EXPECT_THAT(hits_on(block, "sector: ").front().tooltip, HasSubstr("fetched 2 times, for 2 groups"));
}

TEST(TexturePicture, EveryTexelStandsWhereItIs) {
    const Picture picture = texture([](int lane) { return Texel{lane % 8, 3 + lane / 8}; }).draw(large());
    std::vector<Hit> texels;
    for (const Hit& hit : picture.hits) {
        if (hit.tooltip.find("\ntexel (") != std::string::npos && hit.rect.y > 100) texels.push_back(hit);
    }
    ASSERT_EQ(texels.size(), 32u);
    const auto at = [&](int lane) {
        const auto found =
            std::find_if(texels.begin(), texels.end(), [&](const Hit& hit) { return hit.lane == lane; });
        return found == texels.end() ? Rect{} : found->rect;
    };
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        EXPECT_NEAR(at(lane).x - at(0).x, static_cast<float>(lane % 8) * at(0).w, 0.01f);
        EXPECT_NEAR(at(lane).y - at(0).y, static_cast<float>(lane / 8) * at(0).h, 0.01f);
    }
}

TEST(TexturePicture, LanesOutsideAreNamed) {
    const Pictured one = texture([](int lane) { return Texel{48 + lane, 0}; });
    const Picture picture = one.draw(large());
    EXPECT_THAT(texts(picture), Contains(HasSubstr("lanes 16 to 31 lie outside the texture")));
    EXPECT_EQ(hits_on(picture, "lanes 16 to 19: one request\n1 sector").size(), 1u);
}

TEST(TexturePicture, FarTexelsNeedNoMoreShapesThanNearOnes) {
    const Picture far = texture(
                            [](int lane) {
                                return Texel{lane * 251, lane * 253};
                            },
                            {8192, 8192})
                            .draw(large());
    EXPECT_LT(far.shapes.size(), 12000u);
    EXPECT_EQ(hits_on(far, "lane 7\n").size() > 0, true);
}

TEST(LocalPicture, EveryLaneStandsInItsColumnAndRow) {
    LaunchShape shape;
    shape.local_bytes = 32;
    const Picture picture =
        pictured(lanes_at(Space::local, [](int lane) { return static_cast<std::uint64_t>(lane % 8 * 4); }),
                 h200(), {}, shape)
            .draw(large());
    for (int word = 0; word < 8; ++word)
        EXPECT_THAT(texts(picture), Contains("word " + std::to_string(word)));
    const auto said = texts(picture);
    EXPECT_EQ(std::count(said.begin(), said.end(), "4 of 4 sectors"), 8);
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        const auto both = hits_on(picture, "lane " + std::to_string(lane) + "\n");
        ASSERT_EQ(both.size(), 2u);
        EXPECT_FLOAT_EQ(both[0].rect.x, both[1].rect.x);
    }
}

TEST(LocalPicture, NoWordIsHiddenSilently) {
    for (const Vec2 size : {Vec2{300, 200}, Vec2{340, 230}, Vec2{700, 480}, Vec2{1600, 1000}}) {
        for (const bool compact : {false, true}) {
            Style style = style_of(ThemeName::light, size);
            style.compact = compact;
            const Picture picture = pictured(strided(Space::local, 8), h200()).draw(style);
            int hidden = 0;
            for (const std::string& text : texts(picture)) {
                if (text.starts_with("… ") && text.find(" more") != std::string::npos)
                    hidden = std::atoi(text.c_str() + std::string("… ").size());
            }
            std::set<std::string> shown;
            for (const Hit& hit : hits_on(picture, "word ")) {
                if (hit.tooltip.find("one sector") != std::string::npos)
                    shown.insert(hit.tooltip.substr(0, hit.tooltip.find(" of")));
            }
            EXPECT_EQ(static_cast<int>(shown.size()) + hidden, 32) << size.x << " " << compact;
        }
    }
}

TEST(RegistersPicture, EveryValueHasAWireFromItsLaneToTheOneThatTakesIt) {
    std::mt19937 random(32);
    for (int round = 0; round < 200; ++round) {
        const WarpAccess access =
            lanes_at(Space::registers, [&](int) { return std::uint64_t{4} * (random() % kWarpLanes); });
        const Picture picture = pictured(access, h200()).draw(large());
        std::set<std::pair<int, int>> drawn, expected;
        std::vector<Rect> row(kWarpLanes);
        for (int lane = 0; lane < kWarpLanes; ++lane) {
            row[static_cast<std::size_t>(lane)] =
                hits_on(picture, "lane " + std::to_string(lane) + "\n").front().rect;
            expected.emplace(static_cast<int>(access.byte_address[lane] / 4), lane);
        }
        const auto lane_at = [&](float x) {
            for (int lane = 0; lane < kWarpLanes; ++lane) {
                const Rect& cell = row[static_cast<std::size_t>(lane)];
                if (x >= cell.x && x < cell.x + cell.w) return lane;
            }
            return -1;
        };
        for (const Wire& wire : all_of<Wire>(picture))
            drawn.emplace(lane_at(wire.from.x), lane_at(wire.to.x));
        ASSERT_EQ(drawn, expected);
    }
}

TEST(RegistersPicture, WhatStaysHasNoWires) {
    WarpAccess access = lanes_at(Space::registers, [](int) { return std::uint64_t{0}; });
    access.op = Op::store;
    const Picture picture = pictured(access, h200()).draw(large());
    EXPECT_TRUE(all_of<Wire>(picture).empty());
    EXPECT_THAT(texts(picture), Contains(HasSubstr("no memory is accessed")));
}

TEST(ClusterPicture, NamesTheBlockThatAsksAndTheOneThatIsAsked) {
    for (const int cluster : {2, 4, 8, 16}) {
        LaunchShape shape;
        shape.cluster = cluster;
        Pictured one = pictured(strided(Space::cluster, 16), h200(), {}, shape);
        one.report.instruction.ranks_away = cluster - 1;
        const Picture picture = one.draw(large());
        const std::string asked = std::to_string(cluster - 1);
        EXPECT_EQ(hits_on(picture, "block of rank ").size(), static_cast<std::size_t>(cluster));
        EXPECT_EQ(hits_on(picture, "block of rank 0 asks").size(), 1u);
        EXPECT_EQ(hits_on(picture, "block of rank " + asked + " is asked").size(), 1u);
        EXPECT_THAT(texts(picture), Contains("shared memory of block " + asked));
    }
}

TEST(ClusterPicture, CellsHaveTheColourOfTheirWavefront) {
    const Pictured one = pictured(strided(Space::cluster, 32), h200());
    const Picture picture = one.draw(large());
    const auto boxes = all_of<Box>(picture);
    ASSERT_EQ(one.banks.count.wavefronts, 8);
    for (int wavefront = 0; wavefront < 8; ++wavefront) {
        const Color fill =
            ramp_color(Ramp::blue_vermilion, ramp_position(static_cast<float>(wavefront), 0, 7));
        EXPECT_GE(std::count_if(boxes.begin(), boxes.end(), [&](const Box& box) { return box.fill == fill; }),
                  4);
    }
    EXPECT_EQ(all_of<Wire>(picture).size(), 32u);
}

}  // namespace
}  // namespace warplens::test::spaces_picture_tests
