#include "app/learn/markdown.h"

#include "app/base/assets.h"
#include "app/learn/glossary.h"
#include "app/panels/learn/markdown_view.h"

#include <gtest/gtest.h>

#include <random>

namespace warplens::test::markdown_tests {

namespace {

Block only(std::string_view text) {
    const std::vector<Block> blocks = parse_markdown(text);
    EXPECT_EQ(blocks.size(), 1u) << text;
    return blocks.empty() ? Block{} : blocks.front();
}

/// Runs as "style:text", the style by its first letters.
std::string styles(std::string_view text) {
    std::string out;
    for (const auto& run : only(text).runs) {
        out += run.emphasis ? "e" : "";
        out += run.strong ? "s" : "";
        out += run.code ? "c" : "";
        out += run.link.empty() ? "" : "<" + run.link + ">";
        out += ":" + run.text + "|";
    }
    return out;
}

/// Blocks as "marker depth text".
std::string outline(std::string_view text) {
    std::string out;
    for (const Block& block : parse_markdown(text))
        out += block.marker + std::to_string(block.depth) + plain_text(block) + "|";
    return out;
}

void expect_sound(std::string_view text) {
    for (const Block& block : parse_markdown(text)) {
        EXPECT_EQ(block.runs.empty(), block.kind == BlockKind::rule) << text;
        EXPECT_GE(block.depth, 0);
        EXPECT_TRUE(block.kind != BlockKind::heading || (block.level >= 1 && block.level <= 6));
        EXPECT_TRUE(block.kind != BlockKind::code || block.runs.size() == 1);
        for (const auto& run : block.runs) EXPECT_FALSE(run.text.empty());
        const auto measure = [](const auto&, std::string_view part) { return float(part.size()); };
        const std::vector<Fragment> fragments = lay_out(block, 5, measure);
        for (const Fragment& fragment : fragments) EXPECT_FALSE(fragment.text.empty());
    }
}

}  // namespace

TEST(Markdown, HeadingsAndParagraphs) {
    const std::vector<Block> blocks = parse_markdown("# One\n\ntwo\nthree\n\n## Four");
    ASSERT_EQ(blocks.size(), 3u);
    EXPECT_EQ(blocks[0].kind, BlockKind::heading);
    EXPECT_EQ(blocks[0].level, 1);
    EXPECT_EQ(plain_text(blocks[1]), "two three");
    EXPECT_EQ(blocks[2].level, 2);
}

TEST(Markdown, StylesOfRuns) {
    EXPECT_EQ(styles("a *b* **c** `d`"), ":a |e:b|: |s:c|: |c:d|");
    EXPECT_EQ(styles("***both***"), "es:both|");
    EXPECT_EQ(styles("**32 *s***"), "s:32 |es:s|");
    EXPECT_EQ(styles("2 * 3 * 4 and a_b_c"), ":2 * 3 * 4 and a_b_c|") << "stars alone and names stay";
}

TEST(Markdown, LinksKeepTheirTargetWhole) {
    EXPECT_EQ(styles("[stride 8](global-stride?stride=8&op=load)"),
              "<global-stride?stride=8&op=load>:stride 8|");
    EXPECT_EQ(styles("[a **b**](x)c"), "<x>:a |s<x>:b|:c|");
    EXPECT_EQ(styles("<https://docs.nvidia.com/cuda/>"),
              "<https://docs.nvidia.com/cuda/>:https://docs.nvidia.com/cuda/|");
    EXPECT_EQ(styles("[x](y?device=RTX%204090&amp;a=b)"), "<y?device=RTX%204090&a=b>:x|");
    EXPECT_EQ(styles("[no target]"), ":[no target]|");
}

TEST(Markdown, Lists) {
    EXPECT_EQ(outline("- a\n- b"), "-1a|-1b|");
    EXPECT_EQ(outline("3. a\n4. b"), "3.1a|4.1b|");
    EXPECT_EQ(outline("- a\n  - b\n    - c\n- d"), "-1a|-2b|-3c|-1d|");
    EXPECT_EQ(outline("- a\n\n  more\n- b"), "-1a|1more|-1b|") << "a loose item of two paragraphs";
    EXPECT_EQ(outline("-\n- b"), "-1b|") << "an empty item shows nothing";
    EXPECT_EQ(outline("> said\n\nafter"), "1said|0after|");
    EXPECT_EQ(outline("1. - a"), "-2a|") << "the inner marker stands for both";
}

TEST(Markdown, CodeIsKeptAsItIs) {
    EXPECT_EQ(plain_text(only("```cpp\na  =  *b;\n\n  c\n```")), "a  =  *b;\n\n  c");
    EXPECT_EQ(only("```\nx\n```").kind, BlockKind::code);
    EXPECT_EQ(plain_text(only("    indented")), "indented");
    EXPECT_TRUE(parse_markdown("```\n```").empty());
    EXPECT_EQ(styles("`a * b`"), "c:a * b|");
}

TEST(Markdown, EntitiesAndBreaks) {
    EXPECT_EQ(styles("a &lt; b &amp;&#38; &times; &#x2264; &unknown;"), ":a < b && × ≤ &unknown;|");
    EXPECT_EQ(styles("&#0; &#xD800;"), ":\xEF\xBF\xBD \xEF\xBF\xBD|");
    EXPECT_EQ(styles("a  \nb"), ":a\nb|");
    EXPECT_EQ(styles("a <b>c</b>"), ":a <b>c</b>|") << "HTML is text";
    EXPECT_EQ(only("---").kind, BlockKind::rule);
}

TEST(Markdown, AnyBytesGiveSomeBlocks) {
    for (const std::string_view text :
         {"",        " ",     "\n",       "*",   "**",           "[",
          "[](",     "[a](b", "`",        "```", "~~~",          "- ",
          "> > > -", "# ",    "#",        "&#;", "&;",           "&#99999999999999;",
          "![a](b",  "<",     "\xff\xfe", "a\\", "| a |\n| - |", "[a]: b\n\n[a]",
          "<a@b.c>"})
        expect_sound(text);
    expect_sound(std::string("a\0b", 3));
    expect_sound(std::string(3000, '>'));
    expect_sound(std::string(3000, '['));
    expect_sound(std::string(2000, '*') + "a" + std::string(2000, '*'));
}

/// Deterministic: pieces of Markdown in any order, and lessons that were cut off and scratched.
TEST(Markdown, SurvivesRandomTexts) {
    const std::string_view pieces[] = {"# ",    "- ",    "  ",     "\n", "\n\n", "*",    "**",
                                       "`",     "```\n", "[a](b)", "[",  "](",   ")",    "> ",
                                       "1.",    "&amp;", "&",      "\\", "<b>",  "word", "\t",
                                       "---\n", "\xc3",  "é",      "_",  "!",    "    ", "=\n"};
    std::mt19937 random(5);
    for (int i = 0; i < 3000; ++i) {
        std::string text;
        for (auto k = random() % 40; k > 0; --k) text += pieces[random() % std::size(pieces)];
        expect_sound(text);
    }
    for (const std::string_view path : asset_paths()) {
        if (!path.ends_with(".md")) continue;
        const std::string_view whole = asset(path);
        for (int i = 0; i < 12; ++i) {
            std::string text(whole.substr(0, random() % whole.size()));
            for (int k = 0; k < 8 && !text.empty(); ++k)
                text[random() % text.size()] = static_cast<char>(random() & 0xff);
            expect_sound(text);
        }
    }
}

}  // namespace warplens::test::markdown_tests
