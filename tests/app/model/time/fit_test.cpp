#include "app/model/time/fit.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace warplens::test::fit_tests {
namespace {

TEST(FitLine, FindsALineExactly) {
    for (const double slope : {-2.0, 0.5, 1.0, 3.0}) {
        std::vector<FitSample> samples;
        for (const double x : {1.0, 2.0, 4.0, 32.0}) samples.push_back({x, slope * x + 0.25});
        const auto fit = fit_line(samples);
        ASSERT_TRUE(fit);
        EXPECT_NEAR(fit->slope, slope, 1e-12);
        EXPECT_NEAR(fit->intercept, 0.25, 1e-12);
        EXPECT_NEAR(fit->r_squared, 1, 1e-12);
        EXPECT_EQ(fit->points, 4u);
        EXPECT_NEAR(fit->at(10), slope * 10 + 0.25, 1e-12);
    }
}

TEST(FitLine, WorkedExample) {
    // By hand: means 2 and 3; slope (1 + 0 + 2) / 2, R squared 3^2 / (2 * 14/3).
    const FitSample samples[] = {{1, 2}, {2, 2}, {3, 5}};
    const auto fit = fit_line(samples);
    ASSERT_TRUE(fit);
    EXPECT_NEAR(fit->slope, 1.5, 1e-12);
    EXPECT_NEAR(fit->intercept, 0, 1e-12);
    EXPECT_NEAR(fit->r_squared, 9.0 / (2 * 6), 1e-12);
}

TEST(FitLine, NoLineIsBetterWithoutTwoDistinctX) {
    EXPECT_FALSE(fit_line({}));
    const FitSample one[] = {{3, 4}};
    EXPECT_FALSE(fit_line(one));
    const FitSample same[] = {{0.1, 1}, {0.1, 2}, {0.1, 7}};
    EXPECT_FALSE(fit_line(same));
}

TEST(FitLine, ALevelLineExplainsWhatDoesNotScatter) {
    const FitSample level[] = {{1, 5}, {2, 5}, {9, 5}};
    const auto fit = fit_line(level);
    ASSERT_TRUE(fit);
    EXPECT_EQ(fit->slope, 0);
    EXPECT_EQ(fit->intercept, 5);
    EXPECT_EQ(fit->r_squared, 1);
}

// Laws of least squares: residuals sum to zero and do not lean with x; no other line has smaller squares.
TEST(FitLine, NoNeighbouringLineIsBetter) {
    std::mt19937 random(4);
    std::uniform_real_distribution<double> any(-1, 1);
    for (int round = 0; round < 50; ++round) {
        std::vector<FitSample> samples;
        for (int i = 0; i < 20; ++i) samples.push_back({1e6 + 10 * any(random), 3 * any(random)});
        const auto fit = fit_line(samples);
        ASSERT_TRUE(fit);
        const auto squares = [&](double slope, double at_million) {
            double sum = 0;
            for (const FitSample& s : samples) {
                const double r = s.y - at_million - slope * (s.x - 1e6);
                sum += r * r;
            }
            return sum;
        };
        const double best = squares(fit->slope, fit->at(1e6));
        for (const double d : {-1e-3, 1e-3}) {
            EXPECT_LT(best, squares(fit->slope + d, fit->at(1e6)));
            EXPECT_LT(best, squares(fit->slope, fit->at(1e6) + d));
        }
        EXPECT_GE(fit->r_squared, 0);
        EXPECT_LE(fit->r_squared, 1);
    }
}

}  // namespace
}  // namespace warplens::test::fit_tests
