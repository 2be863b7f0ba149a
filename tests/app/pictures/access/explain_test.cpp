#include "app/pictures/access/explain.h"

#include "tests/app/pictures/kit/pictures_of_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace warplens::test::explain_tests {
namespace {

using testing::HasSubstr;
using testing::Not;

Explanation of(const WarpAccess& access, const TileShape& tile = {}) {
    const Pictured one = pictured(access, h200(), tile);
    return explain(one.view(), tile);
}

/// The sentence says what the report counted, and is content only when nothing can be gained.
void expect_its_numbers(const Pictured& one, const Explanation& e) {
    if (has_banks(one.space())) {
        const BankCount& count = one.banks.count;
        EXPECT_THAT(e.verdict, HasSubstr(std::to_string(count.wavefronts) + " wavefront"));
        EXPECT_THAT(e.verdict, HasSubstr("ideal " + std::to_string(count.ideal)));
        EXPECT_EQ(e.good, count.excessive() == 0) << e.verdict;
    } else if (has_sectors(one.space())) {
        const SectorCount& count = one.sectors.count;
        const Travelling pieces = travelling(one.sectors);
        EXPECT_THAT(e.verdict, HasSubstr(format_count(pieces.count) + " " + std::string(pieces.name)));
        if (one.sectors.rules.coalescing != CoalescingRules::sectors) {
            EXPECT_THAT(e.why, HasSubstr(format_count(count.bytes_moved) + " bytes")) << e.verdict;
        }
        const bool small_pieces = one.sectors.rules.coalescing != CoalescingRules::whole_lines;
        const bool wasted =
            one.space() == Space::global && small_pieces && count.sectors > count.ideal_sectors;
        if (!e.good && pieces.good()) {
            EXPECT_TRUE(wasted) << e.verdict;  // no more pieces than needed, but larger ones
        } else {
            EXPECT_THAT(e.verdict, HasSubstr(std::to_string(pieces.ideal)));
            EXPECT_EQ(e.good, pieces.good()) << e.verdict;
        }
    } else if (one.space() == Space::constant) {
        const ConstantCount& count = one.constant.count;
        EXPECT_THAT(e.verdict, HasSubstr(std::to_string(count.requests) +
                                         (count.requests == 1 ? " request" : " serialized request")));
        EXPECT_TRUE(e.good || count.requests > 1) << e.verdict;
        if (!e.good) {
            EXPECT_THAT(e.why, HasSubstr(std::to_string(count.lines) + " line"));
        }
    } else if (one.space() == Space::texture) {
        const TextureCount& count = one.texture.count;
        if (e.verdict.find("read outside the texture") != std::string::npos) {
            const std::string fetched = std::to_string(count.sectors) + " sector";
            EXPECT_TRUE(e.verdict.find(fetched) != std::string::npos || count.sectors == 0) << e.verdict;
            return;
        }
        EXPECT_THAT(e.verdict, HasSubstr(std::to_string(count.requests) + " request"));
        EXPECT_THAT(e.verdict, HasSubstr(std::to_string(count.sectors) + " sector"));
        if (count.sectors > 0) {
            EXPECT_THAT(e.verdict, HasSubstr(std::to_string(count.ideal_sectors)));
        }
        EXPECT_EQ(e.good, count.sectors <= count.ideal_sectors) << e.verdict;
    } else if (one.report.access.op == Op::load) {
        int moved = 0;
        for (int lane = 0; lane < kWarpLanes; ++lane) {
            moved += (one.report.access.active >> lane & 1u) != 0 &&
                     one.report.access.byte_address[lane] != 4u * static_cast<unsigned>(lane);
        }
        if (one.report.instruction.by_value != ByValue::no) {
            std::set<std::uint64_t> values;
            for (int lane = 0; lane < kWarpLanes; ++lane)
                if ((one.report.access.active >> lane & 1u) != 0)
                    values.insert(one.report.access.byte_address[lane]);
            EXPECT_THAT(e.verdict, HasSubstr(std::to_string(values.size()) + " distinct value"));
            return;
        }
        EXPECT_THAT(e.verdict, HasSubstr(std::to_string(moved) + " value"));
    }
}

TEST(Explain, GlobalMemory) {
    EXPECT_THAT(of(strided(Space::global, 4)).verdict,
                HasSubstr("Coalesced: 32 lanes are served by 4 sectors"));
    EXPECT_TRUE(of(strided(Space::global, 4)).good);

    const Explanation misaligned = of(strided(Space::global, 4, 4, 4));
    EXPECT_EQ(misaligned.verdict, "Misaligned: 5 sectors are fetched, 4 is the minimum.");
    EXPECT_THAT(misaligned.why, HasSubstr("0x4, is not a multiple of 32"));
    EXPECT_FALSE(misaligned.good);

    const Explanation each = of(strided(Space::global, 32));
    EXPECT_EQ(each.verdict, "Each lane has a sector to itself: 32 sectors are fetched, 4 is the minimum.");
    EXPECT_THAT(each.why,
                HasSubstr("32 bytes apart, a whole sector: 7 of every 8 bytes fetched are not used"));

    EXPECT_THAT(of(strided(Space::global, 8)).verdict,
                HasSubstr("Strided: 8 sectors are fetched, 4 is the minimum"));
    EXPECT_THAT(of(strided(Space::global, 0)).verdict,
                HasSubstr("All 32 lanes request the same 4 bytes: 1 sector, ideal 1"));
}

TEST(Explain, StoresAreSent) {
    const Explanation store = of(strided(Space::global, 32, 4, 0, Op::store));
    EXPECT_THAT(store.verdict, HasSubstr("32 sectors are sent"));
    EXPECT_THAT(store.verdict + store.why, Not(HasSubstr("fetched")));
}

TEST(Explain, SharedMemory) {
    EXPECT_EQ(of(strided(Space::shared, 4)).verdict, "Conflict-free: 1 wavefront, ideal 1.");
    const Explanation column = of(strided(Space::shared, 128));
    EXPECT_EQ(column.verdict, "32-way bank conflict: 32 wavefronts, ideal 1.");
    EXPECT_EQ(
        column.why,
        "Neighbouring lanes lie 32 words apart, so 32 different words fall into bank 0, which gives one per "
        "wavefront.");
    const Explanation broadcast = of(strided(Space::shared, 0));
    EXPECT_EQ(broadcast.verdict, "All 32 lanes request the same word: 1 wavefront, ideal 1.");
    EXPECT_TRUE(broadcast.good);
}

TEST(Explain, WideAccessesAreNoConflicts) {
    const Explanation wide = of(strided(Space::shared, 16, 16));
    EXPECT_TRUE(wide.good);
    EXPECT_EQ(wide.verdict, "Conflict-free: 4 wavefronts, ideal 4.");
    EXPECT_THAT(wide.why, HasSubstr("16-byte loads are served in 4 groups of 8 lanes"));
    EXPECT_THAT(of(strided(Space::shared, 64, 16)).verdict,
                HasSubstr("4-way bank conflict: 16 wavefronts, ideal 4"));
}

TEST(Explain, WhatPaddingAndSwizzleDo) {
    const TileShape padded{.width = 32, .height = 32, .padding = 1};
    EXPECT_THAT(of(strided(Space::shared, 33 * 4), padded).why,
                HasSubstr("Without the padding it would be 32 wavefronts."));
    const TileShape even{.width = 32, .height = 32, .padding = 2};
    EXPECT_THAT(of(strided(Space::shared, 34 * 4), even).why,
                HasSubstr("Rows of 34 words share the factor 2 with the 32 banks."));
    EXPECT_THAT(of(strided(Space::shared, 4), padded).why,
                HasSubstr("Without the padding it would be just as many."));
    WarpAccess swizzled = strided(Space::shared, 128);
    for (int lane = 0; lane < kWarpLanes; ++lane)
        swizzled.byte_address[lane] += static_cast<std::uint64_t>(4 * lane);
    const TileShape swizzle{.width = 32, .height = 32, .swizzle_bits = 5};
    EXPECT_THAT(of(swizzled, swizzle).why, HasSubstr("Without the swizzle it would be 32 wavefronts."));
}

TEST(Explain, NobodyActive) {
    for (const Space space : {Space::global, Space::shared}) {
        WarpAccess access = strided(space, 4);
        access.active = 0;
        EXPECT_THAT(of(access).verdict, HasSubstr("No lane is active"));
    }
}

TEST(Explain, TheNumbersAreTheReportsForAllSettingsOnAllGpus) {
    std::mt19937 random(9);
    for (const Scenario& scenario : all_scenarios()) {
        for (int round = 0; round < 300; ++round) {
            const DeviceFacts& device = all_devices()[random() % all_devices().size()];
            for (const Pictured& one : pictured(scenario, random_params(scenario, random), device)) {
                if (one.report.access.active == 0) continue;
                if (one.report.instruction.linear) continue;  // filter_picture_test.cpp
                const Explanation e = explain(one.view(), one.tile);
                ASSERT_TRUE(e.verdict.ends_with('.') && e.why.ends_with('.')) << e.verdict << e.why;
                if (one.report.instruction.bulk) {  // it has no wavefronts of a warp
                    EXPECT_THAT(e.verdict + e.why, HasSubstr("by TMA"));
                    EXPECT_THAT(e.why, HasSubstr("no warp makes a request"));
                    continue;
                }
                const bool names_ways = e.verdict.find("-way bank conflict: ") != std::string::npos;
                if (names_ways) {
                    ASSERT_EQ(std::stoi(e.verdict), one.banks.ways()) << e.verdict;
                }
                ASSERT_THAT(names_ways ? e.why : e.verdict + e.why, Not(HasSubstr("-way")));
                expect_its_numbers(one, e);
            }
        }
    }
}

TEST(Explain, TheNumbersAreTheReportsForAnyAccessOfTheSmallSpaces) {
    std::mt19937 random(10);
    for (int round = 0; round < 3000 && !testing::Test::HasFailure(); ++round) {
        const Pictured one = random_small_space(random);
        if (one.report.access.active == 0) continue;
        const Explanation e = explain(one.view());
        EXPECT_TRUE(e.verdict.ends_with('.') && e.why.ends_with('.')) << e.verdict << e.why;
        expect_its_numbers(one, e);
    }
}

TEST(Explain, ConstantMemory) {
    const Explanation same = of(strided(Space::constant, 0));
    EXPECT_EQ(same.verdict, "All 32 lanes request the same word: 1 request.");
    EXPECT_TRUE(same.good);
    const Explanation each = of(strided(Space::constant, 4));
    EXPECT_EQ(each.verdict,
              "32 different words take 32 serialized requests; one word for all lanes would take 1.");
    EXPECT_THAT(each.why, HasSubstr("2 lines of 64 bytes."));
    EXPECT_THAT(
        of(strided(Space::constant, 128)).why,
        HasSubstr("32 lines of 64 bytes, spread over 4\u2009032 bytes; the constant L1 has 2\u2009048."));
}

TEST(Explain, PrivateArrays) {
    const Explanation same = of(strided(Space::local, 0, 4, 20));
    EXPECT_EQ(same.verdict, "All 32 lanes use word 5 of their own arrays: 4 sectors, ideal 4.");
    EXPECT_TRUE(same.good);
    const Explanation each = of(strided(Space::local, 4, 4, 0, Op::store));
    EXPECT_EQ(each.verdict,
              "The lanes use 32 different words of their arrays: 32 sectors are sent, 4 is the minimum.");
    EXPECT_FALSE(each.good);
}

TEST(Explain, Exchanges) {
    WarpAccess access = strided(Space::registers, 4);
    EXPECT_EQ(of(access).verdict, "Every lane keeps its own value: 0 values move.");
    for (int lane = 0; lane < kWarpLanes; ++lane)
        access.byte_address[lane] = static_cast<std::uint64_t>(4 * (lane ^ 16));
    EXPECT_EQ(of(access).verdict,
              "Lane i takes the value of lane i ^ 16: 32 values move in one instruction.");
    for (int lane = 0; lane < kWarpLanes; ++lane)
        access.byte_address[lane] = static_cast<std::uint64_t>(4 * (lane < 24 ? lane + 8 : lane));
    EXPECT_EQ(of(access).verdict,
              "24 values move in one instruction, each from the lane 8 further on; 8 lanes keep their own.");
    access.byte_address.fill(12);
    EXPECT_EQ(of(access).verdict,
              "All 32 lanes take the value of lane 3: 31 values move in one instruction.");
    EXPECT_TRUE(of(access).good);
    access.active = 0xffu << 8;
    EXPECT_THAT(of(access).why, HasSubstr("8 lanes take the value of a lane that is not active"));
    EXPECT_FALSE(of(access).good);
}

TEST(Explain, OutsideATexture) {
    WarpAccess access = strided(Space::texture, 4);
    for (std::uint64_t& address : access.byte_address) address |= kOutsideTexture;
    EXPECT_EQ(
        of(access).verdict,
        "8 requests of 4 lanes fetch 8 sectors, and 8 is the ideal. 64 of 64 texels fetched are not used.");
    EXPECT_THAT(of(access).why, HasSubstr("the border's value is given"));
}

}  // namespace
}  // namespace warplens::test::explain_tests
