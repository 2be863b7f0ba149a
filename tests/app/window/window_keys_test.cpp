// The keyboard: each key of the table does what it says, and tooltips and the page of keys say the same.
#include "tests/app/window/headless_fixture.h"

#include "app/boards/phases/knobs.h"
#include "app/gl/tab_walk.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <variant>

namespace warplens::test::window_keys_tests {

namespace {

using action::Do;

class KeysTest : public test::HeadlessFixture {
protected:
    /// Everything that a key could change, as text.
    std::string everything() {
        const State& s = state();
        const View& v = view();
        return fmt::format(
            "{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}",
            s.scenario->info->id, describe_settings(*s.scenario, s.params), s.board->key, s.player_step,
            s.boards[kPhasesStep], session().frame().playing, v.projector, v.black, v.tab,
            static_cast<int>(v.side), shows("quiz.seed"), v.recordings || shows("recordings.path"),
            v.messages, v.help, static_cast<int>(v.look.theme), window_->user_scale(),
            window_->is_full_screen(), session().frame().can_redo, v.tour, s.compared.has_value(),
            session().frame().exporting != nullptr, v.start_page, v.finder, v.fixes, shows("demo.title"),
            session().learning.demo.demo().stops.size(), s.bits, v.requests, v.notes_window,
            shows("picture.menu.copy"), session().messages().last().repeats, session().messages().last().text,
            session().learning.course() != nullptr ? session().learning.step_index() : -1);
    }
    void type(const KeyChord& chord) {
        const int modifiers = (chord.ctrl ? GLFW_MOD_CONTROL : 0) | (chord.shift ? GLFW_MOD_SHIFT : 0);
        press(chord.key != 0 ? chord.key : std::toupper(static_cast<unsigned char>(chord.printed)),
              modifiers);
    }
    /// A place where this key has something to do.
    void prepare(const KeyBinding& binding, const Action& action) {
        if (view().projector) press(GLFW_KEY_P);
        if (session().learning.course() != nullptr) act(Do::leave_course);
        if (view().help || view().messages || view().recordings) press(GLFW_KEY_ESCAPE);
        for (int i = 0; i < 2; ++i) press(GLFW_KEY_ESCAPE);  // popups that ImGui closes
        if (window_->is_full_screen()) press(GLFW_KEY_F11);
        window_->set_user_scale(1);
        point_at(2, 2);
        go("shared-stride?stride=5&board=access&tab=why");
        go("shared-stride?stride=4&compare=none");
        if (action == Action(Do::compare) || action == Action(Do::swap_sides)) {
            press(GLFW_KEY_B);
            go("shared-stride?stride=7");
        }
        if (action == Action(Do::play_or_pause)) go("?board=phases");
        if (action == Action(Do::quit)) act(action::EditDemo{action::EditDemo::What::begin_anew});
        if (action == Action(Do::scale_reset)) window_->set_user_scale(1.5f);
        if (action == Action(Do::leave) || binding.when == When::projector) press(GLFW_KEY_P);
        if (action == Action(Do::redo)) press(GLFW_KEY_Z, GLFW_MOD_CONTROL);
        if (binding.when == When::tour) act(action::set(&View::tour, 1));
        if (binding.when == When::course) {
            act(action::OpenCourse{courses().front().id});
            act(action::GoToStep{1});
        }
        if (binding.when == When::export_dialog) act(Do::open_export);
        if (std::holds_alternative<action::ShowBoard>(action)) go("?board=claims");
        if (std::holds_alternative<action::ShowTab>(action)) go("?tab=lesson");
        if (const auto* next = std::get_if<action::Next>(&action); next != nullptr) {
            using What = action::Next::What;
            if (next->what == What::section) window_->set_user_scale(1.6f);
            if (next->what == What::scenario || next->what == What::stop) go("shared-tile");
            if (next->what == What::wavefront) press(GLFW_KEY_PERIOD);
        }
        fresh_items();
        if (action == Action(Do::reset_knob)) {
            const ui::ItemRect knob = ui::items().at("knob.stride");
            point_at(knob.x + knob.w / 2, knob.y + knob.h / 2);
        }
        fresh_items();
    }
    /// Whether a chord can be tried here and would show.
    static bool can_try(const KeyChord& chord) {
        const bool other_layout = chord.printed == '+';  // it has no key of its own here
        const bool there_already = chord.action == Action(action::ShowTab{2}) ||
                                   chord.action == Action(action::ShowBoard{find_board("claims")});
        const bool writes_a_file = chord.action == Action(Do::start_export);
        return !other_layout && !there_already && !writes_a_file;
    }
};

}  // namespace

TEST_F(KeysTest, EachKeyOfTheTableDoesSomething) {
    frame();
    for (const KeyBinding& binding : key_table()) {
        if (binding.when == When::by_controls) continue;  // below
        if (binding.when == When::editing) continue;      // typing_test.cpp
        for (std::size_t i = 0; i < binding.chords.size(); ++i) {
            const KeyChord& chord = binding.chords[i];
            if (!can_try(chord)) continue;
            prepare(binding, chord.action);
            const std::string before = everything();
            const long drawn = window_->frames_drawn();
            type(chord);
            if (chord.action == Action(Do::quit)) {  // the last one
                EXPECT_LE(window_->frames_drawn(), drawn + 1) << "the window is closed";
                return;
            }
            frame();
            frames_until([this] { return !session().typing.reading(); });  // a new kernel, on a thread
            EXPECT_NE(everything(), before) << binding.keys << ", " << i;
        }
    }
}

// Keys that ImGui reads: arrows walk, space presses.
TEST_F(KeysTest, ArrowsAndSpaceReachAControl) {
    frame();
    go("shared-stride");
    fresh_items();
    const int before = state().params.stride;
    bool changed = false;
    press(GLFW_KEY_TAB);
    for (int i = 0; i < 60 && !changed; ++i) {
        press(GLFW_KEY_DOWN);
        press(GLFW_KEY_SPACE);
        press(GLFW_KEY_RIGHT);
        press(GLFW_KEY_SPACE);
        changed = state().params.stride != before || state().board != find_board("access") ||
                  state().scenario->info->id != "shared-stride";
    }
    EXPECT_TRUE(changed) << "nothing was reached by keys alone";
}

TEST_F(KeysTest, EnterPressesTheControlWithTheFrame) {
    frame();
    go("shared-stride?tab=why");
    fresh_items();
    for (int i = 0; i < 200 && ui::walked_to() != "tab.Lesson"; ++i) press(GLFW_KEY_TAB);
    ASSERT_EQ(ui::walked_to(), "tab.Lesson");
    press(GLFW_KEY_ENTER);
    EXPECT_EQ(view().tab, 2);
}

TEST_F(KeysTest, AListThatAKeyOpensBeginsAtTheChosenEntry) {
    frame();
    go("transpose?variant=padded");
    fresh_items();
    for (int i = 0; i < 200 && ui::walked_to() != "knob.variant"; ++i) press(GLFW_KEY_TAB);
    press(GLFW_KEY_SPACE);
    frame();
    EXPECT_EQ(ui::walked_to(), "knob.variant.padded");
}

TEST_F(KeysTest, TheMenuOfThePictureExplainsALane) {
    frame();
    go("shared-stride?stride=4");
    point_at(2, 2);
    press(GLFW_KEY_MENU);
    frame();
    click("picture.menu.lane");
    point_at(2, 2);
    EXPECT_EQ(view().hovered_lane, 0) << "although no mouse is over it";
    press(GLFW_KEY_F10, GLFW_MOD_SHIFT);
    frame();
    click("picture.menu.lane");
    point_at(2, 2);
    EXPECT_EQ(view().hovered_lane, 1);
    press(GLFW_KEY_MENU);
    frame();
    click("picture.menu.no_lane");
    point_at(2, 2);
    EXPECT_EQ(view().hovered_lane, -1);
}

TEST_F(KeysTest, TheFocusIsSeenAndDeleteResetsItsKnob) {
    frame();
    go("shared-stride?stride=4");
    point_at(2, 2);
    fresh_items();
    press(GLFW_KEY_DELETE);
    EXPECT_EQ(state().params.stride, 4) << "no parameter has the focus, and none is under the mouse";
    const ui::ItemRect knob = ui::items().at("knob.stride");
    point_at(knob.x + knob.w / 2, knob.y + knob.h / 2);
    press(GLFW_KEY_DELETE);
    EXPECT_EQ(state().params.stride, find_scenario("shared-stride")->info->defaults.stride);
    press(GLFW_KEY_Z, GLFW_MOD_CONTROL);
    EXPECT_EQ(state().params.stride, 4) << "and it can be taken back";
}

TEST_F(KeysTest, ThePageOfKeysShowsEveryKeyWithoutScrollingAt1280By720) {
    open(1280, 720);
    frame();
    press(GLFW_KEY_F1);
    fresh_items();
    for (const KeyBinding& binding : key_table()) {
        const auto item = ui::items().find(fmt::format("key.{}", binding.keys));
        ASSERT_NE(item, ui::items().end()) << binding.keys;
        const ui::ItemRect& r = item->second;
        EXPECT_FALSE(r.scrolls);
        EXPECT_GE(r.bottom, r.y + r.h - 1) << binding.keys << " is cut off";
        EXPECT_GE(r.right, r.x + r.w - 1) << binding.keys << " is cut off";
        const ui::ItemRect& meaning = ui::items().at(fmt::format("meaning.{}", binding.keys));
        EXPECT_LE(r.x + r.w, meaning.x + 1) << binding.keys << " runs into its meaning";
    }
    press(GLFW_KEY_ESCAPE);
    EXPECT_FALSE(view().help);
}

TEST_F(KeysTest, InTheWordsOfTheHelpNothingIsLost) {
    frame();
    press(GLFW_KEY_F1);
    fresh_items();
    click("help.Words");
    fresh_items();
    EXPECT_EQ(view().help_page, HelpPage::words);
    EXPECT_FALSE(shows("key.F5"));
    click("help.tour");
    EXPECT_EQ(view().tour, 0);
    EXPECT_FALSE(view().help);
}

}  // namespace warplens::test::window_keys_tests
