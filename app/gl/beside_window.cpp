#include "app/gl/beside_window.h"

#include "app/gl/imgui_compat.h"
#include "app/gl/window_system.h"

#include <glad/gl.h>
#include WARPLENS_IMGUI_BACKEND(imgui_impl_opengl3.h)

#include <stdexcept>

namespace warplens {
namespace {

/// Makes a window's OpenGL context current, and at the end of the scope another one.
class CurrentWindow {
public:
    CurrentWindow(GLFWwindow* window, GLFWwindow* after) : after_(after) { glfwMakeContextCurrent(window); }
    ~CurrentWindow() { glfwMakeContextCurrent(after_); }
    CurrentWindow& operator=(CurrentWindow&&) = delete;

private:
    GLFWwindow* after_;
};

/// The class looks at the screen of the main window, the lecturer at another one.
void move_to_other_screen(GLFWwindow* window, GLFWwindow* main) {
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    const GLFWmonitor* taken = screen_of(main);
    for (int i = 0; i < count; ++i) {
        if (monitors[i] == taken) continue;
        int x = 0, y = 0, width = 0, height = 0, wide = 0, high = 0;
        glfwGetMonitorWorkarea(monitors[i], &x, &y, &width, &height);
        glfwGetWindowSize(window, &wide, &high);
        return glfwSetWindowPos(window, x + (width - wide) / 2, y + (height - high) / 2);
    }
}

}  // namespace

std::variant<std::unique_ptr<BesideWindow>, Unavailable> BesideWindow::open(const std::string& title,
                                                                            GLFWwindow* main) {
    if (auto why = no_second_window()) return *why;
    auto handle = GlfwHandle::open({.width = 800, .height = 600, .title = title, .takes_focus = false});
    const CurrentWindow back(glfwGetCurrentContext(), main);
    if (auto* why = std::get_if<Unavailable>(&handle)) return *why;
    try {
        return std::unique_ptr<BesideWindow>(new BesideWindow(std::move(std::get<GlfwHandle>(handle)), main));
    } catch (const std::runtime_error& refused) {
        return Unavailable{refused.what()};
    }
}

BesideWindow::BesideWindow(GlfwHandle handle, GLFWwindow* main)
    : handle_(std::move(handle)), main_(main), context_(ui::create_context()) {
    move_to_other_screen(handle_.get(), main);
    glfwSwapInterval(0);  // the main window waits for its screen
    const ui::ContextScope scope(context_);
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().DeltaTime = 1.0f / 60;
    if (!ImGui_ImplOpenGL3_Init(kGlslVersion)) {
        ImGui::DestroyContext(context_);
        throw std::runtime_error("Dear ImGui cannot use the OpenGL of a second window.");
    }
    painter_ = std::make_unique<Painter>();
}

BesideWindow::~BesideWindow() {
    const CurrentWindow current(handle_.get(), main_);
    painter_.reset();
    {
        const ui::ContextScope scope(context_);
        ImGui_ImplOpenGL3_Shutdown();
    }
    ImGui::DestroyContext(context_);
}

Vec2 BesideWindow::size() const {
    int width = 0, height = 0;
    glfwGetFramebufferSize(handle_.get(), &width, &height);
    return {float(width), float(height)};
}

void BesideWindow::show(Picture picture, float scale, Color page) {
    picture_ = std::move(picture);
    scale_ = scale;
    page_ = page;
    drawn_ = false;
}

void BesideWindow::draw() {
    const Vec2 pixels = size();
    if (std::exchange(drawn_, true) || pixels.x < 1 || pixels.y < 1) return;
    const CurrentWindow current(handle_.get(), main_);
    const ui::ContextScope scope(context_);
    if (fonts_.font(FontRole::body) == nullptr || scale_ != fonts_.scale()) {
        const bool first = fonts_.font(FontRole::body) == nullptr;
        fonts_.load(scale_, false);
        if (!first) renew_font_texture();  // earlier the backend has no font texture yet
    }
    ImGui::GetIO().DisplaySize = ImVec2(pixels.x, pixels.y);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    painter_->begin_frame();
    painter_->paint(picture_, ImGui::GetBackgroundDrawList(), 0, 0, scale_, fonts_, 0);
    ImGui::Render();
    glViewport(0, 0, static_cast<GLsizei>(pixels.x), static_cast<GLsizei>(pixels.y));
    const auto part = [](std::uint8_t channel) { return float(channel) / 255.0f; };
    glClearColor(part(page_.r), part(page_.g), part(page_.b), 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    glfwSwapBuffers(handle_.get());
}

}  // namespace warplens
