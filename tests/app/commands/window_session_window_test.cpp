// The whole window, driven from inside: what a person does to it, and that it sleeps when nobody does
// anything.
#include "app/commands/window_session.h"
#include "app/devices.h"

#include "tests/random_params.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

using namespace warplens;

namespace {

class SessionTest : public ::testing::Test {
protected:
    void SetUp() override {
        auto opened = Window::open({.width = 1100, .height = 720});
        if (auto* why = std::get_if<Unavailable>(&opened)) GTEST_SKIP() << why->reason;
        window_ = std::move(std::get<std::unique_ptr<Window>>(opened));
        WindowOptions options;
        options.cpu = true;
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
