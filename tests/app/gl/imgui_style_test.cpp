// The colours that ImGui itself draws with.
#include "app/gl/window.h"

#include "app/gl/imgui_compat.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warplens::test::imgui_style_tests {
namespace {

class StyleOf : public testing::TestWithParam<ThemeName> {
protected:
    StyleOf() { apply_theme(theme(GetParam()), 1); }
    ~StyleOf() override { ImGui::DestroyContext(context_); }
    static Color color(ImGuiCol index) {
        const ImVec4 c = ImGui::GetStyle().Colors[index];
        const auto part = [](float v) { return static_cast<std::uint8_t>(std::lround(v * 255)); };
        return {part(c.x), part(c.y), part(c.z), part(c.w)};
    }

private:
    ui::ContextScope scope_{nullptr};  // where there is a context, another does not become the current one
    ImGuiContext* context_ = ui::create_context();
};
INSTANTIATE_TEST_SUITE_P(All, StyleOf, testing::ValuesIn(kThemeNames));

// The frame round the control that has the keyboard: WCAG 2.1, 1.4.11 and 2.4.7.
TEST_P(StyleOf, TheKeyboardsFocusStandsOutFromAllThatItLiesOn) {
    const Color focus = color(ui::kColorNavCursor);
    EXPECT_EQ(focus.a, 255);
    for (const ImGuiCol ground : {ImGuiCol_WindowBg, ImGuiCol_ChildBg, ImGuiCol_PopupBg, ImGuiCol_FrameBg,
                                  ImGuiCol_FrameBgHovered, ImGuiCol_Button})
        EXPECT_GE(contrast(focus, color(ground)), 3) << ImGui::GetStyleColorName(ground);
}

TEST_P(StyleOf, TextCanBeReadOnControlsInEveryState) {
    for (const ImGuiCol ground :
         {ImGuiCol_WindowBg, ImGuiCol_PopupBg, ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered,
          ImGuiCol_FrameBgActive, ImGuiCol_ButtonActive, ImGuiCol_HeaderActive})
        EXPECT_GE(contrast(color(ImGuiCol_Text), color(ground)), 4.5) << ImGui::GetStyleColorName(ground);
}

TEST_P(StyleOf, HandlesStandOutFromTheirTracks) {
    EXPECT_GE(contrast(color(ImGuiCol_SliderGrab), color(ImGuiCol_FrameBg)), 3);
    EXPECT_GE(contrast(color(ImGuiCol_CheckMark), color(ImGuiCol_FrameBg)), 3);
}

}  // namespace
}  // namespace warplens::test::imgui_style_tests
