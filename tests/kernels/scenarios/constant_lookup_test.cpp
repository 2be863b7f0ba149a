#include "kernels/scenarios/constant_lookup.h"

#include "app/model/access/constant.h"
#include "app/model/catalogue.h"

#include <gtest/gtest.h>

namespace warplens::test::constant_lookup_tests {

namespace {

ConstantCount count(const Params& params) {
    return count_constant(find_scenario("constant-lookup")->warp(params, 0, {}, 0, 0));
}

}  // namespace

TEST(ConstantLookup, AsManyRequestsAsDistinctWords) {
    Params params = ConstantLookup::info.defaults;
    for (params.words = 1; params.words <= kWarpLanes; ++params.words) {
        for (params.pattern = 0; params.pattern < 2; ++params.pattern) {
            for (const int stride : {1, 16, 33, 256}) {
                params.stride = stride;
                EXPECT_EQ(count(params).requests, params.words)
                    << params.words << " words, stride " << stride;
                EXPECT_EQ(count(params).bytes_used, 4 * params.words);
            }
        }
    }
}

TEST(ConstantLookup, NeighboursOrInterleaved) {
    Params params{.words = 4};
    const auto word = [&](int lane) { return ConstantLookup::word_of(params, lane); };
    EXPECT_EQ(word(0), 0);
    EXPECT_EQ(word(7), 0);
    EXPECT_EQ(word(8), 1);
    EXPECT_EQ(word(31), 3);
    params.pattern = static_cast<int>(ConstantLookup::Pattern::interleaved);
    EXPECT_EQ(word(7), 3);
    EXPECT_EQ(word(8), 0);
    EXPECT_EQ(word(31), 3);
}

TEST(ConstantLookup, SixteenWordsApartTheCacheIsJustFull) {
    Params params{.stride = 16, .words = 32};
    EXPECT_EQ(count(params).lines * kConstantLineBytes, kConstantL1Bytes);
    params.stride = 1;
    EXPECT_EQ(count(params).lines, 2);
    const auto last = [&] { return ConstantLookup::access(params, 0, {.x = 31}).byte_address; };
    params.stride = 16;
    EXPECT_LT(last(), std::uint64_t{kConstantL1Bytes});
    params.stride = 32;
    EXPECT_GE(last(), std::uint64_t{kConstantL1Bytes});
}

TEST(ConstantLookup, OnlyActiveLanesAsk) {
    EXPECT_EQ(count({.mask = 0xffff, .words = 32}).requests, 16);
    EXPECT_EQ(count({.mask = 0xffff, .words = 1}).requests, 1);
    EXPECT_EQ(count({.mask = 0x5555'5555, .pattern = 1, .words = 2}).requests, 1);
    EXPECT_EQ(count({.mask = 0, .words = 32}).requests, 0);
}

TEST(ConstantLookup, IsMeasuredInCycles) {
    EXPECT_EQ(speed_unit_of(ConstantLookup::info, ConstantLookup::info.defaults), SpeedUnit::cycles);
}

}  // namespace warplens::test::constant_lookup_tests
