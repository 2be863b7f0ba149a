#include "app/panels/overlays.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

namespace warplens {
namespace {

using ui::px;

struct Entry {
    ThemeName theme;
    const char* label;
    const char* meaning;
};
constexpr Entry kEntries[] = {
    {ThemeName::dark, "Dark", "for the desk and the night"},
    {ThemeName::light, "Light", "for slides and projectors"},
    {ThemeName::high_contrast, "High contrast", "white on black, for bright rooms and weak eyes"},
    {ThemeName::print, "Print",
     "greys and patterns instead of colours: for paper, and for eyes that see none"},
};

/// A piece of the theme itself: its panel with text, a lane and the colours of model and measured.
void show_sample(const Frame& frame, ThemeName name) {
    const Theme& t = theme(name);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float w = px(frame, 44), h = ImGui::GetTextLineHeight() * 1.3f;
    ImGui::Dummy(ImVec2(w, h));
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(at, ImVec2(at.x + w, at.y + h), ui::color(t.panel), px(frame, 3));
    ui::add_rect(draw, at, ImVec2(at.x + w, at.y + h), ui::color(t.outline), px(frame, 3), 1);
    const Color parts[] = {t.text, t.series[kSeriesMeasured], t.series[kSeriesModel]};
    for (int i = 0; i < 3; ++i) {
        const float x = at.x + w * (0.25f + 0.25f * static_cast<float>(i));
        draw->AddCircleFilled(ImVec2(x, at.y + h / 2), px(frame, 4), ui::color(parts[i]));
    }
}

}  // namespace

void show_theme_menu(const Frame& frame, View& view) {
    if (view.theme_menu) ImGui::OpenPopup("themes");
    view.theme_menu = false;
    const ImVec2 corner(ImGui::GetIO().DisplaySize.x - px(frame, 12), px(frame, 44));
    ImGui::SetNextWindowPos(corner, ImGuiCond_Always, ImVec2(1, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(px(frame, 14), px(frame, 12)));
    if (ImGui::BeginPopup("themes")) {
        const Theme& colors = theme(view.theme);
        for (const Entry& entry : kEntries) {
            show_sample(frame, entry.theme);
            ImGui::SameLine(0, px(frame, 8));
            if (ImGui::RadioButton(entry.label, view.theme == entry.theme)) view.theme = entry.theme;
            ui::mark(fmt::format("theme.{}", theme_key(entry.theme)));
            ui::tip(frame, entry.meaning);
        }
        ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + px(frame, 260));
        ui::text_weak(
            colors,
            "Ctrl+T: dark or light. Colours are told apart by eyes of all kinds, and each has a mark "
            "or a pattern beside it.");
        ImGui::PopTextWrapPos();
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}

}  // namespace warplens
