// The list of what would fix a setting, in a window without a screen.
#include "app/experiment/devices.h"
#include "app/window/frame.h"
#include "tests/app/window/headless_fixture.h"

namespace warplens::test::fixing_tests {
namespace {

class FixingTest : public HeadlessFixture {
protected:
    void SetUp() override {
        HeadlessFixture::SetUp();
        go("shared-tile?walk=column");
        rest();
    }
    void rest() {
        for (int i = 0; i < 12; ++i) frame();
    }
    const Fixes& fixes() { return *session().frame().fixes; }
};

}  // namespace

TEST_F(FixingTest, AnAnswerIsSetUpBesideWhatItFixes) {
    ASSERT_NE(session().frame().fixes, nullptr);
    press(GLFW_KEY_F);
    EXPECT_TRUE(view().fixes);
    ASSERT_TRUE(ui::items().contains("fixes.answer.1"));
    click("fixes.answer.0");
    EXPECT_FALSE(view().fixes);
    EXPECT_EQ(state().params.padding, 1);
    ASSERT_TRUE(state().compared);
    EXPECT_EQ(state().compared->params.padding, 0);
    EXPECT_NE(session().frame().other, nullptr);
    act(action::Do::undo);
    EXPECT_EQ(state().params.padding, 0);
    EXPECT_FALSE(state().compared);
}

TEST_F(FixingTest, WhatIsTriedNextNeedsNoComparison) {
    click("next");
    EXPECT_EQ(state().params.padding, 1);
    EXPECT_FALSE(state().compared);
}

TEST_F(FixingTest, WhatMayChangeIsChosen) {
    press(GLFW_KEY_F);
    click("fixes.knob.padding");
    rest();
    ASSERT_EQ(fixes().answers.size(), 1u);
    EXPECT_EQ(fixes().answers.front().change, "Swizzle bits 5");
    click("fixes.knob.padding");
    rest();
    click("fixes.also.walk.row");
    rest();
    EXPECT_EQ(fixes().answers.front().gain, "32 to 1 wavefronts a request");
    // What the setting does itself is no further access.
    follow("shared-tile?walk=row");
    rest();
    EXPECT_TRUE(fixes().words.good);
    press(GLFW_KEY_ESCAPE);
    EXPECT_FALSE(view().fixes);
}

TEST_F(FixingTest, AnswersOfAnotherSettingAreGone) {
    follow("shared-tile?walk=column&padding=2");
    EXPECT_EQ(session().frame().fixes, nullptr) << "nobody reads them while a knob is being turned";
    act(action::TakeFix{0});
    EXPECT_EQ(state().params.padding, 2);
    rest();
    EXPECT_NE(session().frame().fixes, nullptr);
    act(action::TakeFix{99});
    EXPECT_EQ(state().params.padding, 2);
}

// From the first frame on, while the search has not begun.
TEST_F(FixingTest, NoFixIsOfferedForWhatIsIdeal) {
    follow("shared-tile?walk=row");
    EXPECT_EQ(session().frame().fixes, nullptr);
    fresh_items();
    EXPECT_FALSE(shows("fixes.open"));
    rest();
    EXPECT_TRUE(fixes().words.good);
    fresh_items();
    EXPECT_FALSE(shows("fixes.open"));
    press(GLFW_KEY_F);
    click("fixes.also.walk.column");
    press(GLFW_KEY_ESCAPE);
    rest();
    fresh_items();
    click(shows("next") ? "menu" : "fixes.open");
    fresh_items();
    if (shows("fixes.menu")) click("fixes.menu");
    EXPECT_TRUE(view().fixes) << "together they are not ideal";
}

TEST_F(FixingTest, GuessesComeFirst) {
    act(action::PredictFirst{true});
    rest();
    act(action::Show{&View::fixes});
    frame();
    frame();
    EXPECT_TRUE(session().frame().counts_hidden);
    EXPECT_FALSE(ui::items().contains("fixes.answer.0") &&
                 ui::items().at("fixes.answer.0").frame == ImGui::GetFrameCount());
}

}  // namespace warplens::test::fixing_tests
