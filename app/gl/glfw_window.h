#pragma once

#include "app/gl/window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <string>
#include <utility>
#include <variant>

namespace warplens {

/// A GLFW window with a current OpenGL 3.3 core context. Its destructor closes the window, and GLFW with the
/// last one.
class GlfwHandle {
public:
    /// @return  the window, or why there is none.
    static std::variant<GlfwHandle, Unavailable> open(const Window::Options& options);
    GlfwHandle(GlfwHandle&& other) noexcept;
    ~GlfwHandle();
    GlfwHandle& operator=(GlfwHandle&&) = delete;

    GLFWwindow* get() const { return window_; }
    const std::string& how() const { return how_; }  ///< for GlInfo::how

private:
    GlfwHandle(GLFWwindow* window, std::string how) : window_(window), how_(std::move(how)) {}

    GLFWwindow* window_;
    std::string how_;
};

/// The screen that contains the middle of a window.
GLFWmonitor* screen_of(GLFWwindow* window);

}  // namespace warplens
