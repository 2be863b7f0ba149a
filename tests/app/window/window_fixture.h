#pragma once

#include "app/experiment/devices.h"
#include "app/panels/widgets.h"
#include "app/window/window_session.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace warplens::test {

/// A window with a session without a GPU, driven from inside.
class WindowFixture : public ::testing::Test {
protected:
    void SetUp() override { open(1280, 800); }
    void TearDown() override { close(); }
    void open(int width, int height) {
        ui::items().clear();
        auto opened = Window::open({.width = width, .height = height});
        if (auto* why = std::get_if<Unavailable>(&opened)) GTEST_SKIP() << why->reason;
        window_ = std::move(std::get<std::unique_ptr<Window>>(opened));
        WindowOptions options;
        options.cpu = true;
        options.shipped_recordings = false;
        const std::vector<DeviceFacts> devices = device_table();
        session_ = std::make_unique<WindowSession>(
            *window_, initial_state(all_scenarios().front(), find_device(devices, kDefaultDevice).value()),
            devices, options);
    }
    void close() {
        session_.reset();
        window_.reset();
    }
    void frame() {
        window_->keep_awake(1);
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
    void go(const std::string& link) { act(action::FollowLink{link}); }
    /// Only what is drawn now is known by name then.
    void fresh_items() {
        frame();
        ui::items().clear();
        frame();
    }
    static bool shows(const std::string& item) { return ui::items().contains(item); }
    const State& state() { return *session_->frame().state; }
    const View& view() const { return session_->view(); }

    /// What the window system says when a key is pressed and let go; then a frame.
    void press(int key, int modifiers = 0) {
        GLFWwindow* window = glfwGetCurrentContext();
        const GLFWkeyfun entry = glfwSetKeyCallback(window, nullptr);
        glfwSetKeyCallback(window, entry);
        entry(window, key, glfwGetKeyScancode(key), GLFW_PRESS, modifiers);
        frame();
        entry(window, key, glfwGetKeyScancode(key), GLFW_RELEASE, modifiers);
        frame();
    }
    /// What the window system says of letters.
    void type(const std::string& text) {
        GLFWwindow* window = glfwGetCurrentContext();
        const GLFWcharfun entry = glfwSetCharCallback(window, nullptr);
        glfwSetCharCallback(window, entry);
        for (const char c : text) entry(window, static_cast<unsigned char>(c));
        frame();
    }
    /// The mouse at a place of an item, 0 to 1, pressed and let go.
    void click(const std::string& item, float x = 0.5f, float y = 0.5f, int times = 1) {
        const ui::ItemRect rect = ui::items().at(item);
        point_at(rect.x + rect.w * x, rect.y + rect.h * y);
        frame();
        for (int i = 0; i < times; ++i) {
            button(GLFW_PRESS);
            button(GLFW_RELEASE);
        }
        frame();
    }
    /// Takes the mouse to a place [pixels].
    void point_at(float x, float y) {
        GLFWwindow* window = glfwGetCurrentContext();
        glfwSetCursorPos(window, static_cast<double>(x), static_cast<double>(y));
        frame();
    }

    std::unique_ptr<Window> window_;
    std::unique_ptr<WindowSession> session_;

private:
    void button(int action) {
        GLFWwindow* window = glfwGetCurrentContext();
        const GLFWmousebuttonfun entry = glfwSetMouseButtonCallback(window, nullptr);
        glfwSetMouseButtonCallback(window, entry);
        entry(window, GLFW_MOUSE_BUTTON_LEFT, action, 0);
        frame();
    }
};

}  // namespace warplens::test
