#pragma once

#include "app/base/process.h"
#include "tests/app/window/shell_fixture.h"
#include "tests/with_folder.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

namespace warplens::test {

/// A window with a session in it, driven from inside, and a folder of its own.
class SessionFixture : public ShellFixture, protected WithFolder {
protected:
    void SetUp() override {
        auto opened = Window::open({.width = 1100, .height = 720});
        if (auto* why = std::get_if<Unavailable>(&opened)) GTEST_SKIP() << why->reason;
        window_ = std::move(std::get<std::unique_ptr<Window>>(opened));
        start("global-stride");
    }
    void TearDown() override {
        shell_.reset();
        window_.reset();
    }

    Window& window() override { return *window_; }

    /// A session of its own, at a scenario or a link.
    void start(const std::string& link) {
        shell_.reset();
        WindowOptions options = plain_options();
        options.link = link;
        shell_ = fresh(options);
        frame();
    }

    /// What the window system calls when a file is dropped on the window.
    void drop(const std::string& path) {
        GLFWwindow* window = glfwGetCurrentContext();
        const GLFWdropfun entry = glfwSetDropCallback(window, nullptr);
        glfwSetDropCallback(window, entry);
        const char* name = path.c_str();
        entry(window, 1, &name);
        frames_until_read();
    }
    static std::string content(const std::string& path) { return contents_of(path); }
    std::unique_ptr<Window> window_;
};

}  // namespace warplens::test
