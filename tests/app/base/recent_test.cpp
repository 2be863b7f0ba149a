#include "app/base/recent.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace warplens::test::recent_tests {

TEST(Recent, ComputesOnceForEqualKeysAndForgetsTheOldest) {
    Recent<int, int> recent(2);
    int computed = 0;
    const auto square = [&](int n) {
        return *recent.get(n, [&] {
            ++computed;
            return n * n;
        });
    };
    EXPECT_EQ(square(3), 9);
    EXPECT_EQ(square(4), 16);
    EXPECT_EQ(square(3), 9);
    EXPECT_EQ(computed, 2);
    EXPECT_EQ(square(5), 25) << "3 is forgotten";
    EXPECT_EQ(square(4), 16);
    EXPECT_EQ(computed, 3);
    EXPECT_EQ(square(3), 9);
    EXPECT_EQ(computed, 4);
}

TEST(Recent, WhatFailsIsNotKept) {
    Recent<int, int> recent(1);
    EXPECT_THROW(recent.get(1, []() -> int { throw 7; }), int);
    EXPECT_EQ(*recent.get(1, [] { return 2; }), 2);
}

TEST(Recent, AResultLivesOnWhereItIsHeld) {
    Recent<int, std::vector<int>> recent(1);
    const auto first = recent.get(1, [] { return std::vector{1, 2}; });
    recent.get(2, [] { return std::vector{3}; });
    EXPECT_EQ(*first, (std::vector{1, 2}));
}

TEST(Recent, AnyThreadMayAsk) {
    Recent<int, int> recent(3);
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 2000; ++i) {
                const int key = (i * (t + 1)) % 7;
                wrong += *recent.get(key, [key] { return key + 100; }) == key + 100 ? 0 : 1;
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
}

}  // namespace warplens::test::recent_tests
