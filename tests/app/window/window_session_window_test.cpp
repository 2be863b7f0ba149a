// The whole window, driven from inside: what a person does to it, and that it sleeps when nobody does
// anything.
#include "app/boards/phases/knobs.h"
#include "app/experiment/devices.h"
#include "app/panels/shell.h"
#include "app/window/action.h"
#include "app/window/keys.h"

#include "tests/app/window/shell_fixture.h"
#include "tests/app/window/turn_knobs.h"
#include "tests/recordings.h"
#include "tests/with_folder.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

namespace warplens::test::window_session_window_tests {

namespace {

class SessionTest : public ShellFixture {
protected:
    void SetUp() override {
        auto opened = Window::open({.width = 1100, .height = 720});
        if (auto* why = std::get_if<Unavailable>(&opened)) GTEST_SKIP() << why->reason;
        window_ = std::move(std::get<std::unique_ptr<Window>>(opened));
        shell_ = fresh(plain_options());
    }
    void TearDown() override {
        shell_.reset();
        window_.reset();
    }
    Window& window() override { return *window_; }
    /// Another session for the same window.
    Shell at(const char* scenario) {
        WindowOptions options;
        options.cpu = true;
        const std::size_t device = find_device(devices_, kDefaultDevice).value();
        return {*window_, initial_state(*find_scenario(scenario), device), devices_, options};
    }

    std::unique_ptr<Window> window_;
};

}  // namespace

// It was awake all the time once: asking for the theme in every frame counted as an event.
TEST_F(SessionTest, SleepsWhenNothingHappens) {
    for (int i = 0; i < 20; ++i) frame();
    std::atomic<bool> woken = false;
    // Frames run on until the window falls asleep; then only this wakes it. If it never sleeps, the limit
    // ends the loop.
    std::thread alarm([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(1500));
        woken = true;
        window_->wake();
    });
    const long before = window_->frames_drawn();
    while (!woken && window_->frames_drawn() - before < 60)
        window_->run_frame([this] { shell_->show_frame(); });
    const long drawn = window_->frames_drawn() - before;
    alarm.join();
    EXPECT_LT(drawn, 20) << "the window does not sleep";
}

TEST_F(SessionTest, TakesChangesBackAndDoesThemAgain) {
    const Scenario& scenario = *find_scenario("global-stride");
    Params params = scenario.info->defaults;
    frame();
    for (const int stride : {3, 5}) {
        params.stride = stride;
        turn_knobs(session(), scenario, params);
        frame();
    }
    const auto stride = [&] { return session().frame().state->params.stride; };
    EXPECT_FALSE(session().frame().can_redo);
    act(action::Do::undo);
    EXPECT_EQ(stride(), 3);
    act(action::Do::undo);
    EXPECT_EQ(stride(), scenario.info->defaults.stride);
    EXPECT_FALSE(session().frame().can_undo);
    act(action::Do::redo);
    act(action::Do::redo);
    EXPECT_EQ(stride(), 5);
    EXPECT_FALSE(session().frame().can_redo);
}

TEST_F(SessionTest, ComesBackAsItWasLeft) {
    frame();
    Params params = find_scenario("transpose")->info->defaults;
    params.padding = 1;
    turn_knobs(session(), *find_scenario("transpose"), params);
    act(action::FollowLink{"global-stride?stride=7&board=roofline&tab=lesson&scope=grid"});
    const SavedState saved = read_state(write_state(session().saved()));

    Shell second = at("shared-tile");
    Session& again = second.session();
    again.restore(saved, true);
    EXPECT_EQ(again.frame().state->params.stride, 7);
    EXPECT_EQ(again.frame().state->board, find_board("roofline"));
    EXPECT_EQ(again.saved().tab, 2);
    EXPECT_EQ(again.saved().scope, 2);
    apply(again, action::FollowLink{"?board=access"});
    turn_knobs(again, *find_scenario("transpose"), params);
    EXPECT_EQ(again.frame().state->params.padding, 1);

    Shell third = at("shared-tile");
    Session& elsewhere = third.session();
    elsewhere.restore(saved, false);  // the command line named a place
    EXPECT_EQ(elsewhere.frame().state->scenario, find_scenario("shared-tile"));
    EXPECT_EQ(elsewhere.saved().tab, 2);
}

TEST_F(SessionTest, ALinkThatLeadsNowhereSaysSoAndChangesNothing) {
    frame();
    const State before = *session().frame().state;
    apply(session(), action::FollowLink{"global-stride?stride=100000"});
    EXPECT_EQ(*session().frame().state, before);
    EXPECT_NE(session().messages().last().text.find("takes"), std::string::npos)
        << session().messages().last().text;
}

class PhasesTest : public SessionTest {
protected:
    void SetUp() override {
        SessionTest::SetUp();
        if (IsSkipped()) return;
        act(action::FollowLink{"?board=phases&phases.matrix=4&phases.tile=1&phases.step=0"});
    }
    int step() { return session().frame().state->boards[kPhasesStep]; }
    void play() { apply(session(), action::Do::play_or_pause); }
    void show(int wanted) {
        State there = *session().frame().state;
        there.boards.set(kPhasesStep, wanted);
        apply(session(), action::Change{there});
    }
};

// Each step is one of few frames, and the window sleeps in between.
TEST_F(PhasesTest, PlaysStepByStepAndSleepsInBetween) {
    constexpr int kLast = 16;
    for (int i = 0; i < 10; ++i) frame();
    play();
    const long before = window_->frames_drawn();
    while (step() < 2 && window_->frames_drawn() - before < 200)
        window_->run_frame([this] { shell_->show_frame(); });
    EXPECT_EQ(step(), 2);
    EXPECT_LT(window_->frames_drawn() - before, 40) << "the window does not sleep between steps";
    EXPECT_TRUE(session().frame().playing);
    show(kLast - 1);
    while (session().frame().playing && window_->frames_drawn() - before < 200)
        window_->run_frame([this] { shell_->show_frame(); });
    EXPECT_EQ(step(), kLast) << "it stops at the end";
    play();
    EXPECT_EQ(step(), 0) << "and starts again from the beginning";
    act(action::ShowBoard{find_board("access")});
    EXPECT_FALSE(session().frame().playing) << "nobody sees it any more";
}

TEST_F(PhasesTest, StepsStayInRange) {
    show(-3);
    EXPECT_EQ(step(), 0);
    show(99);
    EXPECT_EQ(step(), 16);
    EXPECT_FALSE(session().frame().evidence->report.instructions.empty()) << "the scenario's evidence stays";
}

/// What the window system calls when files are dropped on the window.
void drop(const std::vector<std::string>& paths) {
    GLFWwindow* window = glfwGetCurrentContext();
    const GLFWdropfun entry = glfwSetDropCallback(window, nullptr);
    glfwSetDropCallback(window, entry);
    std::vector<const char*> names;
    for (const std::string& path : paths) names.push_back(path.c_str());
    entry(window, static_cast<int>(names.size()), names.data());
}

class DropTest : public SessionTest, protected WithFolder {
protected:
    std::size_t points() {
        std::size_t count = 0;
        for (const MeasuredSeries& series : session().frame().curve->series) count += series.points.size();
        return count;
    }
};

TEST_F(DropTest, DroppedRecordingsAreDrawnEachWithItsOwnLook) {
    frame();
    Recording a100 = test::sample_recording("2026-10-02T08:00:00Z");
    a100.gpu.name = "NVIDIA A100-SXM4-80GB";
    a100.gpu.cc_major = 8;
    drop({file("h200.json", write_recording(test::sample_recording())),
          file("a100.json", write_recording(a100))});
    frames_until_read();
    ASSERT_EQ(session().frame().curve->series.size(), 2u);
    EXPECT_EQ(points(), 64u);
    EXPECT_EQ(session().frame().curve->series[0].label, "NVIDIA H200, recorded 2026-11-21");
    EXPECT_EQ(session().frame().curve->series[1].label, "NVIDIA A100-SXM4-80GB, recorded 2026-10-02");
    EXPECT_NE(session().frame().curve->series[0].look, session().frame().curve->series[1].look);
    EXPECT_NE(session().messages().last().text.find("opened a100.json"), std::string::npos)
        << session().messages().last().text;
}

TEST_F(DropTest, WhateverElseIsDroppedTheWindowGoesOnAndSaysWhy) {
    frame();
    drop({file("good.json", write_recording(test::sample_recording()))});
    frames_until_read();
    const std::string bad[] = {file("picture.png", "\x89PNG\r\n"), file("empty.json", ""), folder_.string(),
                               (folder_ / "gone.json").string(),
                               file("cut.json", write_recording(test::sample_recording()).substr(0, 900))};
    for (const std::string& path : bad) {
        drop({path});
        frames_until_read();
        EXPECT_EQ(session().messages().last().text.find("cannot open '" + path + "'"), 0u)
            << session().messages().last().text;
        EXPECT_EQ(points(), 32u) << "what was open stays open";
    }
}

/// What the window system says of a key arrives as it is. What each key then does, window_keys_test.cpp
/// shows without a screen.
TEST_F(SessionTest, EveryKeyOfTheTableArrivesWithItsModifiers) {
    GLFWwindow* window = glfwGetCurrentContext();
    const GLFWkeyfun entry = glfwSetKeyCallback(window, nullptr);
    glfwSetKeyCallback(window, entry);
    for (const KeyBinding& binding : key_table()) {
        for (const KeyChord& chord : binding.chords) {
            const int key =
                chord.key != 0 ? chord.key : std::toupper(static_cast<unsigned char>(chord.printed));
            if (chord.printed == '+') continue;  // not a key of its own in every layout
            const int modifiers = (chord.ctrl ? GLFW_MOD_CONTROL : 0) | (chord.shift ? GLFW_MOD_SHIFT : 0);
            std::vector<KeyTap> taps;
            entry(window, key, glfwGetKeyScancode(key), GLFW_PRESS, modifiers);
            window_->keep_awake(1);
            window_->run_frame([&] { taps = window_->taps(); });
            entry(window, key, glfwGetKeyScancode(key), GLFW_RELEASE, modifiers);
            ASSERT_EQ(taps.size(), 1u) << binding.keys;
            EXPECT_EQ(taps[0].key, key) << binding.keys;
            EXPECT_EQ(taps[0].ctrl, chord.ctrl) << binding.keys;
            EXPECT_EQ(taps[0].shift, chord.shift) << binding.keys;
            EXPECT_FALSE(taps[0].repeat) << binding.keys;
        }
    }
}

}  // namespace warplens::test::window_session_window_tests
