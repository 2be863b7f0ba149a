#include "app/gl/window_system.h"

#include "app/gl/glfw_window.h"

namespace warplens {

bool wait_for_events(double seconds) {
    glfwWaitEventsTimeout(seconds);
    return true;
}

char printed_on(int key, int scancode) {
    const char* name = glfwGetKeyName(key, scancode);
    return name != nullptr && name[1] == '\0' ? name[0] : '\0';
}

bool is_full_screen(GLFWwindow* window) { return glfwGetWindowMonitor(window) != nullptr; }

void toggle_full_screen(GLFWwindow* window, int (&windowed)[4]) {
    if (is_full_screen(window)) {
        glfwSetWindowMonitor(window, nullptr, windowed[0], windowed[1], windowed[2], windowed[3],
                             GLFW_DONT_CARE);
        return;
    }
    GLFWmonitor* monitor = screen_of(window);
    const GLFWvidmode* mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
    if (mode == nullptr) return;
    glfwGetWindowPos(window, &windowed[0], &windowed[1]);
    glfwGetWindowSize(window, &windowed[2], &windowed[3]);
    glfwSetWindowMonitor(window, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
    glfwSwapInterval(1);  // some drivers forget it
}

void choose_files() {}

std::optional<Unavailable> no_second_window() { return std::nullopt; }

void connect_to_system(GLFWwindow*) {}

}  // namespace warplens
