#pragma once

#include "app/experiment/devices.h"
#include "app/panels/widgets.h"
#include "app/window/window_session.h"
#include "tests/app/window/headless_window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace warplens::test {

/// A session without a GPU in a window without a screen, driven from inside: what it can do, it does
/// anywhere.
class HeadlessFixture : public ::testing::Test {
protected:
    void SetUp() override { open(1280, 800); }
    void TearDown() override { close(); }
    void open(int width, int height, bool shipped_recordings = false) {
        close();
        ui::items().clear();
        window_ = std::make_unique<HeadlessWindow>(width, height);
        session_ = fresh(shipped_recordings);
    }
    /// Another session for the same window, at the first scenario.
    std::unique_ptr<WindowSession> fresh(bool shipped_recordings = false) {
        WindowOptions options;
        options.cpu = true;
        options.shipped_recordings = shipped_recordings;
        const std::vector<DeviceFacts> devices = device_table();
        return std::make_unique<WindowSession>(
            *window_, initial_state(all_scenarios().front(), find_device(devices, kDefaultDevice).value()),
            devices, options);
    }
    void close() {
        session_.reset();
        window_.reset();
    }
    void frame() {
        window_->run_frame([this] { session_->show_frame(); });
    }
    void act(const Action& action) {
        apply(*session_, action);
        frame();
    }
    /// Sets one field of what is set, or of how it is looked at.
    template <class Owner, class T>
    void set(T Owner::*field, std::type_identity_t<T> value) {
        act(action::changed(state(), field, std::move(value)));
    }
    /// Goes to a place and draws it.
    void go(const std::string& link) {
        act(action::FollowLink{link});
        fresh_items();
    }
    /// Only what is drawn now is known by name then.
    void fresh_items() {
        frame();
        ui::items().clear();
        frame();
    }
    static bool shows(const std::string& item) { return ui::items().contains(item); }
    const State& state() { return *session_->frame().state; }
    const View& view() const { return session_->view(); }

    /// A key is pressed and let go; then two frames.
    void press(int key, int modifiers = 0) {
        window_->tap(key, modifiers);
        frame();
        frame();
    }
    void type(const std::string& text) {
        window_->type(text);
        frame();
    }
    /// The mouse at a place of an item, 0 to 1, pressed and let go.
    void click(const std::string& item, float x = 0.5f, float y = 0.5f, int times = 1) {
        const ui::ItemRect rect = ui::items().at(item);
        point_at(rect.x + rect.w * x, rect.y + rect.h * y);
        for (int i = 0; i < 2 * times; ++i) {
            window_->button(i % 2 == 0);
            frame();
        }
        frame();
    }
    /// Takes the mouse to a place [pixels].
    void point_at(float x, float y) {
        window_->point_at(x, y);
        frame();
    }

    std::unique_ptr<HeadlessWindow> window_;
    std::unique_ptr<WindowSession> session_;
};

}  // namespace warplens::test
