// How a block is broken into lines: nothing gets lost, and no line is wider than its room.
#include "app/learn/courses.h"
#include "app/panels/learn/markdown_view.h"

#include "tests/app/learn/lesson_texts.h"

#include <gtest/gtest.h>

namespace warplens::test::markdown_layout_tests {

namespace {

/// One letter is one wide; bold ones are twice as wide.
float letters(const Run& run, std::string_view text) {
    return static_cast<float>(text.size()) * (run.strong ? 2.0f : 1.0f);
}

std::string lines_of(std::string_view markdown, float width) {
    const std::vector<Block> blocks = parse_markdown(markdown);
    std::string out;
    int line = 0;
    for (const Fragment& fragment : lay_out(blocks.front(), width, letters)) {
        for (; line < fragment.line; ++line) out += '/';
        out += std::string(fragment.text) + "|";
    }
    return out;
}

}  // namespace

TEST(MarkdownLayout, BreaksAtSpaces) {
    EXPECT_EQ(lines_of("one two three", 7), "one two|/three|");
    EXPECT_EQ(lines_of("one two three", 100), "one two three|");
    EXPECT_EQ(lines_of("one two three", 6), "one|/two|/three|");
}

TEST(MarkdownLayout, RunsThatTouchStayTogether) {
    EXPECT_EQ(lines_of("aa (`bb`), c", 6), "aa|/(|bb|),|/c|");
    EXPECT_EQ(lines_of("aa (`bb`), c", 9), "aa (|bb|),|/c|");
    EXPECT_EQ(lines_of("a [b c](x) d", 3), "a|b|/c|d|") << "links break like any text";
}

TEST(MarkdownLayout, WordsWiderThanALineBreakBetweenLetters) {
    EXPECT_EQ(lines_of("abcdefg", 3), "abc|/def|/g|");
    EXPECT_EQ(lines_of("a bcdefg", 3), "a|/bcd|/efg|");
    EXPECT_EQ(lines_of("éé", 1), "é|/é|") << "one letter at least, and never half of one";
    EXPECT_EQ(lines_of("a  \nb", 9), "a|/b|") << "a break that was asked for";
}

TEST(MarkdownLayout, EveryLessonFitsAnyWidthAndLosesNoLetter) {
    for (const std::string& key : test::lesson_keys()) {
        for (const float width : {8.0f, 25.0f, 43.0f, 90.0f, 1000.0f}) {
            for (const Block& block : lesson(key)) {
                std::string all = plain_text(block), shown;
                for (const Fragment& fragment : lay_out(block, width, letters)) {
                    EXPECT_LE(fragment.x + fragment.width, width + 0.01f) << key << ": " << fragment.text;
                    shown += fragment.text;
                }
                std::erase(all, ' ');
                std::erase(shown, ' ');
                EXPECT_EQ(shown, all) << key;
            }
        }
    }
}

}  // namespace warplens::test::markdown_layout_tests
