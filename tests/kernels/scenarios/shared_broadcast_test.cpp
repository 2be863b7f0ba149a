#include "tests/kernels/scenarios/counts.h"
#include "tests/random_params.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace warplens::test::shared_broadcast_tests {
namespace {

std::int64_t wavefronts_of(const std::vector<std::string>& settings) {
    return report_of("shared-broadcast", settings).instructions[0].warp.wavefronts;
}

TEST(SharedBroadcast, WordsOfABankCountAndLanesDoNot) {
    // Words at distance d lie in 32 / gcd(d, 32) banks, one after the other in turn.
    for (const char* pattern : {"pattern=neighbours", "pattern=interleaved"}) {
        for (int words = 1; words <= 32; ++words) {
            for (int distance = 1; distance <= 64; ++distance) {
                const int banks = 32 / std::gcd(distance, 32);
                for (const char* element : {"element=1", "element=4"}) {
                    ASSERT_EQ(wavefronts_of({pattern, element, "words=" + std::to_string(words),
                                             "stride=" + std::to_string(distance)}),
                              (words + banks - 1) / banks)
                        << pattern << " " << words << " " << distance;
                }
            }
        }
    }
}

TEST(SharedBroadcast, SoManyDifferentWordsAreWanted) {
    const Scenario& scenario = *find_scenario("shared-broadcast");
    std::mt19937 random(16);
    for (int trial = 0; trial < 200; ++trial) {
        Params params = random_params(scenario, random);
        params.mask = -1;
        std::set<std::uint64_t> words;
        for_each_access(scenario, params, 0, {}, [&](std::uint64_t address) { words.insert(address / 4); });
        EXPECT_EQ(std::ssize(words), params.words);
    }
}

TEST(SharedBroadcast, PartialWarpsAndWideLoads) {
    EXPECT_EQ(wavefronts_of({"words=8", "stride=32"}), 8);
    EXPECT_EQ(wavefronts_of({"words=8", "stride=32", "mask=0xffff"}), 4);
    EXPECT_EQ(wavefronts_of({"words=8", "stride=32", "mask=0xffff", "pattern=interleaved"}), 8);
    EXPECT_EQ(wavefronts_of({"words=16", "element=16"}), 2) << "pairs travel together";
    EXPECT_EQ(wavefronts_of({"words=16", "element=16", "pattern=interleaved"}), 4);
}

}  // namespace
}  // namespace warplens::test::shared_broadcast_tests
