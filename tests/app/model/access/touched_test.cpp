// What the lanes of a request touch, against sets: scattered addresses near each other and far apart.
#include "app/model/access/report.h"
#include "app/model/access/sectors.h"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <random>
#include <set>
#include <tuple>

namespace warplens::test::touched_tests {
namespace {

int pieces_of(const WarpAccess& access, std::uint64_t bytes) {
    std::set<std::uint64_t> all;
    for (std::size_t lane = 0; lane < kWarpLanes; ++lane)
        if ((access.active >> lane & 1u) != 0) all.insert(access.byte_address[lane] / bytes);
    return static_cast<int>(all.size());
}

void expect_counted(const WarpAccess& access) {
    const Touched touched = count_touched(access.byte_address, access.active, access.bytes_per_lane);
    ASSERT_EQ(touched.addresses(), pieces_of(access, static_cast<std::uint64_t>(access.bytes_per_lane)));
    ASSERT_EQ(touched.sectors(), pieces_of(access, kSectorBytes));
    ASSERT_EQ(touched.lines(), pieces_of(access, kLineBytes));
}

/// Lanes of a warp in ranges of all sizes, most of them scattered.
class AnyAccess {
public:
    WarpAccess next() {
        WarpAccess access{.active = below(3) == 0 ? static_cast<std::uint32_t>(random_()) : kAllLanes,
                          .bytes_per_lane = 1 << below(5)};
        const std::uint64_t span = std::uint64_t{1} << (5 + below(36)), begin = random_() % span;
        for (std::uint64_t& address : access.byte_address)
            address = (begin + random_() % span) / static_cast<std::uint64_t>(access.bytes_per_lane) *
                      static_cast<std::uint64_t>(access.bytes_per_lane);
        // Two lanes that meet, or whose lines differ in high bits alone.
        const auto bytes = static_cast<std::uint64_t>(access.bytes_per_lane);
        std::uint64_t &one = access.byte_address[below(32)], &other = access.byte_address[below(32)];
        const std::uint64_t far[] = {0, bytes, 32, 128, 128 << 16, std::uint64_t{128} << 17, 0x9e37 * 128};
        if (below(2) == 0) other = one + far[below(7)] / bytes * bytes;
        return access;
    }

private:
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_() % count); }

    std::mt19937_64 random_{7};
};

}  // namespace

TEST(Touched, CountsWhatSetsCount) {
    AnyAccess any;
    for (int i = 0; i < 60'000; ++i) {
        expect_counted(any.next());
        if (HasFatalFailure()) return;
    }
    EXPECT_EQ(count_touched(WarpAccess{}.byte_address, 0, 4), Touched());
}

// Law: where it is said to be enough, requests that touch as much cost the same.
TEST(Touched, CostsFollowFromWhatIsTouched) {
    EXPECT_TRUE(follows_from_touched({}));
    EXPECT_FALSE(follows_from_touched({.lanes_per_request = {32, 16, 8}}));
    EXPECT_FALSE(follows_from_touched({.coalescing = CoalescingRules::whole_lines}));
    std::map<std::tuple<std::uint32_t, int, int>, Totals> known;
    AnyAccess any;
    int again = 0;
    for (int i = 0; i < 60'000; ++i) {
        const WarpAccess access = any.next();
        const Touched touched = count_touched(access.byte_address, access.active, access.bytes_per_lane);
        const Totals cost = count_access(access, DeviceFacts{});
        const auto [one, is_new] =
            known.try_emplace({touched.packed(), std::popcount(access.active), access.bytes_per_lane}, cost);
        again += !is_new;
        ASSERT_EQ(one->second, cost);
    }
    EXPECT_GT(again, 10'000);
}

}  // namespace warplens::test::touched_tests
