#include "kernels/scenarios/texture_walk.h"

#include "app/model/access/report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace warplens::test::texture_walk_tests {

namespace {

constexpr int kOrders = static_cast<int>(std::size(TextureWalk::kOrders));

const Scenario& scenario() { return *find_scenario("texture-walk"); }

Params setting(TextureWalk::Order order, TextureWalk::Memory memory, int offset = 0) {
    return {.offset = offset,
            .pattern = static_cast<int>(order),
            .memory = static_cast<int>(memory),
            .texture_log2 = 7};
}

Totals first_warp(const Params& params) { return count_access(scenario().warp(params, 0, {}, 0, 0), {}); }

/// How often each texel is fetched; the last entry: lanes that fetch none.
std::vector<int> visits(const Params& params) {
    const LaunchShape shape = TextureWalk::launch(params);
    const auto texels = std::size_t{1} << 2 * params.texture_log2;
    std::vector<int> count(texels + 1);
    for (int y = 0; y < shape.grid.y; ++y) {
        for (int x = 0; x < shape.grid.x; ++x) {
            for (int step = 0; step < shape.steps; ++step) {
                for (int thread = 0; thread < shape.block.x; ++thread) {
                    const LaneAccess lane = TextureWalk::access(params, 0, {x, y, thread, 0, step});
                    const bool fetches = lane.active && !is_outside(lane.byte_address);
                    ++count[fetches ? lane.byte_address / kTexelBytes : texels];
                }
            }
        }
    }
    return count;
}

}  // namespace

TEST(TextureWalk, SectorsOfAWarp) {
    using enum TextureWalk::Order;
    struct Example {
        TextureWalk::Order order;
        int offset, texture, linear;
    };
    // The texture's numbers without an offset were measured on an H200.
    for (const Example& e :
         {Example{row, 0, 8, 4}, Example{column, 0, 16, 32}, Example{wide, 0, 8, 4}, Example{tall, 0, 8, 8},
          Example{z_order, 0, 8, 4}, Example{row, 1, 16, 5}, Example{row, 4, 8, 5},
          Example{column, 1, 16 + 8, 32}, Example{tall, 2, 16, 8}, Example{z_order, 1, 24, 8}}) {
        const Totals texture = first_warp(setting(e.order, TextureWalk::Memory::texture, e.offset));
        const Totals linear = first_warp(setting(e.order, TextureWalk::Memory::linear, e.offset));
        const auto name = TextureWalk::kOrders[static_cast<int>(e.order)].name;
        EXPECT_EQ(texture.sectors, e.texture) << name << " offset " << e.offset;
        EXPECT_EQ(texture.requests, 8) << name;
        EXPECT_EQ(linear.sectors, e.linear) << name << " offset " << e.offset;
        EXPECT_EQ(linear.requests, 1) << name;
    }
}

TEST(TextureWalk, RandomIsTheWorstInATexture) {
    Params params = setting(TextureWalk::Order::random, TextureWalk::Memory::texture);
    for (params.seed = 0; params.seed < 1000; params.seed += 37) {
        for (int step = 0; step < TextureWalk::kSteps; ++step) {
            const Totals warp = count_access(scenario().warp(params, 0, {}, 3, step), {});
            EXPECT_GE(warp.sectors, 24) << "seed " << params.seed;
        }
    }
}

TEST(TextureWalk, EveryTexelIsFetchedOnce) {
    for (int order = 0; order < kOrders; ++order) {
        for (const int memory : {0, 1}) {
            Params params{.pattern = order, .seed = 5, .memory = memory, .texture_log2 = 6};
            std::vector<int> once(64 * 64 + 1, 1);
            once.back() = 0;
            EXPECT_EQ(visits(params), once) << TextureWalk::kOrders[order].name;
            // What wraps round at one edge is what left at the other.
            params.offset = 9;
            params.border = static_cast<int>(Border::wrap);
            EXPECT_EQ(visits(params), once) << TextureWalk::kOrders[order].name;
        }
    }
}

TEST(TextureWalk, WhatLiesOutsideIsUpToTheBorder) {
    constexpr int kSize = 64, kOffset = 5;
    for (const int memory : {0, 1}) {
        Params params{.offset = kOffset, .memory = memory, .texture_log2 = 6};
        params.border = static_cast<int>(Border::border);
        const int inside = (kSize - kOffset) * (kSize - kOffset);
        EXPECT_EQ(visits(params).back(), kSize * kSize - inside);
        params.border = static_cast<int>(Border::clamp);
        const auto corner = [&] { return visits(params)[texel_address(63, 63, 64) / 4]; };
        const std::vector<int> clamped = visits(params);
        EXPECT_EQ(clamped.back(), 0);
        EXPECT_EQ(*std::max_element(clamped.begin(), clamped.end()), (kOffset + 1) * (kOffset + 1));
        EXPECT_EQ(corner(), (kOffset + 1) * (kOffset + 1)) << "the last texel is that of the corner";
        params.border = static_cast<int>(Border::mirror);
        EXPECT_EQ(corner(), 4) << "once itself, and mirrored right, down and both";
    }
}

TEST(TextureWalk, BothMemoriesFetchTheSameTexels) {
    for (int order = 0; order < kOrders; ++order) {
        for (int border = 0; border < 4; ++border) {
            Params params{.offset = 17, .pattern = order, .seed = 3, .border = border, .texture_log2 = 6};
            for (int thread = 0; thread < TextureWalk::kBlockThreads; ++thread) {
                const ThreadId id{1, 1, thread, 0, 2};
                params.memory = 0;
                const LaneAccess fetched = TextureWalk::access(params, 0, id);
                params.memory = 1;
                const LaneAccess loaded = TextureWalk::access(params, 0, id);
                ASSERT_EQ(fetched.texel.x, loaded.texel.x);
                ASSERT_EQ(fetched.texel.y, loaded.texel.y);
                ASSERT_EQ(!is_outside(fetched.byte_address), loaded.active);
                if (!loaded.active) continue;
                const Texel texel = texel_at(fetched.byte_address, 64);
                ASSERT_EQ(static_cast<std::uint64_t>(texel.y * 64 + texel.x) * 4, loaded.byte_address);
            }
        }
    }
}

TEST(TextureWalk, AnotherSeedIsAnotherOrder) {
    std::set<std::vector<int>> orders;
    for (int seed = 0; seed < 20; ++seed) {
        std::vector<int> order;
        for (int i = 0; i < 32; ++i) order.push_back(TextureWalk::shuffled(i, seed));
        orders.insert(order);
    }
    EXPECT_EQ(orders.size(), 20u);
}

}  // namespace warplens::test::texture_walk_tests
