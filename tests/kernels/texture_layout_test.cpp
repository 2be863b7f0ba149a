#include "kernels/texture_layout.h"

#include <gtest/gtest.h>

#include <set>

namespace warplens::test::texture_layout_tests {

TEST(TextureLayout, ASectorIsFourTexelsByTwo) {
    std::set<std::uint64_t> addresses;
    for (int y = 0; y < 2; ++y) {
        for (int x = 0; x < 4; ++x) addresses.insert(texel_address(8 + x, 6 + y, 16));
    }
    EXPECT_EQ(addresses.size(), 8u);
    EXPECT_EQ(*addresses.begin() % 32, 0u);
    EXPECT_EQ(*addresses.rbegin() - *addresses.begin(), 28u);
}

TEST(TextureLayout, EveryTexelHasAPlaceAndEveryPlaceATexel) {
    constexpr int kWidth = 12, kHeight = 10;
    std::set<std::uint64_t> addresses;
    for (int y = 0; y < kHeight; ++y) {
        for (int x = 0; x < kWidth; ++x) {
            const std::uint64_t address = texel_address(x, y, kWidth);
            addresses.insert(address);
            EXPECT_EQ(texel_at(address, kWidth).x, x);
            EXPECT_EQ(texel_at(address, kWidth).y, y);
        }
    }
    EXPECT_EQ(addresses.size(), std::size_t{kWidth * kHeight});
    EXPECT_EQ(*addresses.rbegin(), kWidth * kHeight * 4u - 4u);
}

TEST(TextureLayout, AddressModes) {
    struct Example {
        int at, clamp, wrap, mirror;
    };
    for (const Example& e :
         {Example{0, 0, 0, 0}, Example{3, 3, 3, 3}, Example{4, 3, 0, 3}, Example{7, 3, 3, 0},
          Example{8, 3, 0, 0}, Example{-1, 0, 3, 0}, Example{-4, 0, 0, 3}, Example{-5, 0, 3, 3}}) {
        EXPECT_EQ(inside_texture(e.at, 4, Border::clamp), e.clamp) << e.at;
        EXPECT_EQ(inside_texture(e.at, 4, Border::wrap), e.wrap) << e.at;
        EXPECT_EQ(inside_texture(e.at, 4, Border::mirror), e.mirror) << e.at;
        EXPECT_EQ(inside_texture(e.at, 4, Border::border), e.at >= 0 && e.at < 4 ? e.at : -1) << e.at;
    }
    EXPECT_EQ(sampled_address({4, 0}, {4, 4}, Border::border), kOutsideTexture | texel_address(3, 0, 4));
    EXPECT_EQ(sampled_address({4, 0}, {4, 4}, Border::wrap), 0u);
}

}  // namespace warplens::test::texture_layout_tests
