#include "app/keys.h"
#include "app/panels/controls.h"
#include "app/panels/learn_panel.h"
#include "app/panels/overlays.h"
#include "app/panels/recordings_menu.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace warplens {
namespace {

using ui::px;

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
struct Action {
    const char* label;
    const char* name;  ///< ui::mark
    std::string tooltip;
    std::function<void()> press;
    const char* in_menu;  ///< its label there
};

std::vector<Action> actions(View& view, Wishes& wishes) {
    return {
        {"Learn", "learn", "Guided courses, and a quiz for a class.", [&] { view.learn.menu = true; },
         "Learn"},
        {"Recordings", "recordings",
         fmt::format("Times that were taken on other GPUs, or at another time, beside the model {}.",
                     key_hint(KeyAction::recordings)),
         [&] { view.recordings = true; }, "Recordings"},
        {"Projector", "projector",
         fmt::format("Large type and few panels, for a class {}.", key_hint(KeyAction::projector)),
         [&] { wishes.toggle_projector = true; }, "Projector mode"},
        {"Theme", "theme", fmt::format("Dark, light, high contrast, print {}.", key_hint(KeyAction::theme)),
         [&] { view.theme_menu = true; }, "Theme"},
        {"A−", "scale.down", "Smaller text and pictures (Ctrl+minus). Ctrl+0: as at first.",
         [&] { wishes.user_scale_factor = 1 / 1.1f; }, "Smaller"},
        {"A+", "scale.up", "Larger text and pictures, for projectors (Ctrl+plus).",
         [&] { wishes.user_scale_factor = 1.1f; }, "Larger"},
        {"?", "help", fmt::format("Keys and words {}.", key_hint(KeyAction::help)),
         [&] { view.help = !view.help; }, "Keys and words"},
    };
}

/// How much of the bar stands side by side.
struct Folding {
    bool title = true, spaces = true, actions = true;
};

/// What has room: first the actions go into a menu, then the spaces into a list, then the title goes.
Folding fold_bar(const Frame& frame, const std::vector<Action>& right, float room) {
    float title = 0, spaces = 0, pills = 0, list = px(frame, 128);
    {
        const ui::FontScope heading(frame, FontRole::heading);
        title = ImGui::CalcTextSize("Warplens").x + px(frame, 28);
    }
    for (const SpaceEntry& entry : kSpaces) spaces += ui::pill_width(frame, entry.label) + px(frame, 4);
    for (const Action& action : right) pills += ui::pill_width(frame, action.label) + px(frame, 2);
    const float menu = ui::pill_width(frame, "Menu") + px(frame, 16);
    if (title + spaces + pills + px(frame, 16) <= room) return {};
    if (title + spaces + menu <= room) return {true, true, false};
    if (title + list + pills + px(frame, 16) <= room) return {true, false, true};
    return {title + list + menu <= room, false, false};
}

void choose_space(const Frame& frame, View& view, Space space, const Scenario*& go_to) {
    view.space = space;
    if (!frame.state->scenario->in(space)) go_to = first_of(space);
}

void show_spaces(const Frame& frame, const Theme& colors, View& view, const Scenario*& go_to) {
    for (const SpaceEntry& entry : kSpaces) {
        if (ui::pill(frame, colors, entry.label, view.space == entry.space))
            choose_space(frame, view, entry.space, go_to);
        ui::mark(fmt::format("space.{}", entry.label));
        ui::term_tip(frame, entry.term);
        ImGui::SameLine(0, px(frame, 4));
    }
}

void show_space_list(const Frame& frame, View& view, const Scenario*& go_to) {
    const auto chosen = std::ranges::find(kSpaces, view.space, &SpaceEntry::space);
    ImGui::SetNextItemWidth(px(frame, 124));
    const bool open = ImGui::BeginCombo("##space", chosen->label, ImGuiComboFlags_HeightLarge);
    ui::mark("spaces");
    if (!open) return;
    for (const SpaceEntry& entry : kSpaces) {
        if (ImGui::Selectable(entry.label, view.space == entry.space))
            choose_space(frame, view, entry.space, go_to);
        ui::mark(fmt::format("space.{}", entry.label));
        ui::term_tip(frame, entry.term);
    }
    ImGui::EndCombo();
}

void show_actions(const Frame& frame, const Theme& colors, const std::vector<Action>& right, float end) {
    float width = -px(frame, 2);
    for (const Action& action : right) width += ui::pill_width(frame, action.label) + px(frame, 2);
    ImGui::SameLine(end - width);
    for (const Action& action : right) {
        if (ui::pill(frame, colors, action.label, false)) action.press();
        ui::mark(action.name);
        ui::tip(frame, action.tooltip);
        ImGui::SameLine(0, px(frame, 2));
    }
}

void show_menu(const Frame& frame, const Theme& colors, const std::vector<Action>& right, float end) {
    ImGui::SameLine(end - ui::pill_width(frame, "Menu"));
    if (ui::chip(frame, colors, "Menu", false)) ImGui::OpenPopup("menu");
    ui::mark("menu");
    ImGui::SetNextWindowPos(ImVec2(end, ImGui::GetItemRectMax().y + px(frame, 4)), ImGuiCond_Always,
                            ImVec2(1, 0));
    if (!ImGui::BeginPopup("menu")) return;
    for (const Action& action : right) {
        const bool stays = std::string_view(action.name).starts_with("scale.");  // pressed several times
        if (ImGui::Selectable(action.in_menu, false, stays ? ImGuiSelectableFlags_DontClosePopups : 0))
            action.press();
        ui::mark(action.name);
        ui::tip(frame, action.tooltip);
    }
    ImGui::EndPopup();
}

}  // namespace

void show_top_bar(const Frame& frame, View& view, Wishes& wishes, const Scenario*& go_to) {
    const Theme& colors = theme(view.theme);
    const std::vector<Action> right = actions(view, wishes);
    const float start = ImGui::GetCursorPosX(), end = ImGui::GetWindowWidth() - px(frame, 12);
    const Folding shown = fold_bar(frame, right, end - start);
    if (shown.title) {
        {
            const ui::FontScope title(frame, FontRole::heading);
            ui::text("Warplens");
        }
        ui::mark("title");
        ImGui::SameLine(0, px(frame, 28));
    }
    if (shown.spaces)
        show_spaces(frame, colors, view, go_to);
    else
        show_space_list(frame, view, go_to);
    if (shown.actions)
        show_actions(frame, colors, right, end);
    else
        show_menu(frame, colors, right, end);
    show_learn_menu(frame, view, wishes);
    show_recordings_menu(frame, view, wishes);
    show_theme_menu(frame, view);
}

}  // namespace warplens
