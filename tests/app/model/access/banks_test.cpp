// Rules of the generations: worked examples from the CUDA Programming Guide's appendix on compute
// capabilities and from NVIDIA's own answers, one table per rule.
#include "app/model/access/banks.h"

#include "app/model/device/device.h"
#include "tests/warp_accesses.h"

#include <gtest/gtest.h>

#include <numeric>

namespace warplens::test::banks_tests {
namespace {

WarpAccess strided(int width, int stride) {
    return lanes_at(Space::shared, width, [&](int lane) { return lane * stride * width; });
}

int wavefronts(ComputeCapability cc, int width, int stride) {
    return count_banks(strided(width, stride), bank_rules_for(cc)).wavefronts;
}

int kepler(BankMode mode, int width, int stride) {
    return count_banks(strided(width, stride), bank_rules_for({3, 5}, mode)).wavefronts;
}

TEST(Banks, ByStride) {
    for (int stride = 0; stride <= 64; ++stride) {
        const int degree = stride == 0 ? 1 : std::gcd(stride, 32);
        EXPECT_EQ(wavefronts({9, 0}, 4, stride), degree) << stride;
        EXPECT_EQ(wavefronts({5, 0}, 4, stride), degree) << stride;
        // CC 1.x: two half-warps, 16 banks.
        EXPECT_EQ(wavefronts({1, 3}, 4, stride), 2 * (stride == 0 ? 1 : std::gcd(stride, 16))) << stride;
    }
}

// The reference's table of wavefronts by stride and width; stride 0 merges from CC 7.0 on.
TEST(Banks, WavefrontsOfEachWidth) {
    struct Row {
        int stride, four, eight, sixteen;
    };
    for (const Row& row : {Row{1, 1, 2, 4},
                           {2, 2, 4, 8},
                           {3, 1, 2, 4},
                           {4, 4, 8, 16},
                           {6, 2, 4, 8},
                           {8, 8, 16, 32},
                           {16, 16, 32, 32},
                           {17, 1, 2, 4},
                           {32, 32, 32, 32},
                           {33, 1, 2, 4}}) {
        for (const ComputeCapability cc :
             {ComputeCapability{5, 2}, {6, 1}, {7, 0}, {8, 0}, {9, 0}, {12, 0}}) {
            EXPECT_EQ(wavefronts(cc, 4, row.stride), row.four) << cc.text() << " " << row.stride;
            EXPECT_EQ(wavefronts(cc, 8, row.stride), row.eight) << cc.text() << " " << row.stride;
            EXPECT_EQ(wavefronts(cc, 16, row.stride), row.sixteen) << cc.text() << " " << row.stride;
        }
    }
    for (const auto& [width, apart, merged] : {std::tuple{4, 1, 1}, {8, 2, 1}, {16, 4, 2}}) {
        EXPECT_EQ(wavefronts({6, 1}, width, 0), apart);
        EXPECT_EQ(wavefronts({7, 0}, width, 0), merged);
    }
    // Two passes after merging, each two-way.
    WarpAccess pairs{.bytes_per_lane = 16, .space = Space::shared};
    for (int lane = 0; lane < kWarpLanes; ++lane)
        pairs.byte_address[lane] =
            static_cast<std::uint64_t>(16 * (lane / 16 * 4 + lane % 16 / 8 + lane % 8 / 4 * 8));
    EXPECT_EQ(count_banks(pairs, bank_rules_for({7, 0})).wavefronts, 4);
    EXPECT_EQ(count_banks(pairs, bank_rules_for({7, 0})).excessive(), 2);
}

// CUDA C Programming Guide 4.2, appendix F: 2.x needs one trip more for each quarter-warp of 128-bit
// accesses.
TEST(Banks, FermiServesWideAccessesInParts) {
    EXPECT_EQ(wavefronts({2, 0}, 4, 1), 1);
    EXPECT_EQ(wavefronts({2, 0}, 8, 1), 2) << "two half-warps";
    EXPECT_EQ(wavefronts({2, 0}, 16, 1), 4 * 2);
    EXPECT_EQ(wavefronts({2, 0}, 16, 2), 4 * 3);
    EXPECT_EQ(count_banks(strided(16, 1), bank_rules_for({2, 0})).excessive(), 4)
        << "which the guide calls 2-way";
    EXPECT_EQ(wavefronts({2, 0}, 1, 1), 1) << "bytes of a word: multicast";
}

// The guide's examples for CC 1.x: structs of 2 and 3 floats, read member by member; doubles.
TEST(Banks, FirstGpusReadStructsMemberByMember) {
    EXPECT_EQ(wavefronts({1, 0}, 4, 3), 2) << "3 floats: stride 3, free in both half-warps";
    EXPECT_EQ(wavefronts({1, 0}, 4, 2), 2 * 2) << "2 floats: 2-way";
    EXPECT_EQ(wavefronts({1, 0}, 8, 1), 2 * (2 + 2)) << "double: two reads of stride 2";
    EXPECT_EQ(wavefronts({1, 0}, 16, 1), 2 * 4 * 4) << "four reads of stride 4";
    for (int stride = 1; stride < 64; ++stride)
        EXPECT_EQ(wavefronts({1, 0}, 4, stride) == 2, stride % 2 == 1) << stride << ": free exactly if odd";
}

// CUDA Programming Guide, compute capability 3.x: two lanes in one 64-bit word never collide in 8-byte mode.
TEST(Banks, KeplersBankModes) {
    for (const auto& [stride, expected] :
         {std::pair{0, 1}, {1, 1}, {2, 1}, {3, 2}, {4, 2}, {6, 1}, {8, 4}, {16, 8}, {32, 16}, {64, 32}})
        EXPECT_EQ(kepler(BankMode::eight_bytes, 4, stride), expected) << stride;
    for (const auto& [stride, expected] : {std::pair{0, 1}, {1, 1}, {2, 2}, {3, 1}, {4, 4}, {32, 32}})
        EXPECT_EQ(kepler(BankMode::eight_bytes, 8, stride), expected) << stride;
    EXPECT_EQ(kepler(BankMode::four_bytes, 8, 1), 1) << "64 words of one segment";
    EXPECT_EQ(kepler(BankMode::four_bytes, 4, 6), 2);
    EXPECT_EQ(kepler(BankMode::eight_bytes, 1, 1), 1);
    EXPECT_EQ(kepler(BankMode::eight_bytes, 16, 1), 2);
    EXPECT_EQ(kepler(BankMode::four_bytes, 16, 1), 2);
    // Words i and i + 33 lie in different banks, i and i + 32 together only within a segment.
    WarpAccess two = strided(4, 0);
    const auto apart = [&](std::uint64_t first, std::uint64_t second) {
        two.active = 3;
        two.byte_address[0] = 4 * first;
        two.byte_address[1] = 4 * second;
        return std::pair{count_banks(two, bank_rules_for({3, 5})).wavefronts,
                         count_banks(two, bank_rules_for({3, 5}, BankMode::eight_bytes)).wavefronts};
    };
    EXPECT_EQ(apart(3, 35), std::pair(1, 1));
    EXPECT_EQ(apart(35, 67), std::pair(2, 1)) << "another segment; in 8-byte mode banks 17 and 1";
    EXPECT_EQ(apart(0, 64), std::pair(2, 2));
    EXPECT_EQ(apart(0, 1), std::pair(1, 1)) << "in 8-byte mode one word";
}

TEST(Banks, KeplerServesTwoWordsOfASegmentTogether) {
    // Words i and i + 32 of a 64-word segment: stride 2 is free, stride 32 costs half, stride 64 leaves the
    // segment.
    for (const auto& [stride, expected] :
         {std::pair{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 2}, {8, 4}, {16, 8}, {32, 16}, {64, 32}}) {
        EXPECT_EQ(wavefronts({3, 5}, 4, stride), expected) << stride;
    }
}

TEST(Banks, WideAccesses) {
    EXPECT_EQ(wavefronts({9, 0}, 8, 1), 2);
    EXPECT_EQ(wavefronts({9, 0}, 16, 1), 4);
    EXPECT_EQ(wavefronts({3, 5}, 8, 1), 1);      // 64-bit banks
    EXPECT_EQ(wavefronts({1, 3}, 8, 1), 2 * 4);  // double: two 4-byte accesses of stride 2, in each half-warp
    EXPECT_EQ(wavefronts({9, 0}, 16, 0), 2);     // equal neighbours merge
    EXPECT_EQ(wavefronts({6, 1}, 16, 0), 4);     // before CC 7.0 they do not
    WarpAccess store = strided(16, 0);
    store.op = Op::store;
    EXPECT_EQ(count_banks(store, bank_rules_for({9, 0})).wavefronts, 4);
}

TEST(Banks, BytesOfOneWordConflictOnlyOnTheFirst) {
    EXPECT_EQ(wavefronts({9, 0}, 1, 1), 1);
    EXPECT_EQ(wavefronts({1, 0}, 1, 1),
              2 * 4);  // char a[tid]: four lanes share a word, one word is broadcast per step
}

}  // namespace
}  // namespace warplens::test::banks_tests
