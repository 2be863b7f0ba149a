#pragma once

#include "app/experiment/devices.h"
#include "app/panels/shell.h"
#include "app/panels/widgets.h"
#include "app/window/action.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace warplens::test {

/// A session in a window, driven from inside. The fixtures that derive from it say which window.
class ShellFixture : public ::testing::Test {
protected:
    virtual Window& window() = 0;

    /// Options of a session without a GPU and without recordings.
    static WindowOptions plain_options() {
        WindowOptions options;
        options.cpu = true;
        options.shipped_recordings = false;
        options.wait = true;
        return options;
    }
    /// Another session for the same window, at the first scenario.
    std::unique_ptr<Shell> fresh(const WindowOptions& options) {
        return std::make_unique<Shell>(
            window(), initial_state(all_scenarios().front(), find_device(devices_, kDefaultDevice).value()),
            devices_, options);
    }
    Session& session() { return shell_->session(); }
    const State& state() { return *session().frame().state; }
    const View& view() { return session().view; }
    void frame() {
        window().keep_awake(1);
        window().run_frame([this] { shell_->show_frame(); });
    }
    /// Frames until something is so. The limit is only there to end a test that would never do so: on a
    /// machine with much else to do a thread may take long to begin.
    template <class Condition>
    void frames_until(Condition condition) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(5);
        while (!condition()) {
            ASSERT_LT(std::chrono::steady_clock::now(), end) << "it never happens";
            frame();
        }
    }
    /// Frames until every file that was dropped or chosen has been read.
    void frames_until_read() {
        frame();
        frames_until([this] { return session().files.shelf.reading().empty(); });
        frame();
    }
    void act(const Action& action) {
        apply(session(), action);
        frame();
    }
    /// Sets one field of what is set, or of how it is looked at.
    template <class Owner, class T>
    void set(T Owner::*field, std::type_identity_t<T> value) {
        act(action::changed(state(), field, std::move(value)));
    }
    void follow(const std::string& link) { act(action::FollowLink{link}); }
    /// Only what is drawn now is known by name then.
    void fresh_items() {
        frame();
        ui::items().clear();
        frame();
    }
    static bool shows(const std::string& item) { return ui::items().contains(item); }

    std::vector<DeviceFacts> devices_ = device_table();
    std::unique_ptr<Shell> shell_;
};

}  // namespace warplens::test
