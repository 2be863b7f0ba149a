// How a texture unit reads: worked examples by hand, and laws.
#include "kernels/texture_sample.h"

#include "kernels/test_card.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

namespace warplens::test::texture_sample_tests {

namespace {

constexpr Border kBorders[] = {Border::clamp, Border::border, Border::wrap, Border::mirror};

/// 4 x 4 texels: 10 more with each column, rows from 0, 100, 180 and 220 on.
int small_texture(int x, int y) {
    constexpr int kRows[4] = {0, 100, 180, 220};
    return kRows[y] + 10 * x;
}

int sampled(double x, double y, bool linear, Border border = Border::clamp) {
    const SamplePoint at{static_cast<int>(std::lround(x * kTexelParts)),
                         static_cast<int>(std::lround(y * kTexelParts))};
    return sample_texture(at, linear, 4, border, small_texture);
}

}  // namespace

TEST(TextureSample, NearestTakesTheTexelThePointLiesIn) {
    EXPECT_EQ(sampled(0, 0, false), 0);
    EXPECT_EQ(sampled(0.99, 0.99, false), 0);
    EXPECT_EQ(sampled(1, 0, false), 10);
    EXPECT_EQ(sampled(2.5, 3.5, false), 240);
}

TEST(TextureSample, LinearWeighsFourTexels) {
    EXPECT_EQ(sampled(1, 0.5, true), 5) << "halfway between 0 and 10";
    EXPECT_EQ(sampled(1.5, 1, true), 60) << "halfway between 10 and 110";
    EXPECT_EQ(sampled(1, 1, true), 55) << "the mean of 0, 10, 100 and 110";
    // A quarter to the right of column 1 and three quarters below row 1:
    // (110 * 3/4 + 120 * 1/4) * 1/4 + (190 * 3/4 + 200 * 1/4) * 3/4 = 28.125 + 144.375.
    EXPECT_EQ(sampled(1.75, 2.25, true), 173);
}

TEST(TextureSample, BordersByHand) {
    //                                              clamp border wrap mirror
    constexpr int kLeft[] = {100, 0, 130, 100};          // texel (-1, 1)
    constexpr int kRight[] = {130, 0, 110, 120};         // texel (5, 1)
    constexpr int kBelow[] = {220, 0, 100, 180};         // texel (0, 5)
    constexpr int kHalfOutside[] = {100, 50, 115, 100};  // between texels (-1, 1) and (0, 1)
    for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(sampled(-0.5, 1.5, false, kBorders[i]), kLeft[i]) << i;
        EXPECT_EQ(sampled(5.5, 1.5, false, kBorders[i]), kRight[i]) << i;
        EXPECT_EQ(sampled(0.5, 5.5, false, kBorders[i]), kBelow[i]) << i;
        EXPECT_EQ(sampled(0, 1.5, true, kBorders[i]), kHalfOutside[i]) << i;
    }
}

TEST(TextureSample, LinearEqualsNearestAtTexelCentres) {
    const auto card = [](int x, int y) { return test_card(x, y, 64); };
    for (const Border border : kBorders) {
        for (int y = -70; y < 140; ++y) {
            for (int x = -70; x < 140; ++x) {
                const SamplePoint centre{x * kTexelParts + kTexelParts / 2,
                                         y * kTexelParts + kTexelParts / 2};
                ASSERT_EQ(sample_texture(centre, true, 64, border, card),
                          sample_texture(centre, false, 64, border, card))
                    << x << ", " << y;
            }
        }
    }
}

TEST(TextureSample, LinearLiesBetweenItsTexels) {
    std::mt19937 random(1);
    for (int i = 0; i < 20000; ++i) {
        const auto any = [&] { return std::uniform_int_distribution<int>(-2000, 3000)(random); };
        const SamplePoint at{any(), any()};
        const Footprint f = footprint_of(at, true);
        int least = 255, most = 0;
        for (int k = 0; k < 4; ++k) {
            const SamplePoint corner{(f.first.x + k % 2) * kTexelParts, (f.first.y + k / 2) * kTexelParts};
            const int value = sample_texture(corner, false, 4, Border::mirror, small_texture);
            least = std::min(least, value);
            most = std::max(most, value);
        }
        const int value = sample_texture(at, true, 4, Border::mirror, small_texture);
        ASSERT_GE(value, least);
        ASSERT_LE(value, most);
    }
}

TEST(TextureSample, TurnsAreSinesAndCosines) {
    for (int degrees = 0; degrees <= 90; ++degrees) {
        const Turn turn = turn_by(degrees);
        const double angle = degrees * 3.14159265358979323846 / 180;
        EXPECT_NEAR(turn.sine, std::sin(angle) * Turn::kOne, 1) << degrees;
        EXPECT_NEAR(turn.cosine, std::cos(angle) * Turn::kOne, 1) << degrees;
    }
    EXPECT_EQ(turn_by(0).cosine, Turn::kOne);
    EXPECT_EQ(turn_by(0).sine, 0);
    EXPECT_EQ(turn_by(90).cosine, 0);
    EXPECT_EQ(turn_by(90).sine, Turn::kOne);
}

TEST(TextureSample, PixelsLieOnTexelsAtFullSize) {
    const SampleGrid grid = sample_grid(512, 512, 100, 0);
    for (const int pixel : {0, 1, 255, 256, 511}) {
        const SamplePoint at = grid.at(pixel, 511 - pixel);
        EXPECT_EQ(at.x, pixel * kTexelParts + kTexelParts / 2);
        EXPECT_EQ(at.y, (511 - pixel) * kTexelParts + kTexelParts / 2);
    }
}

TEST(TextureSample, AQuarterTurnTurnsThePictureClockwise) {
    const SampleGrid straight = sample_grid(512, 512, 100, 0), turned = sample_grid(512, 512, 100, 90);
    // What stood at the left upper corner stands at the right upper one.
    EXPECT_EQ(turned.at(511, 0).x, straight.at(0, 0).x);
    EXPECT_EQ(turned.at(511, 0).y, straight.at(0, 0).y);
}

TEST(TestCard, HasAllItsPartsAtEverySize) {
    for (int size = 16; size <= 1024; size *= 2) {
        std::set<int> levels;
        for (int y = 0; y < size; ++y) {
            for (int x = 0; x < size; ++x) {
                const int level = test_card(x, y, size);
                ASSERT_GE(level, 0);
                ASSERT_LE(level, 255);
                levels.insert(level);
            }
        }
        EXPECT_GE(levels.size(), 8u) << size;
    }
}

}  // namespace warplens::test::texture_sample_tests
