#include "app/gl/window.h"

#include "app/gl/imgui_compat.h"

namespace warplens {
namespace {

ImVec4 im(Color c, float alpha = 1) {
    const auto part = [](std::uint8_t channel) { return float(channel) / 255.0f; };
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

/// The parts that have a colour of the theme as it is.
struct Painted {
    Color Theme::*color;
    std::vector<ImGuiCol> parts;
};
const Painted kPainted[] = {
    {&Theme::text, {ImGuiCol_Text}},
    {&Theme::text_weak, {ImGuiCol_TextDisabled}},
    {&Theme::page, {ImGuiCol_WindowBg}},
    {&Theme::panel,
     {ImGuiCol_ChildBg, ImGuiCol_PopupBg, ImGuiCol_MenuBarBg, ImGuiCol_TitleBg, ImGuiCol_TitleBgActive,
      ImGuiCol_TitleBgCollapsed, ImGuiCol_TableHeaderBg, ImGuiCol_Tab, ui::kColorTabDimmed}},
    {&Theme::panel_border,
     {ImGuiCol_Border, ImGuiCol_TableBorderStrong, ImGuiCol_TableBorderLight, ImGuiCol_ScrollbarGrab,
      ImGuiCol_Separator}},
    {&Theme::outline, {ImGuiCol_ScrollbarGrabHovered}},
    {&Theme::control,
     {ImGuiCol_FrameBg, ImGuiCol_Button, ImGuiCol_Header, ui::kColorTabSelected,
      ui::kColorTabDimmedSelected}},
    {&Theme::control_hover,
     {ImGuiCol_FrameBgHovered, ImGuiCol_ButtonHovered, ImGuiCol_HeaderHovered, ImGuiCol_TabHovered}},
    {&Theme::accent,
     {ImGuiCol_CheckMark, ImGuiCol_SliderGrab, ImGuiCol_ScrollbarGrabActive, ImGuiCol_SeparatorHovered,
      ImGuiCol_SeparatorActive, ImGuiCol_ResizeGripHovered, ImGuiCol_ResizeGripActive, ImGuiCol_PlotHistogram,
      ImGuiCol_DragDropTarget, ui::kColorNavCursor}}};

void set_colors(ImVec4* colors, const Theme& t) {
    for (const auto& [color, parts] : kPainted)
        for (const ImGuiCol part : parts) colors[part] = im(t.*color);
    for (const ImGuiCol part : {ImGuiCol_FrameBgActive, ImGuiCol_ButtonActive, ImGuiCol_HeaderActive})
        colors[part] = im(mix(t.control_hover, t.accent, 0.35f));
    for (const ImGuiCol part :
         {ImGuiCol_BorderShadow, ImGuiCol_TableRowBg, ImGuiCol_ScrollbarBg, ImGuiCol_ResizeGrip})
        colors[part] = ImVec4(0, 0, 0, 0);
    colors[ImGuiCol_TableRowBgAlt] = im(t.control, 0.5f);
    colors[ImGuiCol_ModalWindowDimBg] = ImVec4(0, 0, 0, 0.45f);
    colors[ImGuiCol_SliderGrabActive] = im(mix(t.accent, t.text, 0.25f));
    colors[ImGuiCol_TextSelectedBg] = im(t.accent, 0.35f);
}

}  // namespace

void apply_theme(const Theme& theme, float scale) {
    ImGuiStyle style;
    if (luminance(theme.page) > 0.5) ImGui::StyleColorsLight(&style);  // for the few that are not set below
    set_sizes(style);
    set_colors(style.Colors, theme);
    style.ScaleAllSizes(scale);
    for (float* border : {&style.WindowBorderSize, &style.ChildBorderSize, &style.PopupBorderSize})
        *border = scale < 1.75f ? 1.0f : 2.0f;
#if IMGUI_VERSION_NUM >= 19200
    style.FontSizeBase = ImGui::GetStyle().FontSizeBase;  // as set by Fonts::load
#endif
    ImGui::GetStyle() = style;
}

}  // namespace warplens
