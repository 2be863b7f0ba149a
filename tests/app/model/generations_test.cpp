// Rules of other generations: worked examples from the CUDA Programming Guide's appendix on compute
// capabilities and from NVIDIA's own answers, one table per rule.
#include "app/assets.h"
#include "app/model/banks.h"
#include "app/model/report.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace warplens;

namespace {

WarpAccess strided(Space space, int width, int stride, int offset = 0) {
    WarpAccess access{.bytes_per_lane = width, .space = space};
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        access.byte_address[lane] = static_cast<std::uint64_t>((offset + lane * stride) * width);
    }
    return access;
}

int wavefronts(ComputeCapability cc, int width, int stride) {
    return count_banks(strided(Space::shared, width, stride), bank_rules_for(cc)).wavefronts;
}

}  // namespace

TEST(Generations, FirstCoalescingRules) {
    struct Example {
        int stride, offset, transactions, bytes, later_bytes;
    };
    // 4-byte loads: CC 1.0 and 1.1, then CC 1.2 and 1.3.
    for (const Example& e : {Example{0, 0, 32, 1024, 64},
                             {1, 0, 2, 128, 128},
                             {1, 1, 32, 1024, 224},
                             {1, 8, 32, 1024, 192},
                             {2, 0, 32, 1024, 256},
                             {3, 0, 32, 1024, 384},
                             {4, 0, 32, 1024, 512},
                             {8, 0, 32, 1024, 1024},
                             {16, 0, 32, 1024, 2048},
                             {32, 0, 32, 1024, 1024}}) {
        const WarpAccess access = strided(Space::global, 4, e.stride, e.offset);
        EXPECT_EQ(count_sectors(access, sector_rules_for({1, 0})).bytes_moved, e.bytes)
            << e.stride << " " << e.offset;
        EXPECT_EQ(count_sectors(access, sector_rules_for({1, 3})).bytes_moved, e.later_bytes)
            << e.stride << " " << e.offset;
    }
}

TEST(Generations, FermiMovesWholeLines) {
    EXPECT_EQ(count_sectors(strided(Space::global, 4, 1), sector_rules_for({2, 0})).bytes_moved, 128);
    EXPECT_EQ(count_sectors(strided(Space::global, 4, 32), sector_rules_for({2, 0})).bytes_moved, 32 * 128);
    EXPECT_EQ(count_sectors(strided(Space::global, 8, 1), sector_rules_for({2, 0})).requests, 2);
    EXPECT_EQ(count_sectors(strided(Space::global, 16, 1), sector_rules_for({2, 0})).requests, 4);
}

TEST(Generations, MaxwellAndPascalSplitBeforeTheTags) {
    EXPECT_EQ(count_sectors(strided(Space::global, 4, 1), sector_rules_for({6, 1})).requests, 4);
    EXPECT_EQ(count_sectors(strided(Space::global, 8, 1), sector_rules_for({6, 1})).requests, 8);
    EXPECT_EQ(count_sectors(strided(Space::global, 16, 1), sector_rules_for({6, 1})).requests, 16);
    EXPECT_EQ(count_sectors(strided(Space::global, 16, 1), sector_rules_for({7, 0})).requests, 1);
}

TEST(Generations, SectorsByStride) {
    for (int stride = 0; stride <= 64; ++stride) {
        const int expected4 = stride == 0 ? 1 : stride < 8 ? 31 * stride / 8 + 1 : 32;
        EXPECT_EQ(count_sectors(strided(Space::global, 4, stride), {}).sectors, expected4) << stride;
    }
    for (const int offset : {1, 2, 7, 9}) {
        EXPECT_EQ(count_sectors(strided(Space::global, 4, 1, offset), {}).sectors, 5);
        EXPECT_EQ(count_sectors(strided(Space::global, 8, 1, offset), {}).sectors, 9);
    }
    EXPECT_EQ(count_sectors(strided(Space::global, 16, 1, 1), {}).sectors, 17);
}

TEST(Generations, BanksByStride) {
    for (int stride = 0; stride <= 64; ++stride) {
        const int degree = stride == 0 ? 1 : std::gcd(stride, 32);
        EXPECT_EQ(wavefronts({9, 0}, 4, stride), degree) << stride;
        EXPECT_EQ(wavefronts({5, 0}, 4, stride), degree) << stride;
        // CC 1.x: two half-warps, 16 banks.
        EXPECT_EQ(wavefronts({1, 3}, 4, stride), 2 * (stride == 0 ? 1 : std::gcd(stride, 16))) << stride;
    }
}

TEST(Generations, KeplerServesTwoWordsOfASegmentTogether) {
    // Words i and i + 32 of a 64-word segment: stride 2 is free, stride 32 costs half, stride 64 leaves the
    // segment.
    for (const auto& [stride, expected] :
         {std::pair{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 2}, {8, 4}, {16, 8}, {32, 16}, {64, 32}}) {
        EXPECT_EQ(wavefronts({3, 5}, 4, stride), expected) << stride;
    }
}

TEST(Generations, WideAccesses) {
    EXPECT_EQ(wavefronts({9, 0}, 8, 1), 2);
    EXPECT_EQ(wavefronts({9, 0}, 16, 1), 4);
    EXPECT_EQ(wavefronts({3, 5}, 8, 1), 1);      // 64-bit banks
    EXPECT_EQ(wavefronts({1, 3}, 8, 1), 2 * 4);  // double: two 4-byte accesses of stride 2, in each half-warp
    EXPECT_EQ(wavefronts({9, 0}, 16, 0), 2);     // equal neighbours merge
    EXPECT_EQ(wavefronts({6, 1}, 16, 0), 4);     // before CC 7.0 they do not
    WarpAccess store = strided(Space::shared, 16, 0);
    store.op = Op::store;
    EXPECT_EQ(count_banks(store, bank_rules_for({9, 0})).wavefronts, 4);
}

TEST(Generations, BytesOfOneWordConflictOnlyOnTheFirst) {
    EXPECT_EQ(wavefronts({9, 0}, 1, 1), 1);
    EXPECT_EQ(wavefronts({1, 0}, 1, 1),
              2 * 4);  // char a[tid]: four lanes share a word, one word is broadcast per step
}

TEST(Devices, TheTableIsWhole) {
    const std::vector<DeviceFacts> devices = load_devices(asset("assets/gpus.json"));
    ASSERT_EQ(devices.size(), 31u);
    for (const DeviceFacts& device : devices) {
        EXPECT_GT(device.sm_count, 0) << device.name;
        EXPECT_GT(device.clock_mhz, 0) << device.name;
        EXPECT_GT(device.peak_gb_per_s, 0) << device.name;
        EXPECT_GE(device.shared_per_block_bytes, 16384) << device.name;
        EXPECT_GE(device.cc.major, 1) << device.name;
    }
}

TEST(Devices, SayWhatDoesNotFit) {
    const std::vector<DeviceFacts> devices = load_devices(asset("assets/gpus.json"));
    const DeviceFacts& first = devices.at(find_device(devices, "8800 GTX").value());
    const DeviceFacts& h200 = devices.at(find_device(devices, "H200").value());
    EXPECT_NE(does_not_fit(first, 1024, 0).find("512"), std::string::npos);
    EXPECT_NE(does_not_fit(first, 256, 65536).find("16384"), std::string::npos);
    EXPECT_EQ(does_not_fit(first, 512, 16384), "");
    EXPECT_EQ(does_not_fit(h200, 1024, 81920), "");
    EXPECT_NE(does_not_fit(h200, 1024, 1 << 20), "");
}

TEST(Devices, AreFoundByNameAndByCapability) {
    const std::vector<DeviceFacts> devices = load_devices(asset("assets/gpus.json"));
    EXPECT_EQ(devices.at(find_device(devices, "h200").value()).cc, (ComputeCapability{9, 0}));
    EXPECT_EQ(devices.at(find_device(devices, "rtx 4090").value()).cc, (ComputeCapability{8, 9}));
    EXPECT_EQ(devices.at(find_device(devices, "7.5").value()).cc, (ComputeCapability{7, 5}));
    EXPECT_FALSE(find_device(devices, "no such card").has_value());
    EXPECT_FALSE(find_device(devices, "").has_value());
    EXPECT_THROW(load_devices("{"), std::runtime_error);
    EXPECT_THROW(load_devices("{\"gpus\":[{}]}"), std::runtime_error);
}
