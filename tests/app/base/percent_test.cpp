#include "app/base/text.h"

#include <gtest/gtest.h>

#include <random>

namespace warplens::test::percent_tests {
namespace {

TEST(Percent, WorkedExamples) {
    EXPECT_EQ(percent_encode("RTX 4090", ""), "RTX%204090");
    EXPECT_EQ(percent_encode("a,b=c", "="), "a%2Cb=c");
    EXPECT_EQ(percent_encode("\xc3\xa4", ""), "%C3%A4");
    EXPECT_EQ(percent_decode("RTX%204090%2C%2c"), "RTX 4090,,");
    EXPECT_EQ(percent_decode("%25%32"), "%2") << "decoded once";
}

TEST(Percent, ASignWithoutDigitsStays) {
    for (const char* text : {"%", "100%", "%2", "%zz", "%-1", "% 1", "%+1", "%0x"})
        EXPECT_EQ(percent_decode(text), text);
}

// A law: whatever is written is read again.
TEST(Percent, AnyTextComesBack) {
    std::mt19937 random(3);
    for (int round = 0; round < 1000; ++round) {
        std::string text;
        for (auto length = random() % 12; length > 0; --length) text += static_cast<char>(random() % 256);
        const std::string written = percent_encode(text, "-._ ");
        EXPECT_EQ(percent_decode(written), text);
        EXPECT_EQ(written.find_first_of("\n&?,"), std::string::npos);
    }
}

}  // namespace
}  // namespace warplens::test::percent_tests
