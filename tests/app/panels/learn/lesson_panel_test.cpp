// Lessons in the window: every one can be read at every size, and its links can be reached.
#include "tests/app/learn/lesson_texts.h"
#include "tests/app/window/headless_fixture.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace warplens::test::lesson_panel_tests {

namespace {

constexpr int kWidth = 1280;  // HeadlessFixture

class LessonTest : public test::HeadlessFixture {
protected:
    static std::string link_to_lesson(const std::string& key, const char* tab) {
        return key.starts_with("board-") ? fmt::format("?board={}&tab={}", key.substr(6), tab)
                                         : fmt::format("{}?tab={}", key, tab);
    }
    /// Links that are drawn, and whether all of them lie inside the window's width.
    int links() const {
        int count = 0;
        for (const auto& [name, rect] : ui::items()) {
            if (!name.starts_with("link.")) continue;
            ++count;
            EXPECT_GE(rect.x, 0) << name;
            EXPECT_LE(rect.x + rect.w, kWidth) << name;
            EXPECT_GT(rect.w, 3) << name;
        }
        return count;
    }
};

}  // namespace

TEST_F(LessonTest, EveryLessonIsShownAtEverySizeWithItsLinks) {
    for (const float scale : {1.0f, 2.0f}) {
        window_->set_user_scale(scale);
        for (const std::string& key : test::lesson_keys()) {
            SCOPED_TRACE(fmt::format("{} at {}", key, scale));
            go(link_to_lesson(key, "reading"));
            EXPECT_GE(links(), 5);
            if (key == "board-spaces") continue;  // it has no right column
            go(link_to_lesson(key, "lesson"));
            EXPECT_GE(links(), 5);
        }
    }
}

// The worst of several had no heading, and was black.
TEST_F(LessonTest, WhyNamesEveryAccessAndColoursWhatIsBad) {
    go("transpose?variant=tile&instruction=all&tab=why");
    std::vector<ui::DrawnText> texts;
    ui::write_down_texts(&texts);
    frame();
    ui::write_down_texts(nullptr);
    const auto& rows = session().frame().evidence->report.instructions;
    ASSERT_EQ(rows.size(), 4u);
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const std::string name = fmt::format("{} {}", k + 1, rows[k].instruction.label);
        EXPECT_NE(std::ranges::find(texts, name, &ui::DrawnText::text), texts.end()) << name;
    }
}

TEST_F(LessonTest, ABoardShowsItsOwnLesson) {
    const std::string own = "link.global-stride?stride=1&board=traffic";
    go("transpose?tab=lesson");
    EXPECT_FALSE(ui::items().contains(own));
    go("transpose?board=traffic&tab=lesson");
    EXPECT_TRUE(ui::items().contains(own));
    go("transpose?board=claims&tab=lesson");
    EXPECT_EQ(links(), 0) << "the list of worked numbers takes the lesson's place";
}

TEST_F(LessonTest, HasMoreRoomInReading) {
    go("transpose?tab=lesson");
    ASSERT_TRUE(ui::items().contains("lesson.expand"));
    const float narrow = ui::items().at("lesson.expand").x;
    go("transpose?tab=reading");
    EXPECT_FALSE(ui::items().contains("lesson.expand"));
    EXPECT_FALSE(ui::items().contains("plot")) << "the plot gives way";
    ASSERT_TRUE(ui::items().contains("lesson.collapse"));
    EXPECT_LT(ui::items().at("lesson.collapse").x, narrow);
    go("transpose?tab=why");
    EXPECT_TRUE(ui::items().contains("plot"));
}

}  // namespace warplens::test::lesson_panel_tests
