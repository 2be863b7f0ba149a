#include "app/gl/imgui_style.h"

#include "app/gl/imgui_compat.h"

namespace warplens {
namespace {

ImVec4 im(Color c, float alpha = 1) {
    const auto part = [](std::uint8_t channel) { return static_cast<float>(channel) / 255.0f; };
    return ImVec4(part(c.r), part(c.g), part(c.b), part(c.a) * alpha);
}

void set_sizes(ImGuiStyle& style) {
    style.WindowPadding = ImVec2(16, 12);
    style.FramePadding = ImVec2(10, 4);
    style.CellPadding = ImVec2(4, 4);
    style.ItemSpacing = ImVec2(8, 8);
    style.ItemInnerSpacing = ImVec2(8, 4);
    style.IndentSpacing = 16;
    style.ScrollbarSize = 12;
    style.GrabMinSize = 16;
    for (float* border : {&style.WindowBorderSize, &style.ChildBorderSize, &style.PopupBorderSize})
        *border = 1;
    style.FrameBorderSize = 0;
    style.TabBorderSize = 0;
    for (float* rounding :
         {&style.WindowRounding, &style.ChildRounding, &style.FrameRounding, &style.PopupRounding,
          &style.ScrollbarRounding, &style.GrabRounding, &style.TabRounding})
        *rounding = 6;
    style.ScrollbarRounding = style.GrabRounding = 8;
    style.WindowMenuButtonPosition = ImGuiDir_None;
    style.SelectableTextAlign = ImVec2(0, 0.5f);
}

void set_surfaces(ImVec4* colors, const Theme& t) {
    colors[ImGuiCol_Text] = im(t.text);
    colors[ImGuiCol_TextDisabled] = im(t.text_weak);
    colors[ImGuiCol_WindowBg] = im(t.page);
    colors[ImGuiCol_ChildBg] = im(t.panel);
    colors[ImGuiCol_PopupBg] = im(t.panel);
    colors[ImGuiCol_MenuBarBg] = im(t.panel);
    colors[ImGuiCol_Border] = im(t.panel_border);
    colors[ImGuiCol_BorderShadow] = ImVec4(0, 0, 0, 0);
    colors[ImGuiCol_TitleBg] = im(t.panel);
    colors[ImGuiCol_TitleBgActive] = im(t.panel);
    colors[ImGuiCol_TitleBgCollapsed] = im(t.panel);
    colors[ImGuiCol_TableHeaderBg] = im(t.panel);
    colors[ImGuiCol_TableBorderStrong] = im(t.panel_border);
    colors[ImGuiCol_TableBorderLight] = im(t.panel_border);
    colors[ImGuiCol_TableRowBg] = ImVec4(0, 0, 0, 0);
    colors[ImGuiCol_TableRowBgAlt] = im(t.control, 0.5f);
    colors[ImGuiCol_ModalWindowDimBg] = ImVec4(0, 0, 0, 0.45f);
}

void set_controls(ImVec4* colors, const Theme& t) {
    const Color pressed = mix(t.control_hover, t.accent, 0.35f);
    colors[ImGuiCol_FrameBg] = colors[ImGuiCol_Button] = im(t.control);
    colors[ImGuiCol_FrameBgHovered] = colors[ImGuiCol_ButtonHovered] = im(t.control_hover);
    colors[ImGuiCol_FrameBgActive] = colors[ImGuiCol_ButtonActive] = im(pressed);
    colors[ImGuiCol_Header] = im(t.control);
    colors[ImGuiCol_HeaderHovered] = im(t.control_hover);
    colors[ImGuiCol_HeaderActive] = im(pressed);
    colors[ImGuiCol_CheckMark] = colors[ImGuiCol_SliderGrab] = im(t.accent);
    colors[ImGuiCol_SliderGrabActive] = im(mix(t.accent, t.text, 0.25f));
    colors[ImGuiCol_ScrollbarBg] = ImVec4(0, 0, 0, 0);
    colors[ImGuiCol_ScrollbarGrab] = im(t.panel_border);
    colors[ImGuiCol_ScrollbarGrabHovered] = im(t.outline);
    colors[ImGuiCol_ScrollbarGrabActive] = im(t.accent);
    colors[ImGuiCol_Separator] = im(t.panel_border);
    colors[ImGuiCol_SeparatorHovered] = colors[ImGuiCol_SeparatorActive] = im(t.accent);
    colors[ImGuiCol_ResizeGrip] = ImVec4(0, 0, 0, 0);
    colors[ImGuiCol_ResizeGripHovered] = colors[ImGuiCol_ResizeGripActive] = im(t.accent);
    colors[ImGuiCol_Tab] = colors[ui::kColorTabDimmed] = im(t.panel);
    colors[ImGuiCol_TabHovered] = im(t.control_hover);
    colors[ui::kColorTabSelected] = colors[ui::kColorTabDimmedSelected] = im(t.control);
    colors[ImGuiCol_PlotHistogram] = im(t.accent);
    colors[ImGuiCol_TextSelectedBg] = im(t.accent, 0.35f);
    colors[ImGuiCol_DragDropTarget] = colors[ui::kColorNavCursor] = im(t.accent);
}

}  // namespace

void apply_theme(const Theme& theme, float scale) {
    ImGuiStyle style;
    if (luminance(theme.page) > 0.5) ImGui::StyleColorsLight(&style);  // for the few that are not set below
    set_sizes(style);
    set_surfaces(style.Colors, theme);
    set_controls(style.Colors, theme);
    style.ScaleAllSizes(scale);
    for (float* border : {&style.WindowBorderSize, &style.ChildBorderSize, &style.PopupBorderSize})
        *border = scale < 1.75f ? 1.0f : 2.0f;
#if IMGUI_VERSION_NUM >= 19200
    style.FontSizeBase = ImGui::GetStyle().FontSizeBase;  // as set by Fonts::load
#endif
    ImGui::GetStyle() = style;
}

}  // namespace warplens
