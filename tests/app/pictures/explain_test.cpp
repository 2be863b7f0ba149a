#include "tests/app/pictures/pictures_of_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::test {
namespace {

using testing::HasSubstr;
using testing::Not;

Explanation of(const WarpAccess& access, const TileShape& tile = {}) {
    const Pictured one = pictured(access, h200(), tile);
    return explain(one.view(), tile);
}

TEST(Explain, GlobalMemory) {
    EXPECT_THAT(of(strided(Space::global, 4)).verdict,
                HasSubstr("Coalesced: 32 lanes are served by 4 sectors"));
    EXPECT_TRUE(of(strided(Space::global, 4)).good);

    const Explanation misaligned = of(strided(Space::global, 4, 4, 4));
    EXPECT_EQ(misaligned.verdict, "Misaligned: 5 sectors are fetched, where 4 would do.");
    EXPECT_THAT(misaligned.why, HasSubstr("0x4, is not a multiple of 32"));
    EXPECT_FALSE(misaligned.good);

    const Explanation each = of(strided(Space::global, 32));
    EXPECT_EQ(each.verdict, "Each lane has a sector to itself: 32 sectors are fetched, where 4 would do.");
    EXPECT_THAT(each.why,
                HasSubstr("32 bytes apart, a whole sector: 7 of every 8 bytes fetched are not used"));

    EXPECT_THAT(of(strided(Space::global, 8)).verdict,
                HasSubstr("Strided: 8 sectors are fetched, where 4 would do"));
    EXPECT_THAT(of(strided(Space::global, 0)).verdict,
                HasSubstr("All 32 lanes want the same 4 bytes: 1 sector, ideal 1"));
}

TEST(Explain, StoresAreSent) {
    const Explanation store = of(strided(Space::global, 32, 4, 0, Op::store));
    EXPECT_THAT(store.verdict, HasSubstr("32 sectors are sent"));
    EXPECT_THAT(store.verdict + store.why, Not(HasSubstr("fetched")));
}

TEST(Explain, SharedMemory) {
    EXPECT_EQ(of(strided(Space::shared, 4)).verdict, "No conflicts: 1 wavefront, ideal 1.");
    const Explanation column = of(strided(Space::shared, 128));
    EXPECT_EQ(column.verdict, "32 wavefronts, ideal 1, 31 excessive.");
    EXPECT_EQ(
        column.why,
        "Neighbouring lanes lie 32 words apart, so 32 different words fall into bank 0, which gives one per "
        "wavefront.");
    const Explanation broadcast = of(strided(Space::shared, 0));
    EXPECT_EQ(broadcast.verdict, "All 32 lanes want the same word: 1 wavefront, ideal 1.");
    EXPECT_TRUE(broadcast.good);
}

TEST(Explain, WideAccessesAreNoConflicts) {
    const Explanation wide = of(strided(Space::shared, 16, 16));
    EXPECT_TRUE(wide.good);
    EXPECT_EQ(wide.verdict, "No conflicts: 4 wavefronts, ideal 4.");
    EXPECT_THAT(wide.why, HasSubstr("16-byte loads are served in 4 groups of 8 lanes"));
    EXPECT_THAT(of(strided(Space::shared, 64, 16)).verdict,
                HasSubstr("16 wavefronts, ideal 4, 12 excessive"));
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
                if (!one.shared() && !has_sectors(one.report.instruction.space)) continue;
                const Explanation e = explain(one.view(), one.tile);
                ASSERT_TRUE(e.verdict.ends_with('.') && e.why.ends_with('.')) << e.verdict << e.why;
                ASSERT_THAT(e.verdict + e.why, Not(HasSubstr("-way")));
                if (one.shared()) {
                    const BankCount& count = one.banks.count;
                    ASSERT_THAT(e.verdict, HasSubstr(std::to_string(count.wavefronts) + " wavefront"));
                    ASSERT_THAT(e.verdict, HasSubstr("ideal " + std::to_string(count.ideal)));
                    ASSERT_EQ(e.good, count.excessive() == 0);
                } else {
                    const SectorCount& count = one.sectors.count;
                    ASSERT_THAT(e.verdict, HasSubstr(format_count(count.sectors) + " sector"));
                    ASSERT_THAT(e.verdict, HasSubstr(std::to_string(count.ideal_sectors)));
                    ASSERT_EQ(e.good, count.sectors <= count.ideal_sectors);
                }
            }
        }
    }
}

}  // namespace
}  // namespace warplens::test
