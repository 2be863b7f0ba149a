#include "app/base/base64.h"

#include <gtest/gtest.h>

#include <random>

namespace warplens::test::base64_tests {
namespace {

// The examples of RFC 4648, section 10.
TEST(Base64, IsThatOfTheStandard) {
    const std::pair<const char*, const char*> kExamples[] = {{"", ""},
                                                             {"f", "Zg=="},
                                                             {"fo", "Zm8="},
                                                             {"foo", "Zm9v"},
                                                             {"foob", "Zm9vYg=="},
                                                             {"fooba", "Zm9vYmE="},
                                                             {"foobar", "Zm9vYmFy"}};
    for (const auto& [bytes, text] : kExamples) EXPECT_EQ(base64(bytes), text);
    EXPECT_EQ(base64("\xfb\xff"), "+/8=");
    EXPECT_EQ(base64_of_link("\xfb\xff"), "-_8");
}

TEST(Base64, OfLinksGivesTheBytesBack) {
    std::mt19937 random(1);
    for (std::size_t size = 0; size < 70; ++size) {
        std::string bytes(size, '\0');
        for (char& byte : bytes) byte = static_cast<char>(random());
        EXPECT_EQ(from_base64_of_link(base64_of_link(bytes)), bytes) << size;
    }
    EXPECT_EQ(from_base64_of_link("Zm9*"), "");
}

}  // namespace
}  // namespace warplens::test::base64_tests
