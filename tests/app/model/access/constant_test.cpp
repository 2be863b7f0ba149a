// Constant memory: one request per distinct word. Measured on an H200: `c[lane]` is 32 requests.
#include "app/model/access/constant.h"

#include "tests/warp_accesses.h"

#include <gtest/gtest.h>

#include <set>

namespace warplens::test::constant_tests {

namespace {

WarpAccess words_at(auto word_of, int bytes = 4) {
    return test::lanes_at(Space::constant, bytes, [&](int lane) { return word_of(lane) * 4; });
}

bool same(const ConstantCount& a, const ConstantCount& b) {
    return a.requests == b.requests && a.lines == b.lines && a.bytes_used == b.bytes_used;
}

}  // namespace

TEST(Constant, WorkedExamples) {
    struct Example {
        const char* what;
        WarpAccess access;
        int requests, lines, bytes_used;
    };
    for (const Example& e : {
             Example{"uniform", words_at([](int) { return 7; }), 1, 1, 4},
             Example{"c[lane]", words_at([](int lane) { return lane; }), 32, 2, 128},
             Example{"two words, interleaved", words_at([](int lane) { return lane % 2 * 100; }), 2, 2, 8},
             Example{"just fills 2 KB", words_at([](int lane) { return lane * 16; }), 32, 32, 128},
             Example{"uniform double", words_at([](int) { return 2; }, 8), 2, 1, 8},
             Example{"a float4 per lane", words_at([](int lane) { return lane * 4; }, 16), 128, 8, 512},
         }) {
        const ConstantCount count = count_constant(e.access);
        EXPECT_EQ(count.requests, e.requests) << e.what;
        EXPECT_EQ(count.lines, e.lines) << e.what;
        EXPECT_EQ(count.bytes_used, e.bytes_used) << e.what;
    }
}

TEST(Constant, BytesOfOneWordAreOneRequest) {
    const WarpAccess bytes = test::lanes_at(Space::constant, 1, [](int lane) { return lane; });
    EXPECT_EQ(count_constant(bytes).requests, 8);
    EXPECT_EQ(count_constant(bytes).bytes_used, 32);
}

TEST(Constant, NoLaneNoRequest) {
    WarpAccess access = words_at([](int lane) { return lane; });
    access.active = 0;
    EXPECT_TRUE(same(count_constant(access), {}));
}

TEST(Constant, DistinctWordsByBruteForce) {
    std::mt19937 random(1);
    for (int trial = 0; trial < 3000; ++trial) {
        const WarpAccess access = test::random_access(Space::constant, random);
        std::set<std::uint64_t> words, lines, bytes;
        for (int lane = 0; lane < kWarpLanes; ++lane) {
            if ((access.active >> lane & 1u) == 0) continue;
            for (int b = 0; b < access.bytes_per_lane; ++b) {
                const std::uint64_t at = access.byte_address[lane] + static_cast<unsigned>(b);
                words.insert(at / 4);
                lines.insert(at / 64);
                bytes.insert(at);
            }
        }
        const ConstantCount count = count_constant(access);
        ASSERT_EQ(count.requests, static_cast<int>(words.size()));
        ASSERT_EQ(count.lines, static_cast<int>(lines.size()));
        ASSERT_EQ(count.bytes_used, static_cast<int>(bytes.size()));
    }
}

TEST(Constant, EveryWordKnowsTheLanesThatWantIt) {
    std::mt19937 random(2);
    for (int trial = 0; trial < 1000; ++trial) {
        const WarpAccess access = test::random_access(Space::constant, random);
        const ConstantReport report = analyze_constant(access);
        std::uint32_t served = 0;
        for (int w = 0; w < report.count.requests; ++w) {
            const ConstantWord& word = report.words[static_cast<std::size_t>(w)];
            served |= word.lanes;
            for (int lane = 0; lane < kWarpLanes; ++lane) {
                const std::uint64_t first = access.byte_address[lane],
                                    last = first + static_cast<unsigned>(access.bytes_per_lane) - 1;
                const bool wants = (access.active >> lane & 1u) != 0 && first < word.byte_address + 4 &&
                                   last >= word.byte_address;
                ASSERT_EQ((word.lanes >> lane & 1u) != 0, wants);
            }
        }
        ASSERT_EQ(served, access.active);
    }
}

TEST(Constant, LanesMayChangePlacesAndIdleOnesAndDuplicatesAreFree) {
    std::mt19937 random(3);
    for (int trial = 0; trial < 2000; ++trial) {
        const WarpAccess access = test::random_access(Space::constant, random);
        const ConstantCount count = count_constant(access);
        ASSERT_TRUE(same(count_constant(test::reordered(access, test::order_within(32, random))), count));
        ASSERT_TRUE(same(count_constant(test::with_other_idle_lanes(access, random)), count));
        ASSERT_LE(count_constant(test::with_a_duplicate(access, 32, random)).requests, count.requests);
    }
}

}  // namespace warplens::test::constant_tests
