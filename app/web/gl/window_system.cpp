#include "app/gl/window_system.h"

#include "app/gl/imgui_compat.h"
#include "app/web/page.h"

#include <emscripten.h>

#include <string>

#include WARPLENS_IMGUI_BACKEND(imgui_impl_glfw.h)

namespace warplens {
namespace {

GLFWwindow* page = nullptr;
double wait = 0;

void copy_text(const char* text) {
    EM_ASM({ Module['copyText'](UTF8ToString($0)); }, text);
}

/// The text that was pasted last: a page cannot look at the clipboard at any other time.
const char* pasted_text() {
    static std::string pasted;
    char* text = static_cast<char*>(EM_ASM_PTR({ return stringToNewUTF8(Module['pasted']); }));
    pasted = text;
    std::free(text);
    return pasted.c_str();
}

}  // namespace

bool wait_for_events(double seconds) {
    wait = seconds;
    return false;
}

double take_wait() { return std::exchange(wait, 0); }

// The key code of a browser is the letter that is printed on the key; signs are noted by the page.
char printed_on(int, int) {
    return static_cast<char>(EM_ASM_INT({ return Module['printed']; }));
}

bool is_full_screen(GLFWwindow*) {
    return EM_ASM_INT({ return Module['isFullScreen'](); }) != 0;
}
void toggle_full_screen(GLFWwindow*, int (&)[4]) {
    EM_ASM({ Module['toggleFullScreen'](); });
}

void choose_files() {
    EM_ASM({ Module['chooseFiles'](); });
}

std::optional<Unavailable> no_second_window() {
    return Unavailable{"A page of a browser has one window; the notes need a second one, as on a desktop."};
}

void connect_to_system(GLFWwindow* window) {
    page = window;
    ImGui_ImplGlfw_InstallEmscriptenCallbacks(window, "#canvas");
#if IMGUI_VERSION_NUM >= 19110
    ImGuiPlatformIO& io = ImGui::GetPlatformIO();
    io.Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) { copy_text(text); };
    io.Platform_GetClipboardTextFn = [](ImGuiContext*) { return pasted_text(); };
#else
    ImGuiIO& io = ImGui::GetIO();
    io.SetClipboardTextFn = [](void*, const char* text) { copy_text(text); };
    io.GetClipboardTextFn = [](void*) { return pasted_text(); };
#endif
}

/// A file that the page has put into memory is opened as one that was dropped on the window.
extern "C" EMSCRIPTEN_KEEPALIVE void warplens_open(const char* path) {
    const GLFWdropfun drop = glfwSetDropCallback(page, nullptr);
    glfwSetDropCallback(page, drop);
    if (drop != nullptr) drop(page, 1, &path);
}

}  // namespace warplens
