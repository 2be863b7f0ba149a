// The table of numbers: its title stays, and it shows whole rows, however low its panel is.
#include "tests/app/window/headless_fixture.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace warplens::test::numbers_tests {
namespace {

class NumbersTest : public test::HeadlessFixture {
protected:
    /// Everything that is drawn of the table is whole.
    void expect_whole(const std::string& where) {
        for (int i = 0; i < 3; ++i) frame();  // its height is that of the frame before
        fresh_items();
        ASSERT_TRUE(shows("panel.numbers")) << where;
        ASSERT_TRUE(shows("numbers.title")) << where;
        const ui::ItemRect title = ui::items().at("numbers.title");
        EXPECT_TRUE(title.visible() && title.bottom - title.top >= title.h - 1) << where;
        int rows = 0;
        for (const auto& [name, rect] : ui::items()) {
            if (!name.starts_with("number.") || !rect.visible()) continue;
            ++rows;
            EXPECT_GE(rect.bottom - rect.top, rect.h - 1) << name << " in " << where;
        }
        EXPECT_GT(rows, 0) << where;
    }
};

TEST_F(NumbersTest, TheTitleStaysAndNoRowIsCut) {
    for (const auto& [width, height] : {std::pair{1280, 800}, {1280, 720}, {1440, 900}}) {
        open(width, height, true);
        for (const char* tab : {"why", "code", "lesson"}) {
            for (const char* link : {"matrix-multiply", "transpose", "shared-tile", "global-stride"}) {
                const std::string where = fmt::format("{}?tab={}", link, tab);
                go(where);
                expect_whole(fmt::format("{} at {}", where, width));
            }
            const std::string board = fmt::format("transpose?board=traffic&tab={}", tab);
            go(board);
            expect_whole(board);
        }
    }
}

// A course or a demo takes most of the column.
TEST_F(NumbersTest, NorBesideACourseOrADemo) {
    for (const int height : {720, 800, 1080}) {
        open(1280, height, true);
        act(action::OpenCourse{"bank-conflicts"});
        if (!session().frame().counts_hidden) expect_whole(fmt::format("a course at {}", height));
        act(action::OpenDemo{"padding"});
        expect_whole(fmt::format("a demo at {}", height));
    }
}

}  // namespace
}  // namespace warplens::test::numbers_tests
