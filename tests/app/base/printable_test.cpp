#include "app/base/errors.h"
#include "app/base/text.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace warplens::test::printable_tests {
namespace {

/// By the table of the Unicode standard (3.9, table 3-6), also for what is no character.
std::string utf8(char32_t code) {
    const auto byte = [](char32_t value) { return static_cast<char>(value); };
    if (code < 0x80) return {byte(code)};
    if (code < 0x800) return {byte(0xc0 | code >> 6), byte(0x80 | (code & 0x3f))};
    if (code < 0x10000)
        return {byte(0xe0 | code >> 12), byte(0x80 | (code >> 6 & 0x3f)), byte(0x80 | (code & 0x3f))};
    return {byte(0xf0 | code >> 18), byte(0x80 | (code >> 12 & 0x3f)), byte(0x80 | (code >> 6 & 0x3f)),
            byte(0x80 | (code & 0x3f))};
}

TEST(Printable, WorkedExamples) {
    EXPECT_EQ(printable("H200, 141 GB µ 字 😀"), "H200, 141 GB µ 字 😀");
    EXPECT_EQ(printable("\x1b]0;title\x07"), " ]0;title ") << "an escape sequence that sets a title";
    EXPECT_EQ(printable("a\r\nb\tc"), "a  b c");
    EXPECT_EQ(printable("a\u009b31mb"), "a 31mb") << "the same in one character of C1";
    EXPECT_EQ(printable("exe\u202egpj"), "exe gpj") << "what follows would be shown from right to left";
    EXPECT_EQ(printable("a\xff"
                        "b\xc3"),
              "a?b?");
    EXPECT_EQ(printable("a\uffff"), "a?");
    EXPECT_EQ(printable("\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80"), std::string(9, '?'))
        << "a form that is too long, a surrogate, more than 0x10ffff";
    EXPECT_EQ(in_quotes(""), "nothing");
    EXPECT_EQ(in_quotes("a\nb"), "'a b'");
}

TEST(Printable, LongTextsAreCutAfterAWholeCharacter) {
    EXPECT_EQ(printable("12345678", 8), "12345678");
    EXPECT_EQ(printable("123456789", 8), "12345...");
    EXPECT_EQ(printable("1234ä789", 8), "1234...") << "ä has two bytes";
    EXPECT_EQ(printable("1ä345678", 8), "1ä34...");
    EXPECT_EQ(printable("123456ä", 8), "123456ä");
    EXPECT_EQ(printable("1234ä78", 8), "1234ä78");
    EXPECT_EQ(printable("12345ä789", 8), "12345...");
    EXPECT_EQ(printable(std::string(1000, 'x')).size(), 200u);
}

// Laws of every character there is.
TEST(Printable, EveryCharacter) {
    for (char32_t code = 0; code <= 0x10ffff; ++code) {
        const bool surrogate = code >= 0xd800 && code < 0xe000;
        const std::string text = utf8(code);
        const auto number = static_cast<unsigned>(code);
        const Utf8Character first = first_character(text + "x");
        ASSERT_EQ(first.valid, !surrogate) << number;
        if (surrogate) continue;
        ASSERT_EQ(static_cast<unsigned>(first.code), number);
        ASSERT_EQ(first.bytes, text.size());
        const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
        const bool ascii = code >= 0x20 && code < 0x7f;
        const std::string shown = printable(text);
        ASSERT_TRUE(shown == " " || (!control && (shown == text || shown == "?"))) << number;
        ASSERT_TRUE(!ascii || shown == text) << number;
        ASSERT_EQ(printable(shown), shown) << "what is printable stays";
    }
}

TEST(Printable, AnyBytes) {
    std::mt19937 random(5);
    for (int round = 0; round < 20'000; ++round) {
        std::string text;
        for (auto length = random() % 40; length > 0; --length)
            text += static_cast<char>(random() % 3 == 0 ? random() % 128 : 128 + random() % 128);
        const std::size_t most = 3 + random() % 40;
        const std::string shown = printable(text, most);
        ASSERT_LE(shown.size(), most);
        ASSERT_EQ(printable(shown, most), shown);
        for (std::string_view rest = shown; !rest.empty();) {
            const Utf8Character next = first_character(rest);
            ASSERT_TRUE(next.valid && next.code >= 0x20 && next.code != 0x7f);
            rest.remove_prefix(next.bytes);
        }
    }
}

TEST(Printable, EveryErrorIs) {
    const std::string said = UsageError("no '" + std::string(9000, 'a') + "\x1b[2J\n'").what();
    EXPECT_LE(said.size(), kMostMessageBytes);
    EXPECT_EQ(std::string(UsageError("two\nlines \x1b[2J").what()), "two lines  [2J");
}

}  // namespace
}  // namespace warplens::test::printable_tests
