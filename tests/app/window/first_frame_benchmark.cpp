// From nothing to the first frame on screen: a bare ImGui window, and the whole program. Ours should take
// less than 1.5 times as long. Needs a display: xvfb-run -s "-screen 0 1600x1000x24 -noreset"
// warplens_benchmarks
// --benchmark_filter=first_frame
#include "app/experiment/devices.h"
#include "app/gl/imgui_compat.h"
#include "app/gl/window.h"
#include "app/panels/shell.h"
#include "app/window/action.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <benchmark/benchmark.h>
#include <glad/gl.h>

#include WARPLENS_IMGUI_BACKEND(imgui_impl_glfw.h)
#include WARPLENS_IMGUI_BACKEND(imgui_impl_opengl3.h)

namespace warplens::test::first_frame_benchmarks {
namespace {

constexpr int kWidth = 1280, kHeight = 800;

void show_text() {
    ImGui::Begin("window");
    ImGui::TextUnformatted("first frame");
    ImGui::End();
}

bool bare_imgui_window() {
    if (!glfwInit()) return false;
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    GLFWwindow* window = glfwCreateWindow(kWidth, kHeight, "bare", nullptr, nullptr);
    if (window == nullptr) return false;
    glfwMakeContextCurrent(window);
    gladLoadGL(glfwGetProcAddress);
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui_ImplGlfw_InitForOpenGL(window, true);
    ImGui_ImplOpenGL3_Init(kGlslVersion);
    glfwPollEvents();
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    show_text();
    ImGui::Render();
    glViewport(0, 0, kWidth, kHeight);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    glfwSwapBuffers(window);
    glFinish();
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
    glfwDestroyWindow(window);
    glfwTerminate();
    return true;
}

bool our_window() {
    auto opened = Window::open({.width = kWidth, .height = kHeight});
    if (std::holds_alternative<Unavailable>(opened)) return false;
    auto& window = std::get<std::unique_ptr<Window>>(opened);
    const std::vector<DeviceFacts> devices = device_table();
    const Scenario& scenario = all_scenarios().front();
    Shell shell(*window, initial_state(scenario, find_device(devices, kDefaultDevice).value()), devices, {});
    window->run_frame([&shell] { shell.show_frame(); });
    glFinish();
    return true;
}

void first_frame(benchmark::State& state, bool (*open_and_draw)()) {
    for (auto _ : state)
        if (!open_and_draw()) return state.SkipWithError("no display");
}
BENCHMARK_CAPTURE(first_frame, bare, bare_imgui_window)
    ->Iterations(10)
    ->Repetitions(3)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(first_frame, ours, our_window)
    ->Iterations(10)
    ->Repetitions(3)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace warplens::test::first_frame_benchmarks
