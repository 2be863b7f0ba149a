// What one picture costs the UI thread: from shapes to vertices, without the drawing itself.
#include "app/gl/context.h"
#include "app/gl/fonts.h"
#include "app/gl/imgui_compat.h"
#include "app/gl/painter.h"

#include <benchmark/benchmark.h>

#include <string>
#include WARPLENS_IMGUI_BACKEND(imgui_impl_opengl3.h)

namespace warplens::test::paint_benchmarks {
namespace {

/// As large as pictures get: a tile with its padding, all lanes, wires and numbers.
Picture large_picture(int hatched_in_ten) {
    Picture picture;
    for (int i = 0; i < 1500; ++i) {
        Box box{.rect = {20.0f * static_cast<float>(i % 50), 24.0f * static_cast<float>(i / 50), 18, 22},
                .fill = {60, 64, 70, 255},
                .rounding = 2};
        if (i % 10 < hatched_in_ten) box.hatch = {120, 130, 140, 255};
        picture.shapes.emplace_back(box);
    }
    for (int i = 0; i < 32; ++i) {
        const float x = 25.0f * static_cast<float>(i);
        picture.shapes.emplace_back(Wire{{x, 0}, {800 - x, 400}, {200, 200, 100, 160}, 1.5f});
        picture.shapes.emplace_back(HeatCell{.rect = {x, 0, 20, 20}, .value_index = i});
    }
    for (int i = 0; i < 300; ++i)
        picture.shapes.emplace_back(
            Label{{20.0f * static_cast<float>(i % 50) + 10, 24.0f * static_cast<float>(i / 50) + 16},
                  std::to_string(i % 32),
                  FontRole::body,
                  {255, 255, 255, 255},
                  Anchor::middle});
    return picture;
}

void paint_picture(benchmark::State& state) {
    auto context = HeadlessContext::create();
    if (auto* why = std::get_if<Unavailable>(&context)) return state.SkipWithError(why->reason.c_str());
    ImGui::CreateContext();
    ImGui::GetIO().DisplaySize = ImVec2(1280, 800);
    {
        Fonts fonts;
        fonts.load(1, true);
        ImGui_ImplOpenGL3_Init(kGlslVersion);
        Painter painter;
        const Picture picture = large_picture(static_cast<int>(state.range(0)));
        for (auto _ : state) {
            state.PauseTiming();
            ImGui_ImplOpenGL3_NewFrame();
            ImGui::NewFrame();
            painter.begin_frame();
            state.ResumeTiming();
            painter.paint(picture, ImGui::GetBackgroundDrawList(), 0, 0, 1, fonts, 1);
            state.PauseTiming();
            ImGui::EndFrame();
            state.ResumeTiming();
        }
        ImGui_ImplOpenGL3_Shutdown();
    }
    ImGui::DestroyContext();
}
BENCHMARK(paint_picture)->ArgName("hatched_in_ten")->Arg(0)->Arg(3)->Arg(10)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace warplens::test::paint_benchmarks
