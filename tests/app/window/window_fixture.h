#pragma once

#include "tests/app/window/shell_fixture.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <memory>
#include <string>

namespace warplens::test {

/// A window with a session without a GPU, driven from inside.
class WindowFixture : public ShellFixture {
protected:
    void SetUp() override { open(1280, 800); }
    void TearDown() override { close(); }
    Window& window() override { return *window_; }
    void open(int width, int height) {
        ui::items().clear();
        auto opened = Window::open({.width = width, .height = height});
        if (auto* why = std::get_if<Unavailable>(&opened)) GTEST_SKIP() << why->reason;
        window_ = std::move(std::get<std::unique_ptr<Window>>(opened));
        shell_ = fresh(plain_options());
    }
    void close() {
        shell_.reset();
        window_.reset();
    }
    void go(const std::string& link) { follow(link); }

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
        // The window system says so some time later. Dear ImGui before 1.87 asks it, and has no such
        // function.
        const GLFWcursorposfun entry = glfwSetCursorPosCallback(window, nullptr);
        glfwSetCursorPosCallback(window, entry);
        if (entry != nullptr) entry(window, static_cast<double>(x), static_cast<double>(y));
        frame();
    }

    std::unique_ptr<Window> window_;

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
