// The whole window, driven from inside: what a person does to it, and that it sleeps when nobody does
// anything.
#include "app/boards/phases/knobs.h"
#include "app/experiment/devices.h"
#include "app/window/window_session.h"

#include "tests/random_params.h"
#include "tests/recordings.h"

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

class SessionTest : public ::testing::Test {
protected:
    void SetUp() override {
        auto opened = Window::open({.width = 1100, .height = 720});
        if (auto* why = std::get_if<Unavailable>(&opened)) GTEST_SKIP() << why->reason;
        window_ = std::move(std::get<std::unique_ptr<Window>>(opened));
        WindowOptions options;
        options.cpu = true;
        options.shipped_recordings = false;
        session_ = std::make_unique<WindowSession>(*window_, initial_state(all_scenarios().front(), device()),
                                                   devices_, options);
    }
    void TearDown() override {
        session_.reset();
        window_.reset();
    }
    std::size_t device() const { return find_device(devices_, kDefaultDevice).value(); }
    void frame() {
        window_->keep_awake(1);
        window_->run_frame([this] { session_->show_frame(); });
    }
    void act(const Action& action) {
        apply(*session_, action);
        frame();
    }

    std::vector<DeviceFacts> devices_ = device_table();
    std::unique_ptr<Window> window_;
    std::unique_ptr<WindowSession> session_;
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
        window_->run_frame([this] { session_->show_frame(); });
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
        session_->turn_knobs(scenario, params);
        frame();
    }
    const auto stride = [&] { return session_->frame().state->params.stride; };
    EXPECT_FALSE(session_->frame().can_redo);
    act(action::Do::undo);
    EXPECT_EQ(stride(), 3);
    act(action::Do::undo);
    EXPECT_EQ(stride(), scenario.info->defaults.stride);
    EXPECT_FALSE(session_->frame().can_undo);
    act(action::Do::redo);
    act(action::Do::redo);
    EXPECT_EQ(stride(), 5);
    EXPECT_FALSE(session_->frame().can_redo);
}

TEST_F(SessionTest, ComesBackAsItWasLeft) {
    frame();
    Params params = find_scenario("transpose")->info->defaults;
    params.padding = 1;
    session_->turn_knobs(*find_scenario("transpose"), params);
    act(action::FollowLink{"global-stride?stride=7&board=roofline&tab=lesson&scope=grid"});
    const SavedState saved = read_state(write_state(session_->saved()));

    WindowOptions options;
    options.cpu = true;
    WindowSession again(*window_, initial_state(*find_scenario("shared-tile"), device()), devices_, options);
    again.restore(saved, true);
    EXPECT_EQ(again.frame().state->params.stride, 7);
    EXPECT_EQ(again.frame().state->board, find_board("roofline"));
    EXPECT_EQ(again.saved().tab, 2);
    EXPECT_EQ(again.saved().scope, 2);
    apply(again, action::FollowLink{"?board=access"});
    again.turn_knobs(*find_scenario("transpose"), params);
    EXPECT_EQ(again.frame().state->params.padding, 1);

    WindowSession elsewhere(*window_, initial_state(*find_scenario("shared-tile"), device()), devices_,
                            options);
    elsewhere.restore(saved, false);  // the command line named a place
    EXPECT_EQ(elsewhere.frame().state->scenario, find_scenario("shared-tile"));
    EXPECT_EQ(elsewhere.saved().tab, 2);
}

TEST_F(SessionTest, ALinkThatLeadsNowhereSaysSoAndChangesNothing) {
    frame();
    const State before = *session_->frame().state;
    apply(*session_, action::FollowLink{"global-stride?stride=100000"});
    EXPECT_EQ(*session_->frame().state, before);
    EXPECT_NE(session_->message().find("takes"), std::string::npos) << session_->message();
}

class PhasesTest : public SessionTest {
protected:
    void SetUp() override {
        SessionTest::SetUp();
        if (IsSkipped()) return;
        act(action::FollowLink{"?board=phases&phases.matrix=4&phases.tile=1&phases.step=0"});
    }
    int step() const { return session_->frame().state->boards[kPhasesStep]; }
    void play() { apply(*session_, action::Do::play_or_pause); }
    void show(int wanted) {
        State there = *session_->frame().state;
        there.boards.set(kPhasesStep, wanted);
        apply(*session_, action::Change{there});
    }
};

// Each step is one of few frames, and the window sleeps in between.
TEST_F(PhasesTest, PlaysStepByStepAndSleepsInBetween) {
    constexpr int kLast = 16;
    for (int i = 0; i < 10; ++i) frame();
    play();
    const long before = window_->frames_drawn();
    while (step() < 2 && window_->frames_drawn() - before < 200)
        window_->run_frame([this] { session_->show_frame(); });
    EXPECT_EQ(step(), 2);
    EXPECT_LT(window_->frames_drawn() - before, 40) << "the window does not sleep between steps";
    EXPECT_TRUE(session_->frame().playing);
    show(kLast - 1);
    while (session_->frame().playing && window_->frames_drawn() - before < 200)
        window_->run_frame([this] { session_->show_frame(); });
    EXPECT_EQ(step(), kLast) << "it stops at the end";
    play();
    EXPECT_EQ(step(), 0) << "and starts again from the beginning";
    act(action::ShowBoard{find_board("access")});
    EXPECT_FALSE(session_->frame().playing) << "nobody sees it any more";
}

TEST_F(PhasesTest, StepsStayInRange) {
    show(-3);
    EXPECT_EQ(step(), 0);
    show(99);
    EXPECT_EQ(step(), 16);
    EXPECT_FALSE(session_->frame().evidence->report.instructions.empty()) << "the scenario's evidence stays";
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

class DropTest : public SessionTest {
protected:
    DropTest() { std::filesystem::create_directories(folder_); }
    ~DropTest() override { std::filesystem::remove_all(folder_); }
    std::string file(const char* name, const std::string& text) const {
        std::ofstream(folder_ / name) << text;
        return (folder_ / name).string();
    }
    std::size_t points() const {
        std::size_t count = 0;
        for (const MeasuredSeries& series : session_->curve().series) count += series.points.size();
        return count;
    }
    std::filesystem::path folder_ =
        std::filesystem::path(testing::TempDir()) /
        (std::string("warplens_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(DropTest, DroppedRecordingsAreDrawnEachWithItsOwnLook) {
    frame();
    Recording a100 = test::sample_recording("2026-10-02T08:00:00Z");
    a100.gpu.name = "NVIDIA A100-SXM4-80GB";
    a100.gpu.cc_major = 8;
    drop({file("h200.json", write_recording(test::sample_recording())),
          file("a100.json", write_recording(a100))});
    frame();
    ASSERT_EQ(session_->curve().series.size(), 2u);
    EXPECT_EQ(points(), 64u);
    EXPECT_EQ(session_->curve().series[0].label, "NVIDIA H200, recorded 2026-11-21");
    EXPECT_EQ(session_->curve().series[1].label, "NVIDIA A100-SXM4-80GB, recorded 2026-10-02");
    EXPECT_NE(session_->curve().series[0].look, session_->curve().series[1].look);
    EXPECT_NE(session_->message().find("opened a100.json"), std::string::npos) << session_->message();
}

TEST_F(DropTest, WhateverElseIsDroppedTheWindowGoesOnAndSaysWhy) {
    frame();
    drop({file("good.json", write_recording(test::sample_recording()))});
    frame();
    const std::string bad[] = {file("picture.png", "\x89PNG\r\n"), file("empty.json", ""), folder_.string(),
                               (folder_ / "gone.json").string(),
                               file("cut.json", write_recording(test::sample_recording()).substr(0, 900))};
    for (const std::string& path : bad) {
        drop({path});
        frame();
        EXPECT_EQ(session_->message().find("cannot open '" + path + "'"), 0u) << session_->message();
        EXPECT_EQ(points(), 32u) << "what was open stays open";
    }
}

TEST_F(SessionTest, SurvivesRandomSettingsOfEveryScenario) {
    std::mt19937 random(11);
    for (const Scenario& scenario : all_scenarios()) {
        for (int i = 0; i < 40; ++i) {
            session_->turn_knobs(scenario, test::random_params(scenario, random));
            frame();
        }
    }
    EXPECT_GT(window_->frames_drawn(), 100);
}

}  // namespace warplens::test::window_session_window_tests
