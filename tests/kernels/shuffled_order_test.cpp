#include "kernels/shuffled_order.h"
#include "kernels/scenarios/cache_footprint.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

namespace warplens::test::shuffled_order_tests {

TEST(ShuffledOrder, TakesEveryItemOnce) {
    for (int bits = 1; bits <= 20; ++bits) {
        std::vector<bool> seen(std::size_t{1} << bits);
        for (std::uint32_t place = 0; place < seen.size(); ++place) {
            const std::uint32_t item = shuffled(place, bits);
            ASSERT_LT(item, seen.size());
            ASSERT_FALSE(seen[item]) << bits << " bits, place " << place;
            seen[item] = true;
        }
        EXPECT_EQ(shuffled(static_cast<std::uint32_t>(seen.size()), bits), shuffled(0, bits));  // a cycle
    }
}

TEST(ShuffledOrder, NeighboursAreAThirdOfTheRangeApart) {  // as two independent places are
    for (int bits = 8; bits <= 20; ++bits) {
        const std::uint32_t count = 1u << bits;
        double sum = 0;
        for (std::uint32_t place = 0; place < count; ++place) {
            const auto here = static_cast<long>(shuffled(place, bits)),
                       next = static_cast<long>(shuffled(place + 1, bits));
            sum += static_cast<double>(std::labs(next - here));
        }
        EXPECT_NEAR(sum / count / count, 1.0 / 3, 0.02) << bits;
    }
}

TEST(CacheFootprint, TheWalkVisitsEveryLineOnceAndTheBlocksReadEveryByteAlike) {
    Params p = CacheFootprint::info.defaults;
    p.footprint_log2 = 16;
    std::vector<int> visits(512);
    for (int step = 0; step < 512; ++step)
        ++visits[CacheFootprint::access(p, 0, {.step = step}).byte_address / 128];
    EXPECT_EQ(visits, std::vector<int>(512, 1));

    p.quantity = static_cast<int>(CacheFootprint::What::bandwidth);
    for (const int log2 : {12, 18, 20}) {
        p.footprint_log2 = log2;
        const LaunchShape shape = CacheFootprint::launch(p);
        EXPECT_EQ(shape.grid.x * shape.grid.y, CacheFootprint::kBlocks);
        std::vector<int> reads(static_cast<std::size_t>(shape.buffer_bytes[0]) /
                               CacheFootprint::kVectorBytes);
        for (int x = 0; x < shape.grid.x; ++x) {
            for (int step = 0; step < shape.steps; ++step) {
                for (int thread = 0; thread < shape.block.x; ++thread) {
                    const ThreadId id{.block_x = x, .x = thread, .step = step};
                    ++reads[CacheFootprint::access(p, 0, id).byte_address / CacheFootprint::kVectorBytes];
                }
            }
        }
        EXPECT_EQ(reads, std::vector<int>(reads.size(), log2 == 12 ? CacheFootprint::kSteps : 1)) << log2;
    }
}

}  // namespace warplens::test::shuffled_order_tests
