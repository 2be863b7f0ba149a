#include "app/panels/controls.h"
#include "app/panels/figure_buttons.h"
#include "app/panels/learn_panel.h"
#include "app/panels/overlays.h"
#include "app/panels/recordings_menu.h"
#include "app/panels/widgets.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <functional>
#include <ranges>
#include <span>

namespace warplens {
namespace {

struct SpaceEntry {
    Space space;
    const char* label;
    const char* term;  ///< in the glossary
};
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

const Scenario* first_of(Space space) {
    for (const Scenario& scenario : all_scenarios()) {
        if (scenario.in(space)) return &scenario;
    }
    return nullptr;
}

/// Something at the right end of the bar: a pill, or a line of the menu where pills have no room.
struct BarItem {
    const char* label;
    const char* name;  ///< ui::mark
    std::string tooltip;
    std::function<void()> press;
    const char* in_menu;  ///< its label there
    bool chosen = false;
};

/// The first ones are the last to go into the menu.
std::vector<BarItem> bar_items(const Frame& frame, View& view, Wishes& wishes) {
    const bool comparing = frame.state->compared.has_value();
    return {
        {"Learn", "learn",
         fmt::format("Guided courses, and a quiz for a class {}.", key_hint(KeyAction::learn)),
         [&] { view.learn.menu = true; }, "Learn"},
        {"A|B", "compare",
         fmt::format("{} {}.",
                     comparing ? "Stop comparing; what is set stays"
                               : "Compare: what is set now is kept as A, what you set next is B beside it",
                     key_hint(KeyAction::compare)),
         [&] { wishes.figure = FigureAct::compare; }, "Compare A with B", comparing},
        {"Export", "export",
         fmt::format("Write what you see as a picture or as numbers {}.", key_hint(KeyAction::export_figure)),
         [&] { wishes.figure = FigureAct::open_export; }, "Export"},
        {"Copy", "copy", "Copy the picture, its data, the command that makes it, or a link.",
         [&] { view.copy_menu = true; }, "Copy"},
        {"Recordings", "recordings",
         fmt::format("Times that were taken on other GPUs, or at another time, beside the model {}.",
                     key_hint(KeyAction::recordings)),
         [&] { view.recordings = true; }, "Recordings"},
        {"Theme", "theme",
         fmt::format("Dark, light, high contrast, print; palettes {}.", key_hint(KeyAction::theme)),
         [&] { view.theme_menu = true; }, "Theme"},
        {"?", "help", fmt::format("Keys and words {}.", key_hint(KeyAction::help)),
         [&] { view.help = !view.help; }, "Keys and words"},
        {"Projector", "projector",
         fmt::format("Large type and few panels, for a class {}.", key_hint(KeyAction::projector)),
         [&] { wishes.toggle_projector = true; }, "Projector mode"},
        {"A−", "scale.down", "Smaller text and pictures (Ctrl+minus). Ctrl+0: as at first.",
         [&] { wishes.user_scale_factor = 1 / 1.1f; }, "Smaller"},
        {"A+", "scale.up", "Larger text and pictures, for projectors (Ctrl+plus).",
         [&] { wishes.user_scale_factor = 1.1f; }, "Larger"},
    };
}

/// How much of the bar stands side by side.
struct Folding {
    bool title = true, spaces = true;
    std::size_t actions = 0;  ///< the others are in a menu
};

/// What has room: first the last actions go into a menu, then the spaces into a list, then the title goes.
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
        for (const BarItem& action : right) {
            used += ui::pill_width(style, action.label) + style.px(2);
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

void choose_space(const Frame& frame, View& view, Space space, const Scenario*& go_to) {
    view.space = space;
    if (!frame.state->scenario->in(space)) go_to = first_of(space);
}

void show_spaces(const PanelStyle& style, const Frame& frame, View& view, const Scenario*& go_to) {
    for (const SpaceEntry& entry : kSpaces) {
        if (ui::pill(style, entry.label, view.space == entry.space))
            choose_space(frame, view, entry.space, go_to);
        ui::mark(fmt::format("space.{}", entry.label));
        ui::term_tip(style, entry.term);
        ImGui::SameLine(0, style.px(4));
    }
}

void show_space_list(const PanelStyle& style, const Frame& frame, View& view, const Scenario*& go_to) {
    const auto chosen = std::ranges::find(kSpaces, view.space, &SpaceEntry::space);
    ImGui::SetNextItemWidth(style.px(124));
    const bool open = ImGui::BeginCombo("##space", chosen->label, ImGuiComboFlags_HeightLarge);
    ui::mark("spaces");
    if (!open) return;
    for (const SpaceEntry& entry : kSpaces) {
        if (ImGui::Selectable(entry.label, view.space == entry.space))
            choose_space(frame, view, entry.space, go_to);
        ui::mark(fmt::format("space.{}", entry.label));
        ui::term_tip(style, entry.term);
    }
    ImGui::EndCombo();
}

void show_menu(const PanelStyle& style, std::span<const BarItem> right, float end) {
    ImGui::SameLine(end - ui::pill_width(style, "Menu"));
    if (ui::chip(style, "Menu", false)) ImGui::OpenPopup("menu");
    ui::mark("menu");
    const float top = ImGui::GetItemRectMax().y + style.px(4);
    ImGui::SetNextWindowPos(ImVec2(end, top), ImGuiCond_Always, ImVec2(1, 0));
    // In a window that is low for its scale the menu scrolls; what mends that scale comes first.
    ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0),
                                        ImVec2(FLT_MAX, ImGui::GetIO().DisplaySize.y - top - style.px(4)));
    if (!ImGui::BeginPopup("menu")) return;
    for (const BarItem& action : right | std::views::reverse) {
        const bool stays = std::string_view(action.name).starts_with("scale.");  // pressed several times
        if (ImGui::Selectable(action.in_menu, action.chosen,
                              stays ? ImGuiSelectableFlags_DontClosePopups : 0))
            action.press();
        ui::mark(action.name);
        ui::tip(style, action.tooltip);
    }
    ImGui::EndPopup();
}

/// The first `shown` actions as pills, the others in a menu, so that the last of all ends at `end`.
void show_actions(const PanelStyle& style, std::span<const BarItem> right, std::size_t shown, float end) {
    const bool menu = shown < right.size();
    float width = menu ? ui::pill_width(style, "Menu") : -style.px(2);
    for (const BarItem& action : right.first(shown))
        width += ui::pill_width(style, action.label) + style.px(2);
    ImGui::SameLine(end - width);
    for (const BarItem& action : right.first(shown)) {
        if (ui::pill(style, action.label, action.chosen)) action.press();
        ui::mark(action.name);
        ui::tip(style, action.tooltip);
        ImGui::SameLine(0, style.px(2));
    }
    if (menu) show_menu(style, right.subspan(shown), end);
}

}  // namespace

void show_top_bar(const PanelStyle& style, const Frame& frame, View& view, Wishes& wishes,
                  const Scenario*& go_to) {
    const std::vector<BarItem> right = bar_items(frame, view, wishes);
    const float start = ImGui::GetCursorPosX(), end = ImGui::GetWindowWidth() - style.px(12);
    const Folding shown = fold_bar(style, right, end - start);
    if (shown.title) {
        ui::text(style, FontRole::heading, "Warplens");
        ui::mark("title");
        ImGui::SameLine(0, style.px(28));
    }
    if (shown.spaces)
        show_spaces(style, frame, view, go_to);
    else
        show_space_list(style, frame, view, go_to);
    show_actions(style, right, shown.actions, end);
    show_bar_menus(style, frame, view, wishes);
}

void show_bar_menus(const PanelStyle& style, const Frame& frame, View& view, Wishes& wishes) {
    show_copy_menu(style, view, wishes);
    show_learn_menu(style, *frame.learning, view, wishes);
    show_recordings_menu(style, frame, view, wishes);
    show_theme_menu(style, view);
}

}  // namespace warplens
