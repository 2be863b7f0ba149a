// Rules of other generations: worked examples from the CUDA Programming Guide's appendix on compute
// capabilities and from NVIDIA's own answers, one table per rule.
#include "app/base/assets.h"
#include "app/model/access/banks.h"
#include "app/model/access/report.h"
#include "tests/sample.h"

#include <gtest/gtest.h>

#include <bit>
#include <numeric>
#include <random>
#include <set>

namespace warplens::test::generations_tests {

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
    struct Moved {
        int transactions, bytes;
    };
    struct Example {
        const char* pattern;
        int stride, offset;
        Moved first, later;  // CC 1.0 and 1.1; CC 1.2 and 1.3
    };
    for (const Example& e : {Example{"all lanes one address", 0, 0, {32, 1024}, {2, 64}},
                             {"stride 1, aligned", 1, 0, {2, 128}, {2, 128}},
                             {"offset 1 word", 1, 1, {32, 1024}, {3, 224}},
                             {"offset 8 words", 1, 8, {32, 1024}, {3, 192}},
                             {"stride 2", 2, 0, {32, 1024}, {2, 256}},
                             {"stride 3", 3, 0, {32, 1024}, {4, 384}},
                             {"stride 4", 4, 0, {32, 1024}, {4, 512}},
                             {"stride 8", 8, 0, {32, 1024}, {8, 1024}},
                             {"stride 16", 16, 0, {32, 1024}, {16, 2048}},
                             {"stride 32", 32, 0, {32, 1024}, {32, 1024}}}) {
        const WarpAccess access = strided(Space::global, 4, e.stride, e.offset);
        for (const auto& [cc, expected] : {std::pair{ComputeCapability{1, 0}, e.first},
                                           {{1, 1}, e.first},
                                           {{1, 2}, e.later},
                                           {{1, 3}, e.later}}) {
            const SectorCount count = count_sectors(access, sector_rules_for(cc));
            EXPECT_EQ(count.transactions, expected.transactions) << e.pattern << ", CC " << cc.text();
            EXPECT_EQ(count.bytes_moved, expected.bytes) << e.pattern << ", CC " << cc.text();
            EXPECT_EQ(count.requests, 2);
        }
    }
}

// The guide's sizes for lanes in order: 64 bytes for 4-byte words, 128 for 8-byte words, twice 128 for
// 16-byte words, in each half-warp; narrower ones are never coalesced on CC 1.0.
TEST(Generations, FirstCoalescingOfEachWidth) {
    struct Example {
        int width, first_transactions, first_bytes, later_transactions, later_bytes;
    };
    for (const Example& e : {Example{1, 32, 1024, 2, 64},
                             {2, 32, 1024, 2, 64},
                             {4, 2, 128, 2, 128},
                             {8, 2, 256, 2, 256},
                             {16, 4, 512, 4, 512}}) {
        const WarpAccess access = strided(Space::global, e.width, 1);
        const SectorCount first = count_sectors(access, sector_rules_for({1, 0})),
                          later = count_sectors(access, sector_rules_for({1, 3}));
        EXPECT_EQ(first.transactions, e.first_transactions) << e.width;
        EXPECT_EQ(first.bytes_moved, e.first_bytes) << e.width;
        EXPECT_EQ(later.transactions, e.later_transactions) << e.width;
        EXPECT_EQ(later.bytes_moved, e.later_bytes) << e.width;
    }
    // A lane that is not active breaks no order.
    WarpAccess holes = strided(Space::global, 4, 1);
    holes.active = 0xfffe'7ffeu;
    EXPECT_EQ(count_sectors(holes, sector_rules_for({1, 0})).bytes_moved, 128);
}

TEST(Generations, FermiMovesWholeLines) {
    EXPECT_EQ(count_sectors(strided(Space::global, 4, 1), sector_rules_for({2, 0})).bytes_moved, 128);
    EXPECT_EQ(count_sectors(strided(Space::global, 4, 32), sector_rules_for({2, 0})).bytes_moved, 32 * 128);
    EXPECT_EQ(count_sectors(strided(Space::global, 8, 1), sector_rules_for({2, 0})).requests, 2);
    EXPECT_EQ(count_sectors(strided(Space::global, 16, 1), sector_rules_for({2, 0})).requests, 4);
}

// The rules of CC 2.x by width: a warp, half-warps for 8 bytes, quarter-warps for 16, whole lines.
TEST(Generations, FermiCountsLinesOfEachRequest) {
    struct Example {
        int width, stride, lines;
    };
    for (const Example& e :
         {Example{4, 0, 1}, {4, 1, 1}, {4, 2, 2}, {4, 32, 32}, {8, 1, 2}, {8, 0, 2}, {16, 1, 4}}) {
        const SectorCount count =
            count_sectors(strided(Space::global, e.width, e.stride), sector_rules_for({2, 0}));
        EXPECT_EQ(count.transactions, e.lines) << e.width << " " << e.stride;
        EXPECT_EQ(count.bytes_moved, 128 * e.lines) << e.width << " " << e.stride;
    }
    // CC 3.x passes the L1 by: 32-byte segments.
    EXPECT_EQ(count_sectors(strided(Space::global, 4, 2), sector_rules_for({3, 5})).bytes_moved, 8 * 32);
    EXPECT_EQ(count_sectors(strided(Space::global, 4, 32), sector_rules_for({3, 5})).bytes_moved, 32 * 32);
}

TEST(Generations, MaxwellAndPascalSplitBeforeTheTags) {
    EXPECT_EQ(count_sectors(strided(Space::global, 4, 1), sector_rules_for({6, 1})).requests, 4);
    EXPECT_EQ(count_sectors(strided(Space::global, 8, 1), sector_rules_for({6, 1})).requests, 8);
    EXPECT_EQ(count_sectors(strided(Space::global, 16, 1), sector_rules_for({6, 1})).requests, 16);
    EXPECT_EQ(count_sectors(strided(Space::global, 16, 1), sector_rules_for({7, 0})).requests, 1);
}

// What is drawn adds up to what is counted, whatever the addresses.
TEST(Generations, TransactionsAndTheirSectorsAddUp) {
    std::mt19937 random(seed(9));
    for (int round = 0; round < 4000; ++round) {
        WarpAccess access{.active = round % 3 == 0 ? static_cast<std::uint32_t>(random()) : kAllLanes,
                          .bytes_per_lane = 1 << random() % 5};
        const std::uint32_t span = 1u << random() % 12, step = static_cast<std::uint32_t>(random() % 4);
        for (int lane = 0; lane < kWarpLanes; ++lane) {
            const std::uint32_t at = round % 2 == 0 ? static_cast<std::uint32_t>(random()) % span
                                                    : static_cast<std::uint32_t>(lane) * step;
            access.byte_address[lane] = std::uint64_t{at} * static_cast<unsigned>(access.bytes_per_lane);
        }
        for (const ComputeCapability cc : {ComputeCapability{1, 0}, {1, 3}, {2, 0}, {3, 5}, {5, 2}, {9, 0}}) {
            const SectorReport report = analyze_sectors(access, sector_rules_for(cc));
            int bytes = 0, times = 0, used = 0;
            std::uint32_t lanes = 0;
            for (const Transaction& one : report.transactions) {
                bytes += one.bytes;
                lanes |= one.lanes;
                EXPECT_EQ(one.byte_address % static_cast<unsigned>(one.bytes), 0u);
            }
            for (const LineUse& line : report.lines) {
                for (std::size_t s = 0; s < 4; ++s) {
                    times += line.times[s];
                    used += std::popcount(line.used[s]);
                    EXPECT_EQ(line.times[s] > 0, (line.sectors >> s & 1u) != 0);
                    EXPECT_TRUE(line.used[s] == 0 || line.times[s] > 0)
                        << "nothing is used that is not moved";
                }
            }
            const SectorCount& count = report.count;
            EXPECT_EQ(static_cast<int>(report.transactions.size()), count.transactions) << cc.text();
            EXPECT_EQ(bytes, count.bytes_moved) << cc.text();
            EXPECT_EQ(times, count.sectors) << cc.text();
            EXPECT_EQ(lanes, access.active) << "every lane's bytes travel";
            EXPECT_LE(used, count.bytes_moved);
            EXPECT_LE(count.ideal_transactions, count.transactions);
            EXPECT_LE(count.ideal_sectors, count.sectors);
        }
    }
}

// The reference's table of sectors by stride, CC 7.0 and later, and its 128-byte lines.
TEST(Generations, SectorsAndLinesOfEachWidth) {
    constexpr int kStrides[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 32};
    constexpr int kFour[] = {1, 4, 8, 12, 16, 20, 24, 28, 32, 32, 32},
                  kEight[] = {1, 8, 16, 24, 32, 32, 32, 32, 32, 32, 32},
                  kSixteen[] = {1, 16, 32, 32, 32, 32, 32, 32, 32, 32, 32},
                  kLines[] = {1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 32};
    for (std::size_t i = 0; i < std::size(kStrides); ++i) {
        const auto count = [&](int width, ComputeCapability cc) {
            return count_sectors(strided(Space::global, width, kStrides[i]), sector_rules_for(cc));
        };
        for (const ComputeCapability cc : {ComputeCapability{7, 0}, {7, 5}, {8, 6}, {9, 0}, {12, 0}}) {
            EXPECT_EQ(count(4, cc).sectors, kFour[i]) << kStrides[i];
            EXPECT_EQ(count(8, cc).sectors, kEight[i]) << kStrides[i];
            EXPECT_EQ(count(16, cc).sectors, kSixteen[i]) << kStrides[i];
            EXPECT_EQ(count(4, cc).lines, kLines[i]) << kStrides[i];
            EXPECT_EQ(count(16, cc).requests, 1);
        }
        if (kStrides[i] == 0) continue;  // served in parts, each of which fetches the one sector
        for (const ComputeCapability cc : {ComputeCapability{5, 2}, {6, 1}}) {
            EXPECT_EQ(count(4, cc).sectors, kFour[i]) << kStrides[i];
            EXPECT_EQ(count(8, cc).sectors, kEight[i]) << kStrides[i];
            EXPECT_EQ(count(16, cc).sectors, kSixteen[i]) << kStrides[i];
        }
    }
}

TEST(Generations, MisalignedAndPartialWarps) {
    for (int offset = 0; offset < 64; ++offset) {
        const SectorCount four = count_sectors(strided(Space::global, 4, 1, offset), {});
        EXPECT_EQ(four.sectors, offset % 8 == 0 ? 4 : 5) << offset;
        EXPECT_EQ(four.lines, offset % 32 == 0 ? 1 : 2) << offset;
    }
    // Ideal for 32 lanes: 4, 8, 16; one active lane 1; none 0.
    for (const auto& [width, ideal] : {std::pair{4, 4}, {8, 8}, {16, 16}})
        EXPECT_EQ(count_sectors(strided(Space::global, width, 1), {}).ideal_sectors, ideal);
    WarpAccess one = strided(Space::global, 4, 1);
    one.active = 1u << 9;
    EXPECT_EQ(count_sectors(one, {}).sectors, 1);
    one.active = 0;
    EXPECT_EQ(count_sectors(one, {}).sectors, 0);
    EXPECT_EQ(count_sectors(one, {}).requests, 0);
    // A float4 load is one request with 16 sectors and 4 wavefronts of data; four scalar loads, the parts of
    // as many float4, 4 requests of 16 sectors each.
    EXPECT_EQ(count_sectors(strided(Space::global, 16, 1), {}).sectors, 16);
    EXPECT_EQ(wavefronts({9, 0}, 16, 1), 4);
}

// The profile of a GA102: tile loads of 4 sectors each, stores alike.
TEST(Generations, TileLoadsOfGa102) {
    const SectorCount one = count_sectors(strided(Space::global, 4, 1), sector_rules_for({8, 6}));
    EXPECT_EQ(2'129'920LL * one.sectors, 8'519'680);
    EXPECT_EQ(32'768LL * one.sectors, 131'072);
    WarpAccess store = strided(Space::shared, 4, 1);
    store.op = Op::store;
    EXPECT_EQ(2'097'152LL * count_banks(store, bank_rules_for({8, 6})).wavefronts, 2'097'152);
}

// Useful bytes against stride: reading, copying to packed memory, and both sides strided.
TEST(Generations, EfficiencyByStride) {
    struct Row {
        int stride;
        double read, copy, copy_64;  // with pieces of 32 and of 64 bytes from DRAM
    };
    for (const Row& row : {Row{1, 1, 1, 1},
                           {2, .5, .667, .667},
                           {3, .333, .5, .5},
                           {4, .25, .4, .4},
                           {5, .2, .333, .333},
                           {6, .167, .286, .286},
                           {7, .143, .25, .25},
                           {8, .125, .222, .222},
                           {12, .125, .222, .154},
                           {16, .125, .222, .118},
                           {32, .125, .222, .118}}) {
        // Many warps, so that sectors which neighbours share are counted once, as a cache would.
        constexpr int kWarps = 64;
        std::set<std::uint64_t> sectors, pieces;
        int by_warps = 0;
        for (int warp = 0; warp < kWarps; ++warp) {
            const WarpAccess access = strided(Space::global, 4, row.stride, warp * kWarpLanes * row.stride);
            by_warps += count_sectors(access, {}).sectors;
            for (const std::uint64_t address : access.byte_address) {
                sectors.insert(address / 32);
                pieces.insert(address / 64);
            }
        }
        EXPECT_EQ(by_warps, static_cast<int>(sectors.size())) << "aligned warps share no sector";
        const double useful = kWarps * kWarpLanes * 4.0, read = 32.0 * by_warps,
                     read_64 = 64.0 * static_cast<double>(pieces.size());
        EXPECT_NEAR(useful / read, row.read, 0.001) << row.stride;
        EXPECT_NEAR(2 * useful / (read + useful), row.copy, 0.001) << row.stride;
        EXPECT_NEAR(2 * useful / (read_64 + useful), row.copy_64, 0.001) << row.stride;
        EXPECT_NEAR(2 * useful / (read + read), row.read, 0.001) << "both sides strided";
    }
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

TEST(Generations, WhatIsNotDocumentedSaysSo) {
    for (const DeviceFacts& device : load_devices(asset("assets/gpus.json"))) {
        for (int space = 0; space < kSpaceCount; ++space) {
            for (const int bytes : {1, 4, 8, 16}) {
                for (const Op op : {Op::load, Op::store}) {
                    const CountBasis basis = count_basis(
                        {.space = static_cast<Space>(space), .op = op, .bytes_per_lane = bytes}, device);
                    EXPECT_EQ(basis.kind == Provenance::exact, basis.source.empty())
                        << device.name << basis.source;
                }
            }
        }
    }
    const auto kind = [](ComputeCapability cc, int bytes, BankMode mode = BankMode::four_bytes) {
        DeviceFacts device;
        device.cc = cc;
        device.bank_rules = bank_rules_for(cc, mode);
        return count_basis({.space = Space::shared, .bytes_per_lane = bytes}, device).kind;
    };
    EXPECT_EQ(kind({1, 0}, 4), Provenance::approximate) << "which word is broadcast";
    EXPECT_EQ(kind({2, 0}, 8), Provenance::exact);
    EXPECT_EQ(kind({2, 0}, 16), Provenance::approximate) << "the majority";
    EXPECT_EQ(kind({3, 5}, 8), Provenance::approximate);
    EXPECT_EQ(kind({3, 5}, 8, BankMode::eight_bytes), Provenance::exact);
    EXPECT_EQ(kind({9, 0}, 16), Provenance::exact);
}

// By hand from the appendix on compute capabilities of the CUDA C Programming Guide 4.2: 1.x has 16 banks for
// each half warp and splits wide accesses ("2-way bank conflicts for arrays of doubles"); 2.x has half warps
// for 8 bytes (doubles in order have no conflict) and quarter warps for 16, to whose degree 1 is added.
TEST(Generations, WaysOfAConflictAreThoseOfTheGuide) {
    struct Example {
        ComputeCapability cc;
        int bytes, stride, ways, wavefronts, ideal;
    };
    for (const Example& e : {Example{{1, 0}, 4, 1, 1, 2, 2}, {{1, 0}, 4, 2, 2, 4, 2},
                             {{1, 0}, 4, 16, 16, 32, 2},     {{1, 3}, 4, 32, 16, 32, 2},
                             {{1, 0}, 8, 1, 2, 8, 4},        {{1, 0}, 8, 2, 4, 16, 4},
                             {{1, 0}, 16, 1, 4, 32, 8},      {{1, 0}, 16, 16, 16, 128, 8},
                             {{1, 0}, 1, 1, 4, 8, 2},  // four lanes in a word, of which one is broadcast
                             {{2, 0}, 4, 1, 1, 1, 1},        {{2, 0}, 4, 16, 16, 16, 1},
                             {{2, 0}, 4, 32, 32, 32, 1},     {{2, 0}, 1, 1, 1, 1, 1},
                             {{2, 0}, 8, 1, 1, 2, 2},        {{2, 1}, 8, 2, 2, 4, 2},
                             {{2, 0}, 16, 1, 2, 8, 4},       {{2, 0}, 16, 2, 3, 12, 4},
                             {{3, 5}, 8, 1, 1, 1, 1},        {{5, 2}, 16, 1, 1, 4, 4},
                             {{9, 0}, 16, 1, 1, 4, 4}}) {
        const BankReport report =
            analyze_banks(strided(Space::shared, e.bytes, e.stride), bank_rules_for(e.cc));
        SCOPED_TRACE(e.cc.text() + ", " + std::to_string(e.bytes) + " bytes, stride " +
                     std::to_string(e.stride));
        EXPECT_EQ(report.ways(), e.ways);
        EXPECT_EQ(report.count.wavefronts, e.wavefronts);
        EXPECT_EQ(report.count.ideal, e.ideal);
    }
}

}  // namespace warplens::test::generations_tests
