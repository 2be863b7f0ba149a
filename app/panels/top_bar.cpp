#include "app/panels/controls.h"
#include "app/panels/learn/learn_panel.h"
#include "app/panels/screen.h"
#include "app/panels/widgets.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <span>

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
        const float x = at.x + w * (0.25f + 0.25f * float(i));
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
        const float x = at.x + step * float(i), along = float(i) / (kSteps - 1);
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
            actions.add(action::set(&View::look, {entry.theme, look.palette}));
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
            actions.add(action::set(&View::look, {look.theme, entry.palette}));
        ui::mark(style, fmt::format("palette.{}", palette_key(entry.palette)), entry.meaning);
    }
    ImGui::EndDisabled();
}

constexpr SpaceEntry kSpaces[] = {
    {Space::global, "Global", "global memory"},
    {Space::shared, "Shared", "shared memory"},
    {Space::constant, "Constant", "constant memory"},
    {Space::texture, "Texture", "texture"},
    {Space::local, "Local", "local memory"},
    {Space::registers, "Registers", "register"},
    {Space::l2, "L2", "L2"},
    {Space::cluster, "Clusters", "cluster"},
};

/// Something at the right end of the bar: a pill, or a line of the menu where pills have no room.
struct BarItem {
    const char* label;
    const char* name;  ///< ui::mark
    std::string tooltip;
    Action press;
    const char* in_menu;  ///< its label there
    bool chosen = false;
    bool repeated = false;  ///< pressed several times: a menu stays open
};

/// The first ones are the last to go into the menu.
std::vector<BarItem> bar_items(const Frame& frame) {
    const bool comparing = frame.state->compared.has_value();
    return {
        {"Learn", "learn",
         fmt::format("Guided courses, and a quiz for a class {}.", key_hint(action::Show{&View::learn_menu})),
         action::Show{&View::learn_menu}, "Learn"},
        {"A|B", "compare",
         fmt::format("{} {}.",
                     comparing ? "Stop comparing; what is set stays"
                               : "Compare: what is set now is kept as A, what you set next is B beside it",
                     key_hint(action::Do::compare)),
         action::Do::compare, "Compare A with B", comparing},
        {"Export", "export",
         fmt::format("Write what you see as a picture or as numbers {}.", key_hint(action::Do::open_export)),
         action::Do::open_export, "Export"},
        {"Copy", "copy", "Copy the picture, its data, the command that makes it, or a link.",
         action::Show{&View::copy_menu}, "Copy"},
        {"Start", "start",
         fmt::format("The start page: all scenarios as pictures {}.",
                     key_hint(action::Toggle{&View::start_page})),
         action::Toggle{&View::start_page}, "Start page"},
        {"Demo", "demo",
         fmt::format("A talk of your own: record what is set as stops with notes, play it {}.",
                     key_hint(action::Show{&View::demo_menu})),
         action::Show{&View::demo_menu}, "Demos"},
        {"Theme", "theme",
         fmt::format("Dark, light, high contrast, print; palettes {}.", key_hint(action::Do::toggle_theme)),
         action::Show{&View::theme_menu}, "Theme"},
        {"?", "help", fmt::format("Keys, words and manual {}.", key_hint(action::Toggle{&View::help})),
         action::Toggle{&View::help}, "Keys, words, manual"},
        {"Projector", "projector",
         fmt::format("Large type and few panels, for a class {}.", key_hint(action::Do::projector)),
         action::Do::projector, "Projector mode"},
        {"Recordings", "recordings",
         fmt::format("Times that were taken on other GPUs, or at another time, beside the model {}.",
                     key_hint(action::Show{&View::recordings})),
         action::Show{&View::recordings}, "Recordings"},
        {"Kernel", "kernel",
         fmt::format("A kernel of your own: type CUDA, and the pictures follow {}.",
                     key_hint(action::Do::new_kernel)),
         action::Do::new_kernel, "Your kernel"},
        {"A−", "scale.down", "Smaller text and pictures (Ctrl+minus). Ctrl+0: as at first.",
         action::Scale{1 / 1.1f}, "Smaller", false, true},
        {"A+", "scale.up", "Larger text and pictures, for projectors (Ctrl+plus).", action::Scale{1.1f},
         "Larger", false, true},
    };
}

/// How much of the bar stands side by side.
struct Folding {
    bool title = true, spaces = true;
    std::size_t actions = 0;  ///< the others are in a menu
};

/// The parts that fit: the last actions go into a menu, then the spaces into a list, then the title goes.
Folding fold_bar(const PanelStyle& style, const std::vector<BarItem>& right, float room) {
    constexpr std::size_t kFew = 4;  // a list of spaces is better than a menu with more than the rest
    float title = 0, spaces = 0, list = style.px(128);
    {
        const ui::FontScope heading(style, FontRole::heading);
        title = ImGui::CalcTextSize("Warplens").x + style.px(28);
    }
    for (const SpaceEntry& entry : kSpaces) spaces += ui::pill_width(style, entry.label) + style.px(4);
    const float menu = ui::pill_width(style, "Menu") + style.px(4);
    const auto fitting = [&](float left) {
        std::size_t count = 0;
        float used = style.px(16);
        for (const BarItem& item : right) {
            used += ui::pill_width(style, item.label) + style.px(2);
            const bool last = count + 1 == right.size();
            if (used + (last ? 0 : menu) > left) break;
            ++count;
        }
        return count;
    };
    const std::size_t beside_spaces = fitting(room - title - spaces);
    if (beside_spaces >= kFew) return {true, true, beside_spaces};
    const std::size_t beside_list = fitting(room - title - list);
    if (beside_list >= kFew) return {true, false, beside_list};
    return {title + list + menu <= room, false, 0};
}

void show_spaces(const PanelStyle& style, const View& view, Actions& actions) {
    for (const SpaceEntry& entry : kSpaces) {
        if (ui::pill(style, entry.label, view.space == entry.space))
            actions.add(action::ShowSpace{entry.space});
        ui::mark(fmt::format("space.{}", entry.label));
        ui::term_tip(style, entry.term);
        ImGui::SameLine(0, style.px(4));
    }
}

void show_space_list(const PanelStyle& style, const View& view, Actions& actions) {
    const auto chosen = std::ranges::find(kSpaces, view.space, &SpaceEntry::space);
    ImGui::SetNextItemWidth(style.px(124));
    const bool open = ImGui::BeginCombo("##space", chosen->label, ImGuiComboFlags_HeightLarge);
    ui::mark("spaces");
    if (!open) return;
    for (const SpaceEntry& entry : kSpaces) {
        if (ImGui::Selectable(entry.label, view.space == entry.space))
            actions.add(action::ShowSpace{entry.space});
        ui::mark(fmt::format("space.{}", entry.label));
        ui::term_tip(style, entry.term);
    }
    ImGui::EndCombo();
}

void show_menu(const PanelStyle& style, std::span<const BarItem> right, float end, Actions& actions) {
    ImGui::SameLine(end - ui::pill_width(style, "Menu"));
    if (ui::chip(style, "Menu", false)) ImGui::OpenPopup("menu");
    ui::mark("menu");
    const float top = ImGui::GetItemRectMax().y + style.px(4);
    ImGui::SetNextWindowPos(ImVec2(end, top), ImGuiCond_Always, ImVec2(1, 0));
    // In a window that is low for its scale the menu scrolls; what mends that scale comes first.
    ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0),
                                        ImVec2(FLT_MAX, ImGui::GetIO().DisplaySize.y - top - style.px(4)));
    if (!ImGui::BeginPopup("menu")) return;
    for (auto it = right.rbegin(); it != right.rend(); ++it) {
        const BarItem& item = *it;
        if (ImGui::Selectable(item.in_menu, item.chosen,
                              item.repeated ? ImGuiSelectableFlags_DontClosePopups : 0))
            actions.add(item.press);
        ui::mark(style, item.name, item.tooltip);
    }
    ImGui::EndPopup();
}

/// The first `shown` actions as pills, the others in a menu, so that the last of all ends at `end`.
void show_actions(const PanelStyle& style, std::span<const BarItem> right, std::size_t shown, float end,
                  Actions& actions) {
    const bool menu = shown < right.size();
    float width = menu ? ui::pill_width(style, "Menu") : -style.px(2);
    for (const BarItem& item : right.first(shown)) width += ui::pill_width(style, item.label) + style.px(2);
    ImGui::SameLine(end - width);
    for (const BarItem& item : right.first(shown)) {
        if (ui::pill(style, item.label, item.chosen)) actions.add(item.press);
        ui::mark(style, item.name, item.tooltip);
        ImGui::SameLine(0, style.px(2));
    }
    if (menu) show_menu(style, right.subspan(shown), end, actions);
}

struct CopyItem {
    action::Do act;
    const char *label, *keys, *name, *tooltip;
};
constexpr CopyItem kItems[] = {
    {action::Do::copy_picture, "Picture", "", "copy.picture",
     "The picture as PNG, as the export dialog is set: for slides and documents."},
    {action::Do::copy_data, "Data", "Ctrl+C", "copy.data", "The numbers behind it as CSV: for spreadsheets."},
    {action::Do::copy_command, "Command", "Ctrl+Shift+C", "copy.command",
     "The command line that makes exactly this figure."},
    {action::Do::copy_link, "Link", "", "copy.link",
     "The place in this program with everything that is set: warplens 'LINK' opens it."},
};

void show_copy_menu(const PanelStyle& style, const View& view, Actions& actions) {
    const ui::BarMenu menu(style, "copy", view, &View::copy_menu, actions, ImVec2(10, 8));
    if (!menu) return;
    for (const CopyItem& item : kItems) {
        if (ImGui::MenuItem(item.label, item.keys)) actions.add(item.act);
        ui::mark(style, item.name, item.tooltip);
    }
}

void show_theme_menu(const PanelStyle& style, const View& view, Actions& actions) {
    const ui::BarMenu menu(style, "themes", view, &View::theme_menu, actions, ImVec2(14, 12));
    if (!menu) return;
    show_themes(style, view.look, actions);
    show_palettes(style, view.look, actions);
    bool motion = view.motion;
    ImGui::Checkbox("motion", &motion);
    actions.set(view, &View::motion, motion);
    ui::mark(style, "motion",
             "Cells, bars and curves glide to their new places. Off also where the desktop's "
             "settings ask for no animations.");
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + style.px(260));
    ui::text_weak(style,
                  "Ctrl+T: dark or light. Colours are told apart by eyes of all kinds, and each has a mark "
                  "or a pattern beside it.");
    ImGui::PopTextWrapPos();
}

}  // namespace

std::span<const SpaceEntry> space_entries() { return kSpaces; }

void show_top_bar(const Screen& screen) {
    const auto& [style, frame, view, memory, actions] = screen;
    const std::vector<BarItem> right = bar_items(frame);
    const float start = ImGui::GetCursorPosX(), end = ImGui::GetWindowWidth() - style.px(12);
    const Folding shown = fold_bar(style, right, end - start);
    if (shown.title) {
        ui::text(style, FontRole::heading, "Warplens");
        ui::mark("title");
        ImGui::SameLine(0, style.px(28));
    }
    if (shown.spaces)
        show_spaces(style, view, actions);
    else
        show_space_list(style, view, actions);
    show_actions(style, right, shown.actions, end, actions);
    show_bar_menus(screen);
}

void show_bar_menus(const Screen& screen) {
    const auto& [style, frame, view, memory, actions] = screen;
    show_copy_menu(style, view, actions);
    show_learn_menu(screen);
    show_demo_menu(style, *frame.learning, view, actions);
    show_recordings_menu(style, frame, view, actions);
    show_theme_menu(style, view, actions);
}

}  // namespace warplens
