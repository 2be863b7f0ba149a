// Private arrays: a warp's words lie interleaved, so what counts is whether lanes agree on the index.
#include "app/model/access/sectors.h"

#include "tests/warp_accesses.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>

namespace warplens::test::local_tests {

namespace {

WarpAccess words_at(auto word_of, int bytes = 4) {
    return test::lanes_at(Space::local, bytes, [&](int lane) { return word_of(lane) * 4; });
}

bool same(const SectorCount& a, const SectorCount& b) {
    return a.requests == b.requests && a.sectors == b.sectors && a.ideal_sectors == b.ideal_sectors &&
           a.lines == b.lines && a.bytes_used == b.bytes_used && a.bytes_moved == b.bytes_moved;
}

}  // namespace

TEST(Local, WorkedExamples) {
    struct Example {
        const char* what;
        WarpAccess access;
        int sectors, lines, ideal;
    };
    for (const Example& e : {
             Example{"same index", words_at([](int) { return 3; }), 4, 1, 4},
             Example{"a word each", words_at([](int lane) { return lane; }), 32, 32, 4},
             Example{"odd and even", words_at([](int lane) { return lane % 2; }), 8, 2, 4},
             Example{"halves of the warp", words_at([](int lane) { return lane / 16; }), 4, 2, 4},
             Example{"same index, 8 bytes", words_at([](int) { return 6; }, 8), 8, 2, 8},
             Example{"same index, 16 bytes", words_at([](int) { return 8; }, 16), 16, 4, 16},
             Example{"a float4 each", words_at([](int lane) { return lane * 4; }, 16), 128, 128, 16},
         }) {
        const SectorCount count = count_local(e.access);
        EXPECT_EQ(count.requests, 1) << e.what;
        EXPECT_EQ(count.sectors, e.sectors) << e.what;
        EXPECT_EQ(count.lines, e.lines) << e.what;
        EXPECT_EQ(count.ideal_sectors, e.ideal) << e.what;
        EXPECT_EQ(count.bytes_moved, e.sectors * 32) << e.what;
    }
}

TEST(Local, NoLaneNoRequest) {
    for (const int bytes : {4, 16}) {
        WarpAccess access = words_at([](int) { return 0; }, bytes);
        access.active = 0;
        EXPECT_TRUE(same(count_local(access), {}));
    }
}

TEST(Local, EveryWordOfEveryLaneHasAPlaceOfItsOwn) {
    constexpr int kWords = 64;
    std::set<std::uint64_t> places;
    for (int word = 0; word < kWords; ++word) {
        const WarpAccess placed = interleave_local(words_at([&](int) { return word; }));
        EXPECT_EQ(placed.byte_address[0], static_cast<std::uint64_t>(word) * 128);
        places.insert(placed.byte_address.begin(), placed.byte_address.end());
    }
    EXPECT_EQ(places.size(), static_cast<std::size_t>(kWords * kWarpLanes));
    EXPECT_EQ(*places.rbegin(), kWords * kWarpLanes * 4u - 4u);
}

TEST(Local, BytesStayInsideTheirWord) {
    const WarpAccess placed =
        interleave_local(test::lanes_at(Space::local, 1, [](int lane) { return lane % 4; }));
    for (int lane = 0; lane < kWarpLanes; ++lane)
        EXPECT_EQ(placed.byte_address[lane], static_cast<std::uint64_t>(lane * 4 + lane % 4));
    EXPECT_EQ(count_local(test::lanes_at(Space::local, 2, [](int lane) { return lane % 2 * 2; })).sectors, 4);
}

TEST(Local, PairsOfWordAndEightLanesByBruteForce) {
    std::mt19937 random(1);
    for (int trial = 0; trial < 3000; ++trial) {
        const WarpAccess access = test::random_access(Space::local, random);
        std::set<std::pair<std::uint64_t, int>> sectors;
        std::set<std::uint64_t> lines;
        for (int lane = 0; lane < kWarpLanes; ++lane) {
            if ((access.active >> lane & 1u) == 0) continue;
            for (int b = 0; b < access.bytes_per_lane; ++b) {
                const std::uint64_t word = (access.byte_address[lane] + static_cast<unsigned>(b)) / 4;
                sectors.insert({word, lane / 8});
                lines.insert(word);
            }
        }
        const SectorCount count = count_local(access);
        ASSERT_EQ(count.sectors, static_cast<int>(sectors.size()));
        ASSERT_EQ(count.lines, static_cast<int>(lines.size()));
        ASSERT_EQ(count.bytes_used, std::popcount(access.active) * access.bytes_per_lane);
        ASSERT_LE(count.ideal_sectors, count.sectors);
    }
}

TEST(Local, LanesOfASectorMayChangePlacesAndIdleOnesAndDuplicatesAreFree) {
    std::mt19937 random(2);
    for (int trial = 0; trial < 2000; ++trial) {
        const WarpAccess access = test::random_access(Space::local, random);
        const SectorCount count = count_local(access);
        ASSERT_TRUE(same(count_local(test::reordered(access, test::order_within(8, random))), count));
        ASSERT_TRUE(same(count_local(test::with_other_idle_lanes(access, random)), count));
        ASSERT_LE(count_local(test::with_a_duplicate(access, 8, random)).sectors, count.sectors);
    }
}

}  // namespace warplens::test::local_tests
