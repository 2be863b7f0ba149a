// One order for the accesses of several warps.
#include "app/typed/common_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace warplens::test::common_order_tests {
namespace {

using Warps = std::vector<std::vector<int>>;

TEST(CommonOrder, AWarpThatDidMoreIsNotLaterForThat) {
    EXPECT_EQ(typed::common_order({{0, 1, 2, 3, 4}, {3, 4}}), (Warps{{0, 1, 2, 3, 4}, {3, 4}}));
    EXPECT_EQ(typed::common_order({{1, 1, 2}, {0, 1, 2}}), (Warps{{1, 2, 3}, {0, 1, 3}}))
        << "rounds of a loop are counted";
    EXPECT_EQ(typed::common_order({}), Warps());
}

// Each warp leaves out some accesses of one order: that order is found again, each in its own.
TEST(CommonOrder, IsThatOfEachWarp) {
    std::mt19937 random(5);
    for (int round = 0; round < 500; ++round) {
        std::vector<int> all(1 + random() % 40);
        for (int& one : all) one = int(random() % 6);
        std::vector<int> left_out(6);  // none of an access or all: else its executions are numbered anew
        Warps warps(1 + random() % 4);
        for (std::vector<int>& warp : warps) {
            for (int& one : left_out) one = int(random() % 3);
            for (const int one : all)
                if (left_out[std::size_t(one)] > 0) warp.push_back(one);
        }
        const Warps places = typed::common_order(warps);
        for (std::size_t i = 0; i < warps.size(); ++i) {
            EXPECT_TRUE(std::ranges::is_sorted(places[i]));
            for (std::size_t k = 0; k < warps.size(); ++k)
                for (std::size_t a = 0; a < warps[i].size(); ++a)
                    for (std::size_t b = 0; b < warps[k].size(); ++b) {
                        const bool same =
                            warps[i][a] == warps[k][b] &&
                            std::count(warps[i].begin(), warps[i].begin() + int(a), warps[i][a]) ==
                                std::count(warps[k].begin(), warps[k].begin() + int(b), warps[k][b]);
                        EXPECT_EQ(places[i][a] == places[k][b], same);
                    }
        }
    }
}

// Two warps that do the same in different orders have no common one, and each gets a place for all it does.
TEST(CommonOrder, EndsWithoutOne) {
    const Warps places = typed::common_order({{0, 1}, {1, 0}});
    EXPECT_EQ(places, (Warps{{0, 1}, {1, 0}}));
}

}  // namespace
}  // namespace warplens::test::common_order_tests
