// What must be known about a setting before its kernels are launched.
#include "kernels/launch_setting.h"

#include "app/experiment/settings.h"
#include "app/model/catalogue.h"
#include "kernels/scenarios/list.h"
#include "tests/random_params.h"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <string>

namespace warplens::test::launch_setting_tests {
namespace {

TEST(LaunchSetting, UnknownScenarioHasNone) { EXPECT_FALSE(describe_setting("no-such-thing", {})); }

bool is_beyond_the_sm(const Instruction& instruction) {
    return instruction.space == Space::global || instruction.space == Space::texture ||
           instruction.space == Space::local;
}

/// The same count, warp by warp: of what leaves the SM, or of all if nothing does.
/// @param budget  less each access that is looked at
std::int64_t useful_bytes_by_force(const Scenario& scenario, const Params& p, std::int64_t& budget) {
    const LaunchShape shape = scenario.launch(p);
    const int count = scenario.instruction_count(p);
    bool leaves = false;
    for (int i = 0; i < count; ++i) leaves = leaves || is_beyond_the_sm(scenario.instruction(p, i));
    std::int64_t bytes = 0;
    for (int i = 0; i < count; ++i) {
        const Instruction instruction = scenario.instruction(p, i);
        if (leaves && !is_beyond_the_sm(instruction)) continue;
        if (is_atomic(instruction.op)) continue;  // what is added depends on how it is added up before
        budget -= std::int64_t{shape.grid.x} * shape.grid.y * shape.block.x * shape.block.y *
                  steps_of(shape, instruction);
        for (int y = 0; y < shape.grid.y; ++y)
            for (int x = 0; x < shape.grid.x; ++x)
                for (int step = 0; step < steps_of(shape, instruction); ++step)
                    for (int warp = 0; warp < warps_per_block(shape); ++warp)
                        bytes += std::popcount(scenario.warp(p, i, {x, y}, warp, step).active) *
                                 instruction.bytes_per_lane;
    }
    return bytes;
}

/// Without what only chooses a picture.
Params launched(const Scenario& scenario, Params p) {
    for (const Knob& knob : scenario.info->knobs)
        if (knob.picture_only) p.*knob.field = scenario.info->defaults.*knob.field;
    return p;
}

TEST(LaunchSetting, UsefulBytesAreThoseOfEveryThread) {
    std::mt19937 random(2);
    for (const Scenario& scenario : all_scenarios()) {
        std::int64_t budget = 10'000'000;             // accesses that are counted one by one
        std::map<std::string, std::int64_t> counted;  // by launch: some scenarios have few, which are large
        for (int i = 0; i < 10 || (i < 60 && budget > 0); ++i) {
            const Params p = test::small_random_params(scenario, random);
            const auto setting = describe_setting(scenario.info->id, p);
            ASSERT_TRUE(setting);
            const auto [at, is_new] = counted.try_emplace(describe_settings(scenario, launched(scenario, p)));
            if (is_new) at->second = useful_bytes_by_force(scenario, p, budget);
            ASSERT_EQ(setting->grid.useful_bytes, at->second) << scenario.info->id;
        }
    }
}

TEST(LaunchSetting, EachScenarioIsMeasuredAsItAsks) {
    const auto how = [](std::string_view id) {
        const Scenario& scenario = *find_scenario(id);
        return describe_setting(id, scenario.info->defaults)->how;
    };
    EXPECT_EQ(how("global-stride"), Measured::grid);
    EXPECT_EQ(how("transpose"), Measured::grid);
    EXPECT_EQ(how("texture-walk"), Measured::grid);
    EXPECT_EQ(how("local-array"), Measured::grid);
    EXPECT_EQ(how("shared-reduction"), Measured::grid) << "it loads from global memory first";
    EXPECT_EQ(how("shared-stride"), Measured::banks);
    EXPECT_EQ(how("shared-matrix-load"), Measured::banks);
    EXPECT_EQ(how("constant-lookup"), Measured::chain);
    EXPECT_EQ(how("register-shuffle"), Measured::chain);
    EXPECT_EQ(how("cluster-shared"), Measured::chain);
    EXPECT_EQ(how("global-gather"), Measured::grid);
    EXPECT_EQ(how("cache-footprint"), Measured::walk);
}

TEST(LaunchSetting, PicturedRequestsAreThoseOfThePictures) {
    std::mt19937 random(3);
    for (const Scenario& scenario : all_scenarios()) {
        for (int i = 0; i < 50; ++i) {
            const Params p = test::small_random_params(scenario, random);
            const auto setting = describe_setting(scenario.info->id, p);
            ASSERT_TRUE(setting);
            const LaunchShape& shape = setting->shape;
            const std::int64_t warps = std::int64_t{shape.grid.x} * shape.grid.y * warps_per_block(shape);
            const WarpPlace place = place_of_warp(shape, p.warp % warps);
            ASSERT_EQ(static_cast<int>(setting->pictured.size()), scenario.instruction_count(p));
            for (int k = 0; k < scenario.instruction_count(p); ++k) {
                const int step = pictured_step(shape, scenario.instruction(p, k), p.step);
                const WarpAccess warp = scenario.warp(p, k, place.block, place.warp_in_block, step);
                const PicturedRequest& request = setting->pictured[static_cast<std::size_t>(k)];
                ASSERT_EQ(request.active, warp.active) << scenario.info->id << ' ' << k;
                for (int lane = 0; lane < kWarpLanes; ++lane) {
                    if ((warp.active >> lane & 1u) != 0) {
                        ASSERT_EQ(request.byte_address[lane], warp.byte_address[lane]) << scenario.info->id;
                    }
                }
            }
        }
    }
}

TEST(LaunchSetting, TouchedBytesKnowStrideAndBroadcast) {
    Params p = GlobalStride::info.defaults;
    p.operation = static_cast<int>(Operation::load);
    p.elements_log2 = 10;
    const auto touched = [&] { return describe_setting("global-stride", p)->grid.touched[0]; };
    EXPECT_EQ(touched(), 4096);
    p.stride = 64;
    EXPECT_EQ(touched(), 1024 * 32) << "one sector each";
    p.stride = 0;
    EXPECT_EQ(touched(), 4);
}

// grid.sync() waits for all blocks, so that each of them must be there.
TEST(LaunchSetting, ACooperativeLaunchNeedsRoomForAllBlocks) {
    const LaunchLimits limits{.sms = 20, .threads_per_sm = 2048, .blocks_per_sm = 16};
    LaunchShape shape{.grid = {160, 1}, .block = {256, 1}, .cooperative = true};
    const auto refused = [&] { return refuse_launch(GlobalStride::info, {}, shape, limits).has_value(); };
    EXPECT_FALSE(refused());
    shape.grid.x = 161;
    EXPECT_TRUE(refused());
    shape.cooperative = false;
    EXPECT_FALSE(refused());
    shape.cooperative = true;
    shape.block.x = 32;  // more threads would have room than blocks
    shape.grid.x = 320;
    EXPECT_FALSE(refused());
    shape.grid.x = 321;
    EXPECT_TRUE(refused());
}

// Registers and shared memory leave room for fewer blocks than threads do, and a grid has no third dimension
// before compute capability 2.0 (CUDA programming guide 4.2, table F-2).
TEST(LaunchSetting, RoomIsOfAllResourcesAndLayersAreCounted) {
    LaunchLimits limits{.cc = 90,
                        .sms = 1,
                        .threads_per_sm = 2048,
                        .blocks_per_sm = 32,
                        .registers_per_sm = 65536,
                        .shared_per_sm = 228 * 1024};
    ScenarioInfo info = GlobalStride::info;
    LaunchShape shape{.grid = {8, 1}, .block = {256, 1}, .cooperative = true};
    const auto refused = [&] { return refuse_launch(info, {}, shape, limits).has_value(); };
    EXPECT_FALSE(refused());
    info.registers = [](const Params&) { return 64; };  // four blocks have 65,536
    EXPECT_TRUE(refused());
    shape.grid.x = 4;
    EXPECT_FALSE(refused());
    shape.shared_bytes = 56 * 1024;  // and one KiB of the driver's: four blocks have 228
    EXPECT_FALSE(refused());
    shape.shared_bytes += 1;
    EXPECT_TRUE(refused());
    shape = {.grid = {1, 65536 * 2}, .layers = 2};
    EXPECT_TRUE(refused());
    shape.layers = 4;
    EXPECT_FALSE(refused());
    limits.cc = 13;
    EXPECT_TRUE(refused());
}

TEST(LaunchSetting, RefusalsNameTheChoiceThatNeedsMore) {
    const auto why = [](const ScenarioInfo& info, const Params& p) {
        const auto refused = refuse_launch(info, p, {}, {.gpu = "Old", .cc = 53});
        return refused ? refused->reason : std::string();
    };
    Params p = AsyncCopy::info.defaults;
    EXPECT_EQ(why(AsyncCopy::info, p), "'way=cp.async' needs compute capability 8.0, Old has 5.3");
    p.variant = int(CopyWay::tma);
    EXPECT_EQ(why(AsyncCopy::info, p), "'way=tma' needs compute capability 9.0, Old has 5.3");
    p.variant = int(CopyWay::registers);
    EXPECT_EQ(why(AsyncCopy::info, p), "");
    EXPECT_EQ(why(ClusterShared::info, ClusterShared::info.defaults),
              "this setting needs compute capability 9.0, Old has 5.3");
    // Other values of other parameters would need less as well, but not all of them.
    p = AtomicHistogram::info.defaults;
    p.aggregate = 1;
    EXPECT_EQ(why(AtomicHistogram::info, p), "'aggregate=in-warp' needs compute capability 7.0, Old has 5.3");
    // Neither needs it alone: sums run everywhere, and counts are aggregated from 7.0.
    p = preset_params(*find_scenario("atomic-histogram"), {"", "update=sum,aggregate=in-warp"});
    EXPECT_EQ(why(AtomicHistogram::info, p),
              "'update=sum' with 'aggregate=in-warp' needs compute capability 8.0, Old has 5.3");
    // A finish has an effect with shuffles only, so it is not the shuffle that needs more.
    p = preset_params(*find_scenario("shared-reduction"), {"", "variant=shuffle,finish=sync"});
    EXPECT_EQ(why(SharedReduction::info, p), "'finish=sync' needs compute capability 6.0, Old has 5.3");
}

// What a GPU can do in another way than the model knows is not said to need a newer one: atomicAdd came
// with 1.1, in shared memory with 1.2, managed memory with 3.0 (CUDA programming guides 4.2 and 6.0).
TEST(LaunchSetting, WhatIsNotModelledIsNotSaidToBeMissing) {
    const auto why = [](const ScenarioInfo& info, const Params& p, int cc) {
        const auto refused = refuse_launch(info, p, {}, {.gpu = "Old", .cc = cc});
        return refused ? refused->reason : std::string();
    };
    Params p = AtomicHistogram::info.defaults;
    EXPECT_EQ(why(AtomicHistogram::info, p, 10), "'memory=block' needs compute capability 1.2, Old has 1.0");
    EXPECT_EQ(why(AtomicHistogram::info, p, 35),
              "this setting is not modelled below compute capability 5.0, Old has 3.5");
    EXPECT_EQ(why(AtomicHistogram::info, p, 50), "");
    p = HostMemory::info.defaults;
    p.memory = int(HostMemory::Way::managed);
    EXPECT_EQ(why(HostMemory::info, p, 20), "'memory=managed' needs compute capability 3.0, Old has 2.0");
    EXPECT_EQ(why(HostMemory::info, p, 35),
              "'memory=managed' is not modelled below compute capability 6.0, Old has 3.5");
    EXPECT_EQ(why(HostMemory::info, p, 60), "");
    p.memory = int(HostMemory::Way::mapped);
    EXPECT_EQ(why(HostMemory::info, p, 13),
              "'memory=mapped' is not modelled below compute capability 2.0, Old has 1.3");
}

TEST(LaunchSetting, RefusalsNameBothSizes) {
    GpuInfo gpu;
    gpu.max_threads_per_block = 1024;
    gpu.shared_per_block_optin_bytes = 48 * 1024;
    const auto refuse_shape = [&](const LaunchShape& shape) {
        return refuse_launch(GlobalStride::info, {}, shape, limits_of(gpu));
    };
    EXPECT_FALSE(refuse_shape({.block = {32, 32}, .shared_bytes = 48 * 1024}));
    const auto shared = refuse_shape({.shared_bytes = 80 * 1024});
    ASSERT_TRUE(shared);
    EXPECT_NE(shared->reason.find("80 KiB"), std::string::npos);
    EXPECT_NE(shared->reason.find("48 KiB"), std::string::npos);
    EXPECT_TRUE(refuse_shape({.block = {1025, 1}}));
    EXPECT_TRUE(refuse_shape({.grid = {1, 65536}}));
    EXPECT_FALSE(refuse_shape({.grid = {65536, 1}}));
    gpu.cc_major = 2;
    EXPECT_TRUE(refuse_shape({.grid = {65536, 1}})) << "up to 2.x";
    gpu.cc_major = 8;
    gpu.cc_minor = 6;
    EXPECT_FALSE(refuse_gpu(GlobalStride::info, gpu));
    const auto old = refuse_gpu(ClusterShared::info, gpu);
    ASSERT_TRUE(old);
    EXPECT_EQ(old->reason, "needs compute capability 9.0, this GPU has 8.6");
    gpu.cc_major = 9;
    gpu.cc_minor = 0;
    EXPECT_FALSE(refuse_gpu(ClusterShared::info, gpu)) << "the driver was not asked which code is there";
    gpu.code_cc = 90;
    EXPECT_FALSE(refuse_gpu(ClusterShared::info, gpu));
    gpu.code_cc = 75;
    EXPECT_FALSE(refuse_gpu(GlobalStride::info, gpu));
    const auto old_code = refuse_gpu(ClusterShared::info, gpu);
    ASSERT_TRUE(old_code);
    EXPECT_NE(old_code->reason.find("this build's code is for 7.5"), std::string::npos) << old_code->reason;
    Params shuffling = SharedReduction::info.defaults;
    shuffling.variant = int(ReductionVariant::shuffle);
    gpu.code_cc = 20;
    const auto refused = refuse_launch(SharedReduction::info, shuffling, {}, limits_of(gpu));
    ASSERT_TRUE(refused) << "a setting may need more than the others of its scenario";
    EXPECT_NE(refused->reason.find("this build's code is for 2.0"), std::string::npos) << refused->reason;
    EXPECT_EQ(memory_bytes({.buffer_bytes = {1, 2, 3}, .texture = {8, 4}}), 6 + 8 * 4 * 4);
    const Unavailable memory = refuse_memory({.buffer_bytes = {34'400'000'000, 0}}, 8'000'000'000);
    EXPECT_NE(memory.reason.find("32.0 GiB"), std::string::npos) << memory.reason;
    EXPECT_NE(memory.reason.find("7.5 GiB"), std::string::npos) << memory.reason;
}

}  // namespace
}  // namespace warplens::test::launch_setting_tests
