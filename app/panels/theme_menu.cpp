#include "app/panels/overlays.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

namespace warplens {
namespace {

struct Entry {
    ThemeName theme;
    const char* label;
    const char* meaning;
};
constexpr Entry kThemes[] = {
    {ThemeName::dark, "Dark", "for the desk and the night"},
    {ThemeName::light, "Light", "for slides and projectors"},
    {ThemeName::high_contrast, "High contrast", "white on black, for bright rooms and weak eyes"},
    {ThemeName::print, "Print",
     "greys and patterns instead of colours: for paper, and for eyes that see none"},
};

struct PaletteEntry {
    PaletteName palette;
    const char* label;
    const char* meaning;
};
constexpr PaletteEntry kPalettes[] = {
    {PaletteName::okabe_ito, "Okabe-Ito",
     "cividis for lanes, viridis for counts, blue to vermilion for wavefronts"},
    {PaletteName::tol, "Tol", "Paul Tol's vibrant and iridescent colours: warmer, and stronger in plots"},
    {PaletteName::plasma, "Plasma", "plasma, magma and inferno: more of light and dark, for weak projectors"},
};

/// A piece of the theme itself: its panel with text, a lane and the colours of model and measured.
void show_sample(const PanelStyle& style, const ThemeChoice& look) {
    const Theme& t = theme(look);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float w = style.px(44), h = ImGui::GetTextLineHeight() * 1.3f;
    ImGui::Dummy(ImVec2(w, h));
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(at, ImVec2(at.x + w, at.y + h), ui::color(t.panel), style.px(3));
    ui::add_rect(draw, at, ImVec2(at.x + w, at.y + h), ui::color(t.outline), style.px(3), 1);
    const Color parts[] = {t.text, t.series[kSeriesMeasured], t.series[kSeriesModel]};
    for (int i = 0; i < 3; ++i) {
        const float x = at.x + w * (0.25f + 0.25f * static_cast<float>(i));
        draw->AddCircleFilled(ImVec2(x, at.y + h / 2), style.px(4), ui::color(parts[i]));
    }
}

/// A palette's lanes over its wavefronts, from the first to the last.
void show_bands(const PanelStyle& style, const ThemeChoice& look) {
    constexpr int kSteps = 16;
    const Theme& t = theme(look);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float w = style.px(44), h = ImGui::GetTextLineHeight() * 1.3f, step = w / kSteps;
    ImGui::Dummy(ImVec2(w, h));
    ImDrawList* draw = ImGui::GetWindowDrawList();
    for (int i = 0; i < kSteps; ++i) {
        const float x = at.x + step * static_cast<float>(i), along = static_cast<float>(i) / (kSteps - 1);
        draw->AddRectFilled(ImVec2(x, at.y), ImVec2(x + step, at.y + h * 0.5f),
                            ui::color(lane_color(t, 2 * i + 1)));
        draw->AddRectFilled(ImVec2(x, at.y + h * 0.5f), ImVec2(x + step, at.y + h),
                            ui::color(ramp_color(wavefront_ramp(t), along)));
    }
}

void show_themes(const PanelStyle& style, const ThemeChoice& look, Actions& actions) {
    for (const Entry& entry : kThemes) {
        show_sample(style, {entry.theme, look.palette});
        ImGui::SameLine(0, style.px(8));
        if (ImGui::RadioButton(entry.label, look.theme == entry.theme))
            actions.add(action::SetTheme{{entry.theme, look.palette}});
        ui::mark(style, fmt::format("theme.{}", theme_key(entry.theme)), entry.meaning);
    }
}

void show_palettes(const PanelStyle& style, const ThemeChoice& look, Actions& actions) {
    const bool grey = look.theme == ThemeName::print;
    ImGui::Dummy(ImVec2(0, style.px(2)));
    ui::text_weak(style, grey ? "Palette: print has greys" : "Palette");
    ImGui::BeginDisabled(grey);
    for (const PaletteEntry& entry : kPalettes) {
        show_bands(style, {grey ? ThemeName::light : look.theme, entry.palette});
        ImGui::SameLine(0, style.px(8));
        if (ImGui::RadioButton(entry.label, look.palette == entry.palette))
            actions.add(action::SetTheme{{look.theme, entry.palette}});
        ui::mark(style, fmt::format("palette.{}", palette_key(entry.palette)), entry.meaning);
    }
    ImGui::EndDisabled();
}

}  // namespace

void show_theme_menu(const PanelStyle& style, View& view, Actions& actions) {
    const ui::BarMenu menu(style, "themes", view.theme_menu, ImVec2(14, 12));
    if (!menu) return;
    show_themes(style, view.look, actions);
    show_palettes(style, view.look, actions);
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + style.px(260));
    ui::text_weak(style,
                  "Ctrl+T: dark or light. Colours are told apart by eyes of all kinds, and each has a mark "
                  "or a pattern beside it.");
    ImGui::PopTextWrapPos();
}

}  // namespace warplens
