// What apply does with actions, in a window without a screen.
#include "tests/app/window/headless_fixture.h"

#include "app/boards/phases/knobs.h"

namespace warplens::test::apply_tests {

namespace {

using action::Do;

class ApplyTest : public test::HeadlessFixture {
protected:
    void rest() {
        for (int i = 0; i < 5; ++i) frame();
    }
};

}  // namespace

TEST_F(ApplyTest, OnlyAnActionWakesTheWindow) {
    rest();
    ASSERT_EQ(window_->frames_asked(), 0);
    apply(session(), {});
    EXPECT_EQ(window_->frames_asked(), 0);
    apply(session(), Do::toggle_theme);
    EXPECT_GT(window_->frames_asked(), 0);
}

TEST_F(ApplyTest, TheWindowSleepsWhileTheMouseRestsOnALane) {
    go("global-stride");
    const ui::ItemRect picture = ui::items().at("panel.picture");
    for (float y = 0.1f; y < 1 && view().hovered_lane < 0; y += 0.05f)
        point_at(picture.x + picture.w / 2, picture.y + picture.h * y);
    ASSERT_GE(view().hovered_lane, 0);
    rest();
    EXPECT_GE(view().hovered_lane, 0);
    EXPECT_EQ(window_->frames_asked(), 0);
    act(action::ShowBoard{find_board("roofline")});
    EXPECT_LT(view().hovered_lane, 0) << "a thread of one board is no lane of the next one";
}

TEST_F(ApplyTest, AChangeIsBroughtIntoRangeAndTakenBack) {
    rest();
    const State before = state();
    State wanted = before;
    wanted.boards.set(kPhasesStep, 1'000'000);
    wanted.second_axis = wanted.axis;
    act(action::Change{wanted});
    EXPECT_LE(state().boards[kPhasesStep], board_limit(kPhasesStep, state().boards));
    EXPECT_EQ(state().second_axis, nullptr) << "one parameter cannot be both axes";
    set(&State::cold, !before.cold);
    EXPECT_NE(state().cold, before.cold);
    act(Do::undo);
    EXPECT_EQ(state().cold, before.cold);
    act(Do::redo);
    EXPECT_NE(state().cold, before.cold);
}

// Aggregation puts two instructions before the one that adds to a bin.
TEST_F(ApplyTest, ThePicturedInstructionKeepsItsLabel) {
    go("atomic-histogram?memory=block&data=one&update=sum&instruction=2");
    const auto pictured = [&] { return state().scenario->instruction(state().params, view().focus).label; };
    ASSERT_EQ(pictured(), "add to bin");
    State wanted = state();
    wanted.params.aggregate = 1;
    act(action::Change{wanted});
    EXPECT_EQ(pictured(), "add to bin");
    act(Do::undo);
    EXPECT_EQ(pictured(), "add to bin");
}

TEST_F(ApplyTest, WhatHasNothingToDoChangesNothing) {
    rest();
    const State before = state();
    for (const Do what :
         {Do::undo, Do::redo, Do::swap_sides, Do::stop_measuring, Do::cancel_busy, Do::close_export,
          Do::leave_course, Do::set_up_step, Do::show_me, Do::next_question, Do::leave_quiz, Do::leave}) {
        act(what);
        EXPECT_EQ(state(), before) << static_cast<int>(what);
    }
    for (const Action& action :
         {Action(action::SetAsCell{7}), Action(action::SetAsPoint{7}), Action(action::LookAt{1}),
          Action(action::Answer{"7"}), Action(action::WriteAnswers{"answers.csv"})}) {
        act(action);
        EXPECT_EQ(state(), before) << action.index();
    }
}

}  // namespace warplens::test::apply_tests
