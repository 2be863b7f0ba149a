// Filtered textures: what a warp fetches, what a whole image costs, and the image itself.
#include "app/model/access/filter_sectors.h"
#include "app/model/access/report.h"
#include "app/model/access/texture.h"
#include "kernels/scenarios/texture_filter.h"
#include "kernels/test_card.h"
#include "tests/random_params.h"
#include "tests/sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace warplens::test::filter_tests {

namespace {

const Scenario& scenario() { return *find_scenario("texture-filter"); }

DeviceFacts h200() {
    DeviceFacts device;
    device.cc = {9, 0};
    return device;
}

/// A warp whose lanes want the texels first, first + (1, 0) and so on, in a texture of 64 x 64.
WarpAccess row_of_texels(int first_x, int first_y, bool linear, Border border) {
    WarpAccess access{.space = Space::texture};
    access.sampling = {linear, 64, 64, static_cast<int>(border)};
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        access.texel[lane].x = static_cast<std::int16_t>(first_x + lane);
        access.texel[lane].y = static_cast<std::int16_t>(first_y);
        access.byte_address[lane] = sampled_address({first_x + lane, first_y}, {64, 64}, border);
    }
    return access;
}

}  // namespace

TEST(FilteredTexture, LinearBringsTheNeighboursSectors) {
    const TextureCount nearest = count_texture(row_of_texels(0, 0, false, Border::clamp));
    EXPECT_EQ(nearest.requests, 8);
    EXPECT_EQ(nearest.sectors, 8);
    EXPECT_EQ(nearest.bytes_used, 32 * 4);
    // Texels 0 to 32 of rows 0 and 1: each group of four needs its sector and the one to the right.
    const TextureCount linear = count_texture(row_of_texels(0, 0, true, Border::clamp));
    EXPECT_EQ(linear.requests, 8);
    EXPECT_EQ(linear.sectors, 16);
    EXPECT_EQ(linear.bytes_used, 33 * 2 * 4);
    // From row 1 on the lower neighbours lie in the sectors below.
    EXPECT_EQ(count_texture(row_of_texels(0, 1, true, Border::clamp)).sectors, 32);
}

TEST(FilteredTexture, BordersOfAFootprint) {
    // Texels -1 to 31 of rows -1 and 0.
    EXPECT_EQ(count_texture(row_of_texels(-1, -1, true, Border::border)).bytes_used, 32 * 4);
    EXPECT_EQ(count_texture(row_of_texels(-1, -1, true, Border::clamp)).bytes_used, 32 * 4);
    EXPECT_EQ(count_texture(row_of_texels(-1, -1, true, Border::mirror)).bytes_used, 32 * 4);
    EXPECT_EQ(count_texture(row_of_texels(-1, -1, true, Border::wrap)).bytes_used, 33 * 2 * 4);
    const TextureCount outside = count_texture(row_of_texels(200, 200, true, Border::border));
    EXPECT_EQ(outside.requests, 8);
    EXPECT_EQ(outside.sectors, 8) << "of the nearest texel, for nothing";
}

TEST(FilteredTexture, LinearNeverFetchesLessThanNearestAtTexelCentres) {
    std::mt19937 random(2);
    for (int trial = 0; trial < 300; ++trial) {
        Params p = test::random_params(scenario(), random);
        p.angle = 0;
        p.zoom_percent = 100;  // centres upon centres
        p.linear = 0;
        const WarpPlace place = place_of_warp(scenario().launch(p), p.warp);
        const TextureCount nearest =
            count_texture(scenario().warp(p, 0, place.block, place.warp_in_block, 0));
        p.linear = 1;
        const TextureCount linear = count_texture(scenario().warp(p, 0, place.block, place.warp_in_block, 0));
        EXPECT_GE(linear.sectors, nearest.sectors);
        EXPECT_GE(linear.bytes_used, nearest.bytes_used);
    }
}

// Sampled blocks stand for the grid: sums of requests are exact, the others near what all blocks give.
TEST(FilteredTexture, SampledGridsAreNearTheWholeOnes) {
    std::mt19937 random(3);
    for (int trial = 0; trial < (all_cases() ? 120 : 12); ++trial) {
        const Params p = test::random_params(scenario(), random);
        const Totals sampled = count_grid(scenario(), p, 0, h200()),
                     whole = count_grid_by_force(scenario(), p, 0, h200());
        EXPECT_EQ(sampled.instructions, whole.instructions);
        EXPECT_EQ(sampled.requests, whole.requests);
        const auto tolerance = 0.25 * static_cast<double>(whole.sectors);
        EXPECT_NEAR(static_cast<double>(sampled.sectors), static_cast<double>(whole.sectors), tolerance)
            << "zoom " << p.zoom_percent << " angle " << p.angle << " border " << p.border << " texture "
            << p.texture_log2;
    }
}

/// Sectors of every warp with all of its pixels in the middle of the image where it shows the texture,
/// counted one by one; the mean.
double plain_mean(const Params& p) {
    using S = TextureFilter;
    const int side = (1 << p.texture_log2) * p.zoom_percent / 100;
    const int inside = std::clamp(side * 70 / 100, 1, S::kImage), first = (S::kImage - inside) / 2;
    double sectors = 0;
    int warps = 0;
    for (int y = 0; y < S::kImage / S::kBlock; ++y)
        for (int x = 0; x < S::kImage / S::kBlock; ++x)
            for (int warp = 0; warp < S::kBlock * S::kBlock / kWarpLanes; ++warp) {
                constexpr int kRows = kWarpLanes / S::kBlock;
                const int left = x * S::kBlock, top = y * S::kBlock + warp * kRows;
                if (left + S::kBlock <= first || left >= first + inside || top + kRows <= first ||
                    top >= first + inside)
                    continue;
                sectors += count_texture(scenario().warp(p, 0, {x, y}, warp, 0)).sectors;
                ++warps;
            }
    return sectors / warps;
}

// The plot's mean of some warps stands for all.
TEST(FilteredTexture, TheMeanOfThePlotIsNearThatOfAllWarps) {
    const auto check = [](const Params& p) {
        const double all = plain_mean(p);
        EXPECT_NEAR(mean_filter_sectors(scenario(), p), all, 0.1 * all) << describe_settings(scenario(), p);
    };
    std::mt19937 random(5);
    for (int trial = 0; trial < 40; ++trial) check(test::random_params(scenario(), random));
    Params p = scenario().info->defaults;
    for (p.linear = 0; p.linear < 2; ++p.linear)  // along the plot's axis
        for (p.zoom_percent = 50; p.zoom_percent <= 1600; p.zoom_percent += 75) check(p);
}

TEST(FilteredTexture, CountsAreMarkedAsApproximate) {
    EXPECT_EQ(analyze(scenario(), scenario().info->defaults, h200()).kind, Provenance::approximate);
}

TEST(FilterImage, ShowsTheCardTexelByTexelAtFullSize) {
    Params p = scenario().info->defaults;
    p.angle = 0;
    p.zoom_percent = 100;
    p.texture_log2 = 9;
    for (const int linear : {0, 1}) {
        p.linear = linear;
        FilterImage image;
        const std::vector<std::uint8_t>& rgba = image.draw(p);
        ASSERT_EQ(rgba.size(), std::size_t{512} * 512 * 4);
        int wrong = 0;
        for (int y = 0; y < 512; ++y) {
            for (int x = 0; x < 512; ++x) {
                const std::uint8_t* pixel = &rgba[static_cast<std::size_t>(y * 512 + x) * 4];
                wrong += pixel[0] != test_card(x, y, 512) || pixel[1] != pixel[0] || pixel[2] != pixel[0] ||
                         pixel[3] != 255;
            }
        }
        EXPECT_EQ(wrong, 0) << "linear " << linear;
    }
}

// What the scenario says a thread reads is what the image shows at its pixel.
TEST(FilterImage, PixelsAreWhatTheThreadsRead) {
    std::mt19937 random(4);
    for (int trial = 0; trial < 20; ++trial) {
        const Params p = test::random_params(scenario(), random);
        FilterImage image;
        const std::vector<std::uint8_t>& rgba = image.draw(p);
        const int size = 1 << p.texture_log2;
        for (int i = 0; i < 500; ++i) {
            const ThreadId t{static_cast<int>(random() % 64), static_cast<int>(random() % 1024),
                             static_cast<int>(random() % 8), static_cast<int>(random() % 8)};
            const LaneAccess lane = scenario().access(p, 0, t);
            const auto texel = [&](int right, int down) {
                const auto border = static_cast<Border>(p.border);
                const int x = inside_texture(lane.texel.x + right, size, border),
                          y = inside_texture(lane.texel.y + down, size, border);
                return x < 0 || y < 0 ? 0 : test_card(x, y, size);
            };
            const double fx = p.linear == 0 ? 0 : lane.texel.fraction_x / 256.0,
                         fy = p.linear == 0 ? 0 : lane.texel.fraction_y / 256.0;
            const double upper = texel(0, 0) * (1 - fx) + texel(1, 0) * fx,
                         lower = texel(0, 1) * (1 - fx) + texel(1, 1) * fx;
            const int x = t.block_x * 8 + t.x, y = (t.block_y * 8 + t.y) % 512;
            ASSERT_NEAR(rgba[static_cast<std::size_t>(y * 512 + x) * 4], upper * (1 - fy) + lower * fy,
                        0.501);
        }
    }
}

}  // namespace warplens::test::filter_tests
