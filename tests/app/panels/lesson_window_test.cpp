// Lessons in the window: every one can be read at every size, and its links can be reached.
#include "app/experiment/devices.h"
#include "app/panels/widgets.h"
#include "app/window/window_session.h"

#include "tests/app/learn/lesson_texts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace warplens::test::lesson_window_tests {

namespace {

constexpr int kWidth = 1280, kHeight = 800;

class LessonTest : public ::testing::Test {
protected:
    void SetUp() override {
        auto opened = Window::open({.width = kWidth, .height = kHeight});
        if (auto* why = std::get_if<Unavailable>(&opened)) GTEST_SKIP() << why->reason;
        window_ = std::move(std::get<std::unique_ptr<Window>>(opened));
        WindowOptions options;
        options.cpu = true;
        options.shipped_recordings = false;
        const std::vector<DeviceFacts> devices = device_table();
        session_ = std::make_unique<WindowSession>(
            *window_, initial_state(all_scenarios().front(), find_device(devices, kDefaultDevice).value()),
            devices, options);
    }
    void TearDown() override {
        session_.reset();
        window_.reset();
    }
    /// Goes to a place and draws it; only what is drawn now is known by name then.
    void go(const std::string& link) {
        Wishes wishes;
        wishes.link = link;
        session_->wish(wishes);
        frame();
        ui::items().clear();
        frame();
    }
    void frame() {
        window_->keep_awake(1);
        window_->run_frame([this] { session_->show_frame(); });
    }
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

    std::unique_ptr<Window> window_;
    std::unique_ptr<WindowSession> session_;
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
    ASSERT_TRUE(ui::items().contains("lesson.wide"));
    const float narrow = ui::items().at("lesson.wide").x;
    go("transpose?tab=reading");
    EXPECT_FALSE(ui::items().contains("lesson.wide"));
    EXPECT_FALSE(ui::items().contains("plot")) << "the plot gives way";
    ASSERT_TRUE(ui::items().contains("lesson.narrow"));
    EXPECT_LT(ui::items().at("lesson.narrow").x, narrow);
    go("transpose?tab=why");
    EXPECT_TRUE(ui::items().contains("plot"));
}

}  // namespace warplens::test::lesson_window_tests
