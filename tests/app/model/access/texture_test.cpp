// Textures: sectors of 4 x 2 texels, counted for every four lanes. The numbers are an H200's.
#include "app/model/access/texture.h"

#include "kernels/texture_layout.h"

#include "tests/warp_accesses.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace warplens::test::texture_tests {

namespace {

constexpr int kWidth = 256;

WarpAccess texels_at(auto texel_of) {
    return test::lanes_at(Space::texture, 4, [&](int lane) {
        const Texel texel = texel_of(lane);
        return texel_address(texel.x, texel.y, kWidth);
    });
}

bool same(const TextureCount& a, const TextureCount& b) {
    return a.requests == b.requests && a.sectors == b.sectors && a.ideal_sectors == b.ideal_sectors &&
           a.bytes_used == b.bytes_used;
}

}  // namespace

TEST(Texture, WalksMeasuredOnAnH200) {
    struct Example {
        const char* what;
        WarpAccess access;
        int sectors;
    };
    for (const Example& e : {
             Example{"row", texels_at([](int lane) {
                         return Texel{lane, 5};
                     }),
                     8},
             Example{"column", texels_at([](int lane) {
                         return Texel{5, lane};
                     }),
                     16},
             Example{"8 x 4", texels_at([](int lane) {
                         return Texel{lane % 8, lane / 8};
                     }),
                     8},
             Example{"4 x 8", texels_at([](int lane) {
                         return Texel{lane % 4, lane / 4};
                     }),
                     8},
             Example{"row, misaligned", texels_at([](int lane) {
                         return Texel{lane + 1, 0};
                     }),
                     16},
             Example{"one texel", texels_at([](int) {
                         return Texel{9, 9};
                     }),
                     8},
             Example{"far apart", texels_at([](int lane) {
                         return Texel{8 * lane, 3 * lane};
                     }),
                     32},
         }) {
        const TextureCount count = count_texture(e.access);
        EXPECT_EQ(count.requests, 8) << e.what;
        EXPECT_EQ(count.sectors, e.sectors) << e.what;
        EXPECT_EQ(count.ideal_sectors, 8) << e.what;
    }
}

TEST(Texture, LanesOutsideFetchTheNearestSectorForNothing) {
    WarpAccess access = texels_at([](int lane) { return Texel{lane, 0}; });
    for (int lane = 2; lane < 16; ++lane) access.byte_address[lane] |= kOutsideTexture;
    const TextureReport report = analyze_texture(access);
    EXPECT_EQ(report.count.requests, 8);
    EXPECT_EQ(report.count.sectors, 8);
    EXPECT_EQ(report.count.bytes_used, 18 * 4);
    EXPECT_EQ(report.quad_sectors, (std::array{1, 1, 1, 1, 1, 1, 1, 1}));
    access.active = 0x0000'0ff0;
    EXPECT_EQ(count_texture(access).requests, 2);
    EXPECT_EQ(count_texture(access).sectors, 2);
    EXPECT_EQ(count_texture(access).bytes_used, 0);
    access.active = 0;
    EXPECT_TRUE(same(count_texture(access), {}));
}

TEST(Texture, DistinctSectorsOfEveryFourLanesByBruteForce) {
    std::mt19937 random(1);
    for (int trial = 0; trial < 3000; ++trial) {
        WarpAccess access = test::random_access(Space::texture, random);
        if (trial % 3 == 0) access.byte_address[random() % kWarpLanes] |= kOutsideTexture;
        std::set<std::pair<int, std::uint64_t>> sectors;
        std::set<int> groups;
        for (int lane = 0; lane < kWarpLanes; ++lane) {
            if ((access.active >> lane & 1u) == 0) continue;
            groups.insert(lane / 4);
            sectors.insert({lane / 4, (access.byte_address[lane] & ~kOutsideTexture) / 32});
        }
        const TextureReport report = analyze_texture(access);
        ASSERT_EQ(report.count.requests, static_cast<int>(groups.size()));
        ASSERT_EQ(report.count.sectors, static_cast<int>(sectors.size()));
        ASSERT_LE(report.count.ideal_sectors, report.count.sectors);
        ASSERT_EQ(std::accumulate(report.quad_sectors.begin(), report.quad_sectors.end(), 0),
                  report.count.sectors);
    }
}

TEST(Texture, LanesOfAGroupMayChangePlacesAndIdleOnesAndDuplicatesAreFree) {
    std::mt19937 random(2);
    for (int trial = 0; trial < 2000; ++trial) {
        const WarpAccess access = test::random_access(Space::texture, random);
        const TextureCount count = count_texture(access);
        ASSERT_TRUE(same(count_texture(test::reordered(access, test::order_within(4, random))), count));
        ASSERT_TRUE(same(count_texture(test::with_other_idle_lanes(access, random)), count));
        ASSERT_LE(count_texture(test::with_a_duplicate(access, 4, random)).sectors, count.sectors);
    }
}

TEST(Texture, GroupsMayChangePlaces) {
    const WarpAccess access = texels_at([](int lane) { return Texel{lane % 3 * 9, lane * 5}; });
    std::array<int, kWarpLanes> order;
    for (int lane = 0; lane < kWarpLanes; ++lane) order[lane] = (lane + 12) % kWarpLanes;
    EXPECT_TRUE(same(count_texture(test::reordered(access, order)), count_texture(access)));
}

}  // namespace warplens::test::texture_tests
