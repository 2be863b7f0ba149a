#include "app/base/parse_number.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace warplens::test::parse_number_tests {
namespace {

TEST(ParseNumber, ReadsAWholeText) {
    EXPECT_EQ(parse_number<int>("-12"), -12);
    EXPECT_EQ(parse_number<double>("2.5e3"), 2500.0);
    EXPECT_EQ(parse_number<unsigned>("fF", 16), 255u);
}

TEST(ParseNumber, TakesNothingElse) {
    for (const char* text : {"", " 8", "8 ", "+8", "8.0", "0x8", "8a", "-", "2147483648"})
        EXPECT_FALSE(parse_number<int>(text)) << text;
    EXPECT_FALSE(parse_number<std::uint32_t>("-1"));
}

TEST(ParseNumber, ReadsTwoWithAMarkBetweenThem) {
    EXPECT_EQ(parse_pair<int>("9.0", '.'), std::pair(9, 0));
    EXPECT_EQ(parse_pair<int>("1280x-1", 'x'), std::pair(1280, -1));
    for (const char* text : {"", "9", "9.", ".9", "9.0.1", "9 .0", "9,0"})
        EXPECT_FALSE(parse_pair<int>(text, '.')) << text;
}

}  // namespace
}  // namespace warplens::test::parse_number_tests
