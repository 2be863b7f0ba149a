// The stand-in for a window: its windows share fonts, which must not be seen.
#include "tests/app/window/headless_window.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

namespace warplens::test::shared_fonts_tests {
namespace {

// Found by a long walk of the monkey: the fonts of the window before were gone before it was.
TEST(SharedFontsTest, LiveAsLongAsTheirWindow) {
    auto window = std::make_unique<HeadlessWindow>(640, 480);
    for (const float scale : {1.1f, 1.2f, 1.3f, 1.4f, 1.5f, 1.6f, 1.7f}) {
        window->set_user_scale(scale);
        window->run_frame([] {});
    }
    auto next = std::make_unique<HeadlessWindow>(640, 480);
    window = std::move(next);
    EXPECT_TRUE(window->run_frame([] {}));
    EXPECT_EQ(window->frames_drawn(), 1);
}

}  // namespace
}  // namespace warplens::test::shared_fonts_tests
