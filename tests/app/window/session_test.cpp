// A session as such, in a window without a screen: what it makes how often, and that its evidence is always
// that of what is set.
#include "app/window/frame.h"
#include "tests/app/window/headless_fixture.h"
#include "tests/app/window/turn_knobs.h"
#include "tests/random_params.h"
#include "tests/sample.h"

#include <random>

namespace warplens::test::session_tests {

namespace {

class SessionTest : public HeadlessFixture {
protected:
    std::size_t made() { return session().store.made(); }
    void rest() {
        for (int i = 0; i < 10; ++i) frame();
    }
};

}  // namespace

TEST_F(SessionTest, HasEvidenceBeforeAnythingIsDrawn) {
    const Frame& frame = session().frame();
    EXPECT_FALSE(frame.evidence->predicted.empty());
    EXPECT_EQ(frame.evidence->setting, static_cast<const Setting&>(*frame.state));
    EXPECT_EQ(session().store.made<EvidenceKey>(), 1u);
}

TEST_F(SessionTest, SixtyIdleFramesMakeNothingAnew) {
    for (const BoardInfo* board : all_boards()) {
        act(action::ShowBoard{board});
        rest();
        const std::size_t before = made();
        for (int i = 0; i < 60; ++i) frame();
        EXPECT_EQ(made(), before) << board->key;
    }
}

TEST_F(SessionTest, TheModelIsAskedOncePerSetting) {
    std::mt19937 random(3);
    rest();
    for (const Scenario& scenario : all_scenarios()) {
        for (int i = 0; i < 3; ++i) {
            turn_knobs(session(), scenario, random_params(scenario, random));
            const std::size_t gathered = session().store.made<EvidenceKey>();
            const Frame& now = session().frame();
            EXPECT_EQ(now.evidence->setting, static_cast<const Setting&>(state())) << scenario.info->id;
            EXPECT_LE(session().store.made<EvidenceKey>(), gathered + 1) << scenario.info->id;
        }
    }
    const std::size_t gathered = session().store.made<EvidenceKey>();
    for (const BoardInfo* board : all_boards()) act(action::ShowBoard{board});
    act(action::Do::toggle_theme);
    act(action::set(&View::scope, 2));
    act(action::Hover{3, 0});
    EXPECT_EQ(session().store.made<EvidenceKey>(), gathered) << "a look asks the model nothing";
}

TEST_F(SessionTest, TheKnobsOfBoardsAskTheModelNothing) {
    go("transpose");
    for (const BoardInfo* board : all_boards()) {
        act(action::ShowBoard{board});
        rest();
        const std::size_t gathered = session().store.made<EvidenceKey>();
        for (const BoardKnob* knob : board->knobs) {
            State to = state();
            to.boards.set(*knob, to.boards[*knob] == knob->min ? knob->max : knob->min);
            act(action::Change{to});
        }
        EXPECT_EQ(session().store.made<EvidenceKey>(), gathered) << board->key;
    }
}

TEST_F(SessionTest, HoveringMakesNothing) {
    rest();
    const std::size_t before = made();
    apply(session(), action::Hover{5, 0});
    EXPECT_EQ(view().hovered_lane, 5);
    frame();
    EXPECT_EQ(view().hovered_lane, -1) << "the mouse is elsewhere";
    EXPECT_EQ(made(), before);
}

// The step of a drag is recorded when the mouse lets go, after the last change: the frame has to follow.
TEST_F(SessionTest, ADragCanBeUndoneAsSoonAsItEnds) {
    go("global-stride");
    ASSERT_FALSE(session().frame().can_undo);
    const ui::ItemRect slider = ui::items().at("knob.stride");
    const int before = state().params.stride;
    point_at(slider.x + slider.w * 0.1f, slider.y + slider.h / 2);
    window_->button(true);
    frame();
    point_at(slider.x + slider.w * 0.6f, slider.y + slider.h / 2);
    ASSERT_NE(state().params.stride, before);
    EXPECT_FALSE(session().frame().can_undo) << "the drag goes on";
    window_->button(false);
    frame();
    frame();
    EXPECT_TRUE(session().frame().can_undo);
    act(action::Do::undo);
    EXPECT_EQ(state().params.stride, before);
    EXPECT_TRUE(session().frame().can_redo);
}

TEST_F(SessionTest, AComparisonAsksForItsSecondSettingOnce) {
    act(action::Do::compare);
    const std::size_t gathered = session().store.made<EvidenceKey>();
    Params params = state().params;
    params.stride = 17;
    turn_knobs(session(), *state().scenario, params);
    const Frame& frame = session().frame();
    ASSERT_NE(frame.other, nullptr);
    EXPECT_EQ(session().store.made<EvidenceKey>(), gathered + 1) << "A is known already";
    EXPECT_EQ(frame.other->evidence->setting, *state().compared);
}

TEST(Sections, AWiderWindowHasNoFewerColumns) {
    int columns = 1;
    for (float width = 200; width < 2000; width += 1) {
        const LayoutMode mode = layout_mode(width);
        const int now = mode == LayoutMode::three ? 3 : mode == LayoutMode::two ? 2 : 1;
        EXPECT_GE(now, columns) << width;
        columns = now;
    }
    EXPECT_EQ(columns, 3);
}

TEST(Sections, OneFurtherGoesRoundAllAndBackAgain) {
    for (const BoardInfo* board : all_boards()) {
        for (const bool card : {false, true}) {
            View view;
            view.section = Section::set;
            const std::vector<Section> all = switched_sections(LayoutMode::one, *board, card);
            for (std::size_t i = 1; i <= all.size(); ++i) {
                next_section(view, LayoutMode::one, *board, card, 1);
                EXPECT_EQ(view.section, all[i % all.size()]) << board->key;
            }
            next_section(view, LayoutMode::one, *board, card, -1);
            EXPECT_EQ(view.section, all.back()) << board->key;
        }
    }
}

// What is pointed at in a board's picture may be a thread of a block, and the numbers are drawn beside it.
TEST_F(SessionTest, ALaneThatNoWarpHasIsNone) {
    go("transpose");
    for (const int lane : {31, 32, 40, 255}) {
        apply(session(), action::Hover{lane, 0});
        frame();
        EXPECT_EQ(view().hovered_lane, -1) << "the mouse is elsewhere";
    }
}

// A setting may have fewer instructions than the one before, and a link may name one that there is not.
TEST_F(SessionTest, TheFocusIsAlwaysOnAnInstructionThatThereIs) {
    for (const bool projector : {false, true}) {
        for (const Scenario& scenario : all_scenarios()) {
            go(std::string(scenario.info->id));
            act(action::Do::compare);
            act(action::Focus{7});
            EXPECT_LT(view().focus, scenario.instruction_count(state().params)) << scenario.info->id;
            act(action::Do::compare);
        }
        if (!projector) act(action::Do::projector);
    }
}

TEST_F(SessionTest, SurvivesRandomSettingsOfEveryScenario) {
    std::mt19937 random(11);
    for (const Scenario& scenario : all_scenarios()) {
        for (int i = 0; i < (all_cases() ? 400 : 40); ++i) {
            turn_knobs(session(), scenario, random_params(scenario, random));
            frame();
        }
    }
    EXPECT_GT(window_->frames_drawn(), 100);
    EXPECT_GT(window_->corners(), 100) << "something is painted";
}

}  // namespace warplens::test::session_tests
