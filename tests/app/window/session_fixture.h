#pragma once

#include "tests/app/window/shell_fixture.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

namespace warplens::test {

/// A window with a session in it, driven from inside, and a folder of its own.
class SessionFixture : public ShellFixture {
protected:
    void SetUp() override {
        std::filesystem::create_directories(folder_);
        auto opened = Window::open({.width = 1100, .height = 720});
        if (auto* why = std::get_if<Unavailable>(&opened)) GTEST_SKIP() << why->reason;
        window_ = std::move(std::get<std::unique_ptr<Window>>(opened));
        start("global-stride");
    }
    void TearDown() override {
        shell_.reset();
        window_.reset();
        std::filesystem::remove_all(folder_);
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
    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    static std::string content(const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    std::string file(const std::string& name, const std::string& text) const {
        std::ofstream(path(name), std::ios::binary) << text;
        return path(name);
    }

    std::filesystem::path folder_ =
        std::filesystem::path(testing::TempDir()) /
        (std::string("warplens_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    std::unique_ptr<Window> window_;
};

}  // namespace warplens::test
