// Tiles that are copied ahead: every byte comes to its place once, and is read there.
#include "kernels/scenarios/async_copy.h"

#include "app/experiment/devices.h"
#include "app/model/access/counts.h"
#include "app/model/counters/agreement.h"
#include "app/model/device/occupancy.h"
#include "app/model/time/in_flight.h"
#include "app/model/time/prediction.h"
#include "kernels/launch_setting.h"
#include "tests/kernels/scenarios/counts.h"
#include "tests/random_params.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace warplens::test::async_copy_tests {
namespace {

using S = AsyncCopy;
using ::testing::HasSubstr;

const Scenario& scenario() { return *find_scenario("async-copy"); }

Params of(const std::string& settings) { return preset_params(scenario(), {"", settings}); }

const DeviceFacts& h200() {
    static const DeviceFacts facts = device_table()[find_device(device_table(), kDefaultDevice).value()];
    return facts;
}

int wavefronts_of_reading(const std::string& settings) {
    return int(report_of("async-copy", {settings}).instructions[S::read_tile].warp.wavefronts);
}

}  // namespace

// Two-way conflicts of the copies: an H200 looked up twice as many tags.
TEST(AsyncCopy, BankConflictsOfCopiesAreNotIdealAndTheirTagsNotForetold) {
    const auto excess = [](const Params& p) {
        KernelCost cost;
        add_kernel(cost, scenario(), p, h200());
        return cost.excess();
    };
    constexpr std::string_view kTags = "l1tex__t_set_accesses_pipe_lsu_mem_global_op_ld.sum";
    const Params conflicts = of("element=8,row=32,swizzle=64,read=columns"), none = of("element=16");
    EXPECT_GT(excess(conflicts), 0);
    EXPECT_EQ(excess(none), 0);
    EXPECT_EQ(expect_counters(scenario(), conflicts, h200()).find(kTags), nullptr);
    EXPECT_NE(expect_counters(scenario(), none, h200()).find(kTags), nullptr);
}

TEST(AsyncCopy, EveryByteOfATileComesToItsPlaceOnceAndIsReadOnce) {
    std::mt19937 random(3);
    for (int i = 0; i < 60; ++i) {
        const Params p = random_params(scenario(), random);
        SCOPED_TRACE(describe_settings(scenario(), p));
        const int width = S::copy_bytes(p), tile = int(random() % static_cast<unsigned>(S::tiles(p)));
        std::map<std::uint64_t, std::uint64_t> shared;  // what lies at each 4 bytes: its place in the input
        for (int step = tile * S::copies(p); step < (tile + 1) * S::copies(p); ++step) {
            for (int thread = 0; thread < p.block_x; ++thread) {
                const ThreadId t{1, 0, thread, 0, step};
                const std::uint64_t from = S::access(p, S::copy_in, t).byte_address,
                                    to = S::access(p, S::fill, t).byte_address;
                for (int byte = 0; byte < width; byte += 4)
                    EXPECT_TRUE(shared.emplace(to + byte, from + byte).second) << "two copies to one place";
            }
        }
        ASSERT_EQ(shared.size() * 4, static_cast<std::size_t>(S::tile_bytes(p)));
        EXPECT_LT(shared.rbegin()->first, static_cast<std::uint64_t>(S::launch(p).shared_bytes));
        std::vector<std::uint64_t> read;
        for (int step = tile * S::reads(p); step < (tile + 1) * S::reads(p); ++step) {
            for (int thread = 0; thread < p.block_x; ++thread) {
                const std::uint64_t at = S::access(p, S::read_tile, {1, 0, thread, 0, step}).byte_address;
                const auto first = static_cast<std::uint64_t>(
                    S::source(p, 1, tile, S::read_at(p, step % S::reads(p), thread)));
                for (std::uint64_t byte = 0; byte < 16; byte += 4) {
                    ASSERT_EQ(shared.at(at + byte), first + byte);
                    read.push_back(first + byte);
                }
            }
        }
        std::ranges::sort(read);
        EXPECT_EQ(std::unique(read.begin(), read.end()), read.end());
        EXPECT_EQ(read.size(), shared.size());
    }
}

TEST(AsyncCopy, BlocksShareTheInputAmongThem) {
    for (const char* settings : {"blocks=1,bytes=2^22,tile=8", "row=8,bytes=2^22,tile=2,blocks=2,element=4",
                                 "way=tma,row=64,bytes=2^22,blocks=1,tile=8"}) {
        const Params p = of(settings);
        const LaunchShape shape = S::launch(p);
        std::vector<int> copied(static_cast<std::size_t>(shape.buffer_bytes[0] / 4));
        for (int block = 0; block < shape.grid.x; ++block)
            for_each_access(scenario(), p, S::copy_in, {block, 0}, [&](std::uint64_t at) {
                for (int byte = 0; byte < S::copy_bytes(p); byte += 4) ++copied[(at + byte) / 4];
            });
        EXPECT_EQ(std::ranges::count(copied, 1), int(copied.size())) << settings;
    }
}

// Rows of 128 bytes lie below each other in the banks, so 8 lanes of 16 bytes meet there; of 32 bytes every
// fourth one does. A swizzle as wide as the rows, or boxes that are narrower, prevents it.
TEST(AsyncCopy, TheSwizzleSpreadsAColumnOverTheBanks) {
    EXPECT_EQ(wavefronts_of_reading("row=32,read=rows"), 4);
    EXPECT_EQ(wavefronts_of_reading("row=8,read=columns"), 8);
    EXPECT_EQ(wavefronts_of_reading("row=16,read=columns"), 16);
    EXPECT_EQ(wavefronts_of_reading("row=32,read=columns"), 32);
    for (const char* swizzled : {"row=8,swizzle=32", "row=16,swizzle=64", "row=32,swizzle=64",
                                 "row=32,swizzle=128", "row=64,swizzle=128"})
        EXPECT_EQ(wavefronts_of_reading(std::string("read=columns,") + swizzled), 4) << swizzled;
}

TEST(AsyncCopy, StagesTimesTilesTimesBlocksHaveRoom) {
    const auto room = [](const char* settings) {
        return bytes_in_flight(scenario(), of(settings), h200(), false).places;
    };
    EXPECT_EQ(room("stages=1,blocks=1"), 4096);
    EXPECT_EQ(room("stages=3,blocks=2,tile=8"), 3 * 2 * 8192);
    EXPECT_EQ(room("way=tma,stages=3,blocks=2,tile=8"), 3 * 2 * 8192);
    // By hand: 228 KiB of an SM hold 6 blocks with 33 KiB each. 100 registers become 104, and each of four
    // partitions has 16,384: 4 warps of 32 x 104, so 4 blocks.
    EXPECT_EQ(room("stages=4,blocks=8,tile=8"), 4 * 6 * 8192);
    EXPECT_EQ(room("way=registers,stages=4,blocks=8,tile=8"), 4 * 4 * 8192);
}

// Little's law counts them by a shorter rule than NVIDIA's.
TEST(AsyncCopy, BlocksInFlightAreThoseOfTheOccupancy) {
    std::mt19937 random(11);
    for (const char* gpu : {"H200", "A100", "RTX 4090"}) {
        const DeviceFacts device = device_table()[find_device(device_table(), gpu).value()];
        for (int i = 0; i < 200; ++i) {
            const Params p = random_params(scenario(), random);
            if (!does_not_fit(scenario(), p, device).empty()) continue;
            const LaunchShape shape = S::launch(p);
            const int fit = compute_occupancy(*rules_of(device.cc),
                                              {p.block_x, S::registers(p), 0, int(shared_bytes_of(shape))})
                                .blocks;
            EXPECT_EQ(bytes_in_flight(scenario(), p, device, false).blocks,
                      std::min<double>(fit, double(shape.grid.x) / device.sm_count))
                << describe_settings(scenario(), p) << " on " << gpu;
        }
    }
}

TEST(AsyncCopy, MoreStagesAreNeverSlowerWhileThereIsRoom) {
    for (const char* way : {"registers", "cp.async", "tma"}) {
        double before = 0;
        for (int stages = 1; stages <= 4; ++stages) {
            const Params p = of(std::string("blocks=2,way=") + way + ",stages=" + std::to_string(stages));
            const double now = predict(scenario(), p, h200()).value;
            EXPECT_GE(now, before * 0.999) << way << ' ' << stages;
            before = now;
        }
        EXPECT_LT(before, h200().peak_gb_per_s);
    }
}

// 128 MiB and a little more than what the L2 of this GPU keeps: a part of it comes from DRAM, which takes its
// time.
TEST(AsyncCopy, WhatComesFromDramIsNoFasterThanDram) {
    const DeviceFacts device = device_table()[find_device(device_table(), "RTX PRO 6000").value()];
    const Prediction found = predict(scenario(), of("stages=4,element=4,tile=2,bytes=2^27"), device);
    EXPECT_GT(found.dram_bytes, 0);
    EXPECT_LE(found.dram_bytes, device.peak_gb_per_s * 1e3 * found.time_us);
}

TEST(AsyncCopy, CopiesSaveTheRegistersOfWhatIsOnItsWay) {
    for (const int element : {4, 8, 16}) {
        int before = 0;
        for (int stages = 1; stages <= 4; ++stages) {
            Params p = of("tile=8");
            p.element_bytes = element, p.distance = stages, p.variant = int(CopyWay::registers);
            const int through = S::registers(p);
            EXPECT_GT(through, before + (stages > 1 ? 4 : 0));
            before = through;
            p.variant = int(CopyWay::cp_async);
            const int copied = S::registers(p);
            p.variant = int(CopyWay::tma);
            EXPECT_LT(S::registers(p), copied);
            if (stages > 1) {
                EXPECT_LT(copied, through);
            }
        }
    }
}

TEST(AsyncCopy, OlderGpusSayWhatTheyLack) {
    const auto why = [](const char* settings, int cc) {
        const Params p = of(settings);
        const auto refused = refuse_launch(*scenario().info, p, scenario().launch(p), {.cc = cc});
        return refused ? refused->reason : std::string();
    };
    EXPECT_EQ(why("way=registers", 70), "");
    EXPECT_THAT(why("way=cp.async", 75), HasSubstr("needs compute capability 8.0"));
    EXPECT_EQ(why("way=cp.async", 80), "");
    EXPECT_THAT(why("way=tma", 89), HasSubstr("needs compute capability 9.0"));
    EXPECT_EQ(why("way=tma", 90), "");
}

TEST(AsyncCopy, CountersAreExpectedOnlyWhereWarpsMakeRequests) {
    const auto expected = [](const char* settings, const char* metric) {
        const ExpectedLaunch launch = expect_counters(scenario(), of(settings), h200());
        const ExpectedCounter* found = launch.find(metric);
        return found == nullptr ? -1 : found->expected;
    };
    const char* const kLoads = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
    const char* const kFills = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum";
    const double tiles = 264.0 * 248, warps = 4, copies = 2;  // of the defaults: 2^28 bytes in tiles of 4 KiB
    EXPECT_EQ(S::tiles(of("")), 248);
    EXPECT_EQ(expected("way=registers", kLoads), tiles * warps * copies);
    EXPECT_EQ(expected("way=cp.async,element=4", kLoads), tiles * warps * 4 * copies);
    EXPECT_EQ(expected("way=tma", kLoads), -1);
    EXPECT_EQ(expected("way=registers", kFills), tiles * warps * copies * 4) << "16 bytes per lane";
    EXPECT_EQ(expected("way=cp.async", kFills), -1);
    EXPECT_EQ(expected("way=tma,row=32", kFills), -1);
    const char* const kReads = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
    EXPECT_EQ(expected("row=32,read=columns", kReads), tiles * warps * copies * 32);
    EXPECT_EQ(expected("way=tma,row=32,read=columns", kReads), -1) << "waiting may count there as well";
}

}  // namespace warplens::test::async_copy_tests
