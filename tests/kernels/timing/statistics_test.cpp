#include "kernels/timing/statistics.h"

#include <gtest/gtest.h>

#include <thread>

namespace warplens::test::statistics_tests {
namespace {

TEST(Statistics, IntervalOfTheMedianFollowsTheBinomialTable) {
    // Published tables of the sign test's 95 % confidence interval: how many samples are cut off at each end.
    const struct {
        int samples, outside;
    } table[] = {{1, 0},  {5, 0},  {6, 1},  {8, 1},  {9, 2},   {11, 2},
                 {12, 3}, {15, 4}, {20, 6}, {25, 8}, {50, 18}, {100, 40}};
    for (const auto& row : table)
        EXPECT_EQ(samples_outside(row.samples), row.outside) << row.samples << " samples";
}

TEST(Statistics, MedianAndQuartiles) {
    const Spread odd = spread_of({5, 1, 4, 2, 3});
    EXPECT_DOUBLE_EQ(odd.median, 3);
    EXPECT_DOUBLE_EQ(odd.lower, 2);
    EXPECT_DOUBLE_EQ(odd.upper, 4);
    EXPECT_TRUE(std::isinf(odd.half_width)) << "five samples say nothing at 95 %";
    EXPECT_DOUBLE_EQ(spread_of({1, 2, 3, 10}).median, 2.5);
    EXPECT_DOUBLE_EQ(spread_of({7}).median, 7);
    EXPECT_DOUBLE_EQ(spread_of({1, 2, 3, 4, 5, 9}).half_width, 4)
        << "six samples: from the least to the largest";
}

TEST(Statistics, OneSlowRunDoesNotMoveTheMedian) {
    std::vector<double> samples(20, 10.0);
    samples[3] = 1000;
    EXPECT_DOUBLE_EQ(spread_of(samples).median, 10);
    EXPECT_DOUBLE_EQ(spread_of(samples).half_width, 0);
}

TEST(StopRule, StopsWhenTheMedianIsKnown) {
    const Repeats repeats = repeat_until({.min_repeats = 7, .max_repeats = 100}, nullptr, [] { return 3.0; });
    EXPECT_EQ(repeats.stopped, Stopped::precise);
    EXPECT_EQ(repeats.samples.size(), 7u);
}

TEST(StopRule, StopsAfterTheMostRepeats) {
    double next = 1;
    const StopRule rule{.max_repeats = 30, .relative_error = 0.0001, .max_seconds = 60};
    const Repeats repeats = repeat_until(rule, nullptr, [&] { return next *= 1.5; });
    EXPECT_EQ(repeats.stopped, Stopped::repeats);
    EXPECT_EQ(repeats.samples.size(), 30u);
}

TEST(StopRule, StopsWhenTimeIsUpEvenBelowTheFewestRepeats) {
    const Repeats repeats = repeat_until({.min_repeats = 1000, .max_seconds = 0.01}, nullptr, [] {
        std::this_thread::sleep_for(std::chrono::milliseconds(6));
        return 1.0;
    });
    EXPECT_EQ(repeats.stopped, Stopped::seconds);
    EXPECT_GE(repeats.samples.size(), 1u);
    EXPECT_LE(repeats.samples.size(), 2u);
}

TEST(StopRule, StopsSoonAfterCancel) {
    std::atomic<bool> cancel = false;
    int calls = 0;
    const Repeats repeats = repeat_until({.relative_error = 0}, &cancel, [&] {
        cancel = ++calls == 3;
        return static_cast<double>(calls);
    });
    EXPECT_EQ(repeats.stopped, Stopped::cancelled);
    EXPECT_EQ(calls, 3);
}

}  // namespace
}  // namespace warplens::test::statistics_tests
