#include "app/gl/glfw_window.h"

#include <glad/gl.h>
#include <cstdlib>

namespace warplens {
namespace {

std::string last_error;
int users = 0;  // users of GLFW, which has a single global state

void keep_error(int, const char* text) { last_error = text; }

/// Without a folder for its socket Wayland's library writes a line of its own, before X11 is tried.
void choose_platform() {
#ifdef GLFW_PLATFORM_WAYLAND  // GLFW 3.4 looks for a platform when it starts; before it was compiled for one
    const char *folder = std::getenv("XDG_RUNTIME_DIR"), *wayland = std::getenv("WAYLAND_DISPLAY");
    const bool named = wayland != nullptr && *wayland != '\0';
    if (folder == nullptr && !named && glfwPlatformSupported(GLFW_PLATFORM_X11))
        glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_X11);
#endif
}

void set_hints(const Window::Options& options, int context_api) {
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_CONTEXT_CREATION_API, context_api);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);  // required by macOS
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    glfwWindowHint(GLFW_VISIBLE, options.visible ? GLFW_TRUE : GLFW_FALSE);
    glfwWindowHint(GLFW_FOCUSED, options.takes_focus ? GLFW_TRUE : GLFW_FALSE);
    glfwWindowHint(GLFW_FOCUS_ON_SHOW, options.takes_focus ? GLFW_TRUE : GLFW_FALSE);
    // On the full screen it stays in sight of the class while the lecturer does something on another screen.
    glfwWindowHint(GLFW_AUTO_ICONIFY, GLFW_FALSE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "warplens");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "warplens");
#ifdef WARPLENS_GL_DEBUG
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, GLFW_TRUE);
#endif
}

GLFWwindow* create(const Window::Options& options, int context_api) {
    set_hints(options, context_api);
    GLFWwindow* window =
        glfwCreateWindow(options.width, options.height, options.title.c_str(), nullptr, nullptr);
    if (window == nullptr) return nullptr;
    glfwMakeContextCurrent(window);
    if (gladLoadGL(glfwGetProcAddress) != 0 && GLAD_GL_VERSION_3_3) return window;
    last_error = "its functions are missing";
    glfwDestroyWindow(window);
    return nullptr;
}

}  // namespace

std::variant<GlfwHandle, Unavailable> GlfwHandle::open(const Window::Options& options) {
    glfwSetErrorCallback(keep_error);
    last_error.clear();
    choose_platform();
    if (!glfwInit()) return Unavailable{"There is no display to open a window on (" + last_error + ")."};
    ++users;
    if (GLFWwindow* window = create(options, GLFW_NATIVE_CONTEXT_API)) return GlfwHandle(window, "window");
    const std::string native_error = std::exchange(last_error, "");
    if (GLFWwindow* window = create(options, GLFW_EGL_CONTEXT_API))
        return GlfwHandle(window, "window through EGL");
    if (--users == 0) glfwTerminate();
    return Unavailable{"No window with OpenGL 3.3 can be opened (" + native_error +
                       "; with EGL: " + last_error + ")."};
}

GlfwHandle::GlfwHandle(GlfwHandle&& other) noexcept
    : window_(std::exchange(other.window_, nullptr)), how_(std::move(other.how_)) {}

GlfwHandle::~GlfwHandle() {
    if (window_ == nullptr) return;
    glfwDestroyWindow(window_);
    if (--users == 0) glfwTerminate();
}

GLFWmonitor* screen_of(GLFWwindow* window) {
    int x = 0, y = 0, width = 0, height = 0, count = 0;
    glfwGetWindowPos(window, &x, &y);
    glfwGetWindowSize(window, &width, &height);
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    for (int i = 0; i < count; ++i) {
        int left = 0, top = 0;
        glfwGetMonitorPos(monitors[i], &left, &top);
        const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
        const int from_left = x + width / 2 - left, from_top = y + height / 2 - top;
        if (mode != nullptr && from_left >= 0 && from_left < mode->width && from_top >= 0 &&
            from_top < mode->height)
            return monitors[i];
    }
    return glfwGetPrimaryMonitor();
}

}  // namespace warplens
