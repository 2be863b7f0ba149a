#pragma once

#include "app/gl/glfw_window.h"
#include "app/gl/painter.h"

#include <memory>
#include <string>
#include <variant>

struct ImGuiContext;

namespace warplens {

/// A second window that shows one picture. It has its own OpenGL and Dear ImGui contexts, which are current
/// only while it draws. Of input it knows nothing: who opens it asks GLFW.
class BesideWindow {
public:
    /// On another screen than the main window, if there is one.
    /// @param main  its context is current, before and afterwards
    /// @return  the window, or why there is none.
    static std::variant<std::unique_ptr<BesideWindow>, Unavailable> open(const std::string& title,
                                                                         GLFWwindow* main);
    ~BesideWindow();
    BesideWindow& operator=(BesideWindow&&) = delete;

    GLFWwindow* get() const { return handle_.get(); }
    Vec2 size() const;  ///< [pixels]
    bool closed() const { return glfwWindowShouldClose(handle_.get()) == GLFW_TRUE; }

    /// @param scale  pixels per point, 0.5 to 8
    void show(Picture picture, float scale, Color page);
    /// Its content must be drawn again, because the window system lost it.
    void renew() { drawn_ = false; }
    /// Draw it, if it is not on screen yet.
    void draw();

private:
    BesideWindow(GlfwHandle handle, GLFWwindow* main);

    GlfwHandle handle_;
    GLFWwindow* main_;
    ImGuiContext* context_;
    Fonts fonts_;
    std::unique_ptr<Painter> painter_;
    Picture picture_;
    float scale_ = 1;
    Color page_;
    bool drawn_ = true;
};

}  // namespace warplens
