// Steps of a text that is typed: words, and whatever changes at once; undo and redo lead through the same
// texts.
#include "app/window/text_history.h"

#include <gmock/gmock.h>

#include <random>

namespace warplens::test::text_history_tests {
namespace {

/// Types letters one after the other at the end of a text.
std::string type(TextHistory& history, std::string text, const std::string& letters) {
    for (const char letter : letters) {
        history.change(text, text + letter);
        text += letter;
    }
    return text;
}

std::vector<std::string> undone(TextHistory& history, std::string text) {
    std::vector<std::string> texts;
    while (const auto step = history.undo(text)) texts.push_back(text = step->text);
    return texts;
}

TEST(TextHistory, AWordIsAStepWithTheSignsBehindIt) {
    TextHistory history;
    const std::string text = type(history, "", "int  a = b2;");
    EXPECT_THAT(undone(history, text), testing::ElementsAre("int  a = ", "int  ", ""));
}

TEST(TextHistory, WhatIsPastedOrDeletedAtOnceIsAStep) {
    TextHistory history;
    history.change("ab", "apasteb");
    history.change("apasteb", "ab");
    history.change("ab", "a");
    history.change("a", "");
    EXPECT_THAT(undone(history, ""), testing::ElementsAre("ab", "apasteb", "ab"));
}

TEST(TextHistory, TheCaretStandsBehindWhatCameBack) {
    TextHistory history;
    history.change("one two four", "one four");
    EXPECT_EQ(history.undo("one four"), (TextHistory::Step{"one two four", 8}));
    EXPECT_EQ(history.redo("one two four"), (TextHistory::Step{"one four", 4}));
    EXPECT_EQ(history.redo("one four"), std::nullopt);
}

TEST(TextHistory, UndoAndRedoLeadThroughTheSameTexts) {
    std::mt19937 random(1);
    TextHistory history;
    std::string text;
    for (int i = 0; i < 300; ++i) {
        std::string next = text;
        const std::size_t at = next.empty() ? 0 : random() % next.size();
        if (random() % 3 == 0 && !next.empty())
            next.erase(at, 1 + random() % 3);
        else
            next.insert(at, std::string(1 + random() % 2, "ab \\n"[random() % 4]));
        history.change(text, next);
        text = next;
    }
    std::vector<std::string> back = undone(history, text);
    ASSERT_FALSE(back.empty());
    EXPECT_EQ(back.back(), "");
    std::string at = back.back();
    back.pop_back();
    for (; !back.empty(); back.pop_back()) {
        const auto step = history.redo(at);
        ASSERT_TRUE(step);
        EXPECT_EQ(step->text, back.back());
        at = step->text;
    }
    EXPECT_EQ(history.redo(at)->text, text);
}

TEST(TextHistory, LargeTextsAreForgottenFirst) {
    TextHistory history;
    std::string text(TextHistory::kMostBytes / 4, 'x');
    for (int i = 0; i < 9; ++i) {
        history.change(text, text + "ab");
        text += "ab";
    }
    EXPECT_EQ(undone(history, text).size(), 3u);
}

}  // namespace
}  // namespace warplens::test::text_history_tests
