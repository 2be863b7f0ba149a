// A lecturer's demo in a window without a screen: made, saved, opened and played.
#include "app/experiment/link.h"
#include "tests/app/window/headless_fixture.h"
#include "tests/app/window/item_laws.h"
#include "tests/with_folder.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace warplens::test::demos_tests {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using What = action::EditDemo::What;

class DemosTest : public HeadlessFixture, protected WithFolder {
protected:
    void SetUp() override {
        HeadlessFixture::SetUp();
        frame();
    }
    const DemoRun& run() { return session().learning.demo; }
    std::string last_message() { return session().messages().last().text; }
    void drop(const std::string& file) {
        window_->drop(file);
        frames_until_read();
    }
    void edit(What what, std::size_t stop = 0, const std::string& text = {}) {
        act(action::EditDemo{what, stop, text});
    }
    const Demo& shipped() { return shipped_demos().front().demo; }
};

TEST_F(DemosTest, TheShippedOnePlaysFromStopToStopWithAClickersKeys) {
    act(action::OpenDemo{"padding"});
    for (std::size_t i = 0; i < shipped().stops.size(); ++i) {
        SCOPED_TRACE(i + 1);
        ASSERT_TRUE(run().playing());
        EXPECT_EQ(run().at(), i);
        const Place place = place_of(shipped().stops[i], 0, devices_);
        EXPECT_EQ(state(), place.state);
        if (place.instruction) {
            EXPECT_EQ(view().focus, *place.instruction);
        }
        fresh_items();
        EXPECT_TRUE(shows("demo.shown_note"));
        expect_items_in_place();
        press(GLFW_KEY_PAGE_DOWN);
    }
    EXPECT_TRUE(run().ended());
    EXPECT_THAT(last_message(), HasSubstr("this was the last stop of the demo 'Why padding"));
    press(GLFW_KEY_PAGE_UP);
    EXPECT_FALSE(run().ended());
    press(GLFW_KEY_PAGE_UP);
    EXPECT_EQ(run().at(), shipped().stops.size() - 2);
    EXPECT_EQ(state(), place_of(shipped().stops[run().at()], 0, devices_).state)
        << "nothing of the later stop is left";
}

TEST_F(DemosTest, InProjectorModeTheNoteIsHiddenUntilItsKeyShowsIt) {
    act(action::OpenDemo{"padding"});
    press(GLFW_KEY_P);
    fresh_items();
    EXPECT_FALSE(shows("demo.shown_note"));
    press(GLFW_KEY_RIGHT);
    press(GLFW_KEY_RIGHT);
    EXPECT_EQ(run().at(), 2u);
    EXPECT_EQ(state().player_step, 0);
    press(GLFW_KEY_LEFT);
    EXPECT_EQ(run().at(), 1u);
    press(GLFW_KEY_T);
    fresh_items();
    EXPECT_TRUE(shows("demo.shown_note"));
    expect_items_in_place();
    press(GLFW_KEY_T);
    fresh_items();
    EXPECT_FALSE(shows("demo.shown_note"));
    for (int i = 0; i < 20; ++i) press(GLFW_KEY_RIGHT);
    EXPECT_TRUE(run().ended());
    press(GLFW_KEY_ESCAPE);
    EXPECT_FALSE(view().projector);
    fresh_items();
    EXPECT_TRUE(shows("demo.shown_note")) << "at the desk it is there";
    click("demo.end");
    EXPECT_FALSE(run().playing());
    press(GLFW_KEY_T);
    EXPECT_EQ(last_message(), "no demo is playing");
}

/// The words of the second window.
std::string words_beside(HeadlessWindow& window) {
    std::string words;
    for (const Shape& shape : window.beside()->picture.shapes)
        if (const auto* label = std::get_if<Label>(&shape)) words += label->text + " ";
    return words;
}

TEST_F(DemosTest, InAWindowOfTheirOwnTheNotesAreNotBeforeTheClass) {
    press(GLFW_KEY_T, GLFW_MOD_SHIFT);
    frame();
    ASSERT_TRUE(window_->beside().has_value());
    EXPECT_THAT(words_beside(*window_), HasSubstr("No demo plays"));
    act(action::OpenDemo{"padding"});
    fresh_items();
    EXPECT_FALSE(shows("demo.shown_note"));
    EXPECT_THAT(words_beside(*window_), HasSubstr("Stop 1 of 10"));
    press(GLFW_KEY_F5);
    const int shown = window_->beside()->shown;
    for (int i = 0; i < 5; ++i) frame();
    EXPECT_EQ(window_->beside()->shown, shown) << "it is drawn anew only if something is new";
    press(GLFW_KEY_RIGHT);
    EXPECT_THAT(words_beside(*window_), HasSubstr("Stop 2 of 10"));
    fresh_items();
    EXPECT_FALSE(shows("demo.shown_note"));
    press(GLFW_KEY_ESCAPE);
    fresh_items();
    EXPECT_FALSE(shows("demo.shown_note")) << "they are still in the other window";
    window_->beside()->closed = true;
    frame();
    fresh_items();
    EXPECT_FALSE(window_->beside().has_value());
    EXPECT_FALSE(view().notes_window);
    EXPECT_TRUE(shows("demo.shown_note")) << "at the desk it is there again";
    press(GLFW_KEY_T, GLFW_MOD_SHIFT);
    frame();
    press(GLFW_KEY_T, GLFW_MOD_SHIFT);
    frame();
    EXPECT_FALSE(window_->beside().has_value()) << "its key closes it, too";
}

TEST_F(DemosTest, AComparisonBeforeAClassShowsWhatDiffers) {
    go("transpose?variant=padded&compare=variant%3Dtile&instruction=all");
    press(GLFW_KEY_P);
    EXPECT_EQ(view().focus, 2) << "32 wavefronts in A, 1 in B";
}

TEST_F(DemosTest, WhatIsNotSavedIsThereAtTheNextStart) {
    edit(What::record);
    edit(What::note, 0, "Say this\nand that");
    const Demo made = run().demo();
    const SavedState kept = read_state(write_state(session().saved()));
    EXPECT_EQ(kept, session().saved());
    act(action::SaveDemo{path("talk.json")});
    EXPECT_TRUE(session().saved().unsaved_demo.stops.empty()) << "what is in a file is not kept twice";
    edit(What::begin_anew);
    session().restore(kept, true);
    EXPECT_EQ(run().demo(), made);
    EXPECT_TRUE(run().changed());
    EXPECT_FALSE(run().playing());
    EXPECT_THAT(last_message(), HasSubstr("not saved is here again"));
    SavedState strange = kept;
    strange.unsaved_demo.stops.front().link = "nowhere";
    edit(What::begin_anew);
    session().restore(strange, true);
    EXPECT_TRUE(run().demo().stops.empty());
    EXPECT_THAT(last_message(), HasSubstr("is given up: the link of stop 1 leads nowhere"));
}

TEST_F(DemosTest, WhatIsRecordedIsShownAgain) {
    go("transpose?variant=padded&matrix=512&board=traffic");
    press(GLFW_KEY_D, GLFW_MOD_SHIFT);
    const State first = state();
    go("shared-stride?stride=4&wavefront=1&compare=stride%3D1&device=A100");
    const State second = state();
    edit(What::record);
    go("transpose?instruction=2&scope=grid");
    edit(What::record);
    ASSERT_EQ(run().demo().stops.size(), 3u);
    go("global-stride?cold-l2=1");
    act(action::PlayDemo{0});
    EXPECT_EQ(state(), first);
    press(GLFW_KEY_PAGE_DOWN);
    EXPECT_EQ(state(), second);
    press(GLFW_KEY_PAGE_DOWN);
    EXPECT_EQ(view().focus, 2);
    EXPECT_EQ(view().scope, 2);
}

TEST_F(DemosTest, IsMadeInItsMenuSavedAndOpenedAgain) {
    go("transpose");
    press(GLFW_KEY_D);
    fresh_items();
    frame();
    click("demo.record");
    set(&State::cold, true);
    frame();
    press(GLFW_KEY_D);
    fresh_items();
    frame();
    click("demo.record");
    ASSERT_EQ(run().demo().stops.size(), 2u);
    EXPECT_EQ(view().demo_stop, 1u) << "the new one is chosen";
    fresh_items();
    click("demo.note");
    type("Say this");
    frame();
    EXPECT_EQ(run().demo().stops[1].note, "Say this");
    click("demo.title");
    type("Talk");
    frame();
    EXPECT_EQ(run().demo().title, "Talk");
    fresh_items();
    click("demo.up");
    EXPECT_EQ(run().demo().stops[0].note, "Say this");
    EXPECT_EQ(view().demo_stop, 0u);
    act(action::SaveDemo{path("talk.json")});
    EXPECT_FALSE(run().changed());
    const Demo saved = run().demo();
    edit(What::remove, 0);
    edit(What::begin_anew);
    EXPECT_TRUE(run().demo().stops.empty());
    drop(path("talk.json"));
    EXPECT_EQ(run().demo(), saved) << last_message();
    EXPECT_TRUE(run().playing());
    EXPECT_TRUE(state().cold);
    EXPECT_THAT(last_message(), HasSubstr("opened talk.json: Talk"));
    set(&State::cold, false);
    edit(What::set_again, 0);
    act(action::PlayDemo{0});
    EXPECT_FALSE(state().cold);
}

TEST_F(DemosTest, WhatIsNotSavedIsNotReplaced) {
    edit(What::record);
    drop(file("other.json", write_demo(shipped())));
    EXPECT_THAT(last_message(), HasSubstr("changes that are not saved"));
    EXPECT_EQ(run().demo().stops.size(), 1u);
    const std::string other = file("mine.json", "precious");
    act(action::SaveDemo{other});
    EXPECT_THAT(last_message(), HasSubstr("is there already"));
    EXPECT_TRUE(run().changed());
    act(action::SaveDemo{other});
    EXPECT_FALSE(run().changed());
    act(action::SaveDemo{""});
    EXPECT_THAT(last_message(), HasSubstr("expected the name of a file"));
}

TEST_F(DemosTest, AWindowThatKeepsNothingDoesNotLoseADemoWithoutAWord) {
    edit(What::record);
    window_->ask_to_close();
    frame();
    EXPECT_TRUE(window_->is_open());
    EXPECT_THAT(last_message(), HasSubstr("the demo is not saved"));
    fresh_items();
    EXPECT_TRUE(shows("demo.save"));
    edit(What::note, 0, "more to lose");
    act(action::Do::quit);
    EXPECT_TRUE(window_->is_open()) << "it is said anew after a change";
    act(action::SaveDemo{path("talk.json")});
    act(action::Do::quit);
    EXPECT_FALSE(window_->is_open());
}

TEST_F(DemosTest, ClosingTwiceLosesTheDemo) {
    edit(What::record);
    act(action::Do::quit);
    window_->ask_to_close();
    frame();
    EXPECT_FALSE(window_->is_open());
}

TEST_F(DemosTest, ADamagedFileGetsOneSentence) {
    const std::string whole = write_demo(shipped());
    const State before = state();
    for (const auto& [text, said] :
         {std::pair{whole.substr(0, 700), "ends too early"},
          {std::string(R"({"format":"warplens demo","version":1,"title":"t","stops":[]})"),
           "demo without stops"},
          {std::string(R"({"format":"warplens demo","version":1,"title":"t","stops":[{"link":"nowhere"}]})"),
           "the link of stop 1 leads nowhere"},
          {std::string(R"({"format":"warplens demo","version":1,"title":"t","stops":7})"),
           "stops: expected a list"}}) {
        drop(file("d.json", text));
        EXPECT_THAT(last_message(), HasSubstr(said));
        EXPECT_THAT(last_message(), HasSubstr("cannot open"));
        EXPECT_FALSE(run().playing());
    }
    EXPECT_EQ(state(), before);
}

TEST_F(DemosTest, ACourseAndADemoTakeTurns) {
    act(action::OpenDemo{"padding"});
    act(action::OpenCourse{courses().front().id});
    EXPECT_FALSE(run().playing());
    EXPECT_NE(session().learning.course(), nullptr);
    act(action::PlayDemo{1});
    EXPECT_EQ(session().learning.course(), nullptr);
    EXPECT_EQ(run().at(), 1u);
}

TEST_F(DemosTest, ItsMenuLiesInTheWindowAtEverySize) {
    act(action::OpenDemo{"padding"});
    for (const auto& [width, height] : {std::pair{640, 600}, {1024, 768}, {1920, 1080}}) {
        SCOPED_TRACE(width);
        open(width, height);
        frame();
        act(action::OpenDemo{"padding"});
        press(GLFW_KEY_D);
        for (int i = 0; i < 3; ++i) frame();
        fresh_items();
        frame();
        for (const auto& [name, item] : ui::items())
            if (name.starts_with("demo.")) expect_inside(name, item);
        EXPECT_TRUE(shows("demo.save"));
    }
}

}  // namespace
}  // namespace warplens::test::demos_tests
