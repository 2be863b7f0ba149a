#include "app/panels/overlays.h"
#include "app/panels/widgets.h"
#include "app/pictures/kit/canvas.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

constexpr float kWidth = 660, kKindWidth = 84, kGapBetween = 12;  // [points]

/// ImGui calls it for the up and down keys, which then do not move the focus out of the field.
int move_row(ImGuiInputTextCallbackData* data) {
    auto& finder = *static_cast<Finder*>(data->UserData);
    if (finder.found.empty()) return 0;
    const std::size_t count = finder.found.size();
    finder.row = (finder.row + (data->EventKey == ImGuiKey_UpArrow ? count - 1 : 1)) % count;
    return 0;
}

/// The field always has the keyboard. @return  whether Enter was pressed in it.
bool show_field(const PanelStyle& style, Finder& finder) {
    const ui::FontScope heading(style, FontRole::heading);
    ui::fill_width();
    if (ImGui::IsWindowAppearing() || !ImGui::IsAnyItemActive()) ui::take_keyboard();
    const bool entered = ImGui::InputTextWithHint(
        "##find", "Find a scenario, a parameter, a word, a command", finder.typed.data(), finder.typed.size(),
        ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackHistory, move_row, &finder);
    ui::mark("find.text");
    return entered;
}

/// @return  whether it was clicked.
bool show_row(const PanelStyle& style, const Findable& one, std::size_t row, Finder& finder) {
    const float top = ImGui::GetCursorPosY(), left = ImGui::GetCursorPosX(),
                right = left + ImGui::GetContentRegionAvail().x, high = ImGui::GetFrameHeight();
    const std::string id = fmt::format("find.{}", row);
    const bool pressed = ImGui::Selectable(("##" + id).c_str(), finder.row == row,
                                           ImGuiSelectableFlags_DontClosePopups, ImVec2(0, high));
    ui::mark(id);
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    if (ImGui::IsItemHovered() && (moved.x != 0 || moved.y != 0)) finder.row = row;
    const ImVec2 below = ImGui::GetCursorScreenPos();
    const auto at = [&](float x) {
        ImGui::SetCursorPos(ImVec2(x, top));
        ImGui::AlignTextToFramePadding();
    };
    at(left + style.px(4));
    ui::text_weak(style, kind_name(one.kind));
    const float keys = one.keys.empty() ? 0 : ImGui::CalcTextSize(one.keys.c_str()).x + style.px(kGapBetween);
    if (keys > 0) {
        at(right - keys + style.px(kGapBetween - 4));
        ui::text_colored(style.colors.accent, one.keys);
    }
    const float start = left + style.px(kKindWidth);
    const float room = (right - keys - start) / style.scale;
    at(start);
    const std::string title = elide(one.title, FontRole::body, room, style.fonts);
    ui::text(title);
    const float used = style.fonts.width(title, FontRole::body) + kGapBetween;
    const std::string remark = elide(one.remark, FontRole::body, room - used, style.fonts);
    at(start + style.px(used));
    ui::text_weak(style, remark);
    ui::begin_line_at(below);
    return pressed;
}

void choose(const Finder& finder, Actions& actions) {
    actions.add(action::Show{&View::finder, false});
    if (finder.row >= finder.found.size()) return;
    for (const Action& action : finder.all[finder.found[finder.row]].actions) actions.add(action);
}

void show_list(const PanelStyle& style, Finder& finder, std::size_t most, Actions& actions) {
    const std::string before = finder.typed.data();
    bool chosen = show_field(style, finder);
    if (before != finder.typed.data()) {
        finder.found = find_in(finder.all, finder.typed.data(), Finder::kMostRows);
        finder.row = 0;
    }
    // A low window has no room for all rows: the chosen one stays visible.
    const std::size_t shown = std::min(most, finder.found.size());
    const std::size_t first = finder.row < shown ? 0 : finder.row + 1 - shown;
    for (std::size_t i = first; i < first + shown; ++i) {
        if (!show_row(style, finder.all[finder.found[i]], i, finder)) continue;
        finder.row = i;
        chosen = true;
    }
    if (finder.found.empty()) ui::text_weak(style, "Nothing was found.");
    if (chosen && !finder.found.empty()) {
        choose(finder, actions);
        ImGui::CloseCurrentPopup();
    }
}

}  // namespace

void show_finder(const PanelStyle& style, const Frame& frame, const View& view, Finder& finder,
                 Actions& actions) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float top = screen.y * 0.1f, padding = style.px(10);
    const float row = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.y;
    const float rows = (screen.y * 0.98f - top - 2 * padding) / row - 2;  // the field is as high as two
    ImGui::SetNextWindowPos(ImVec2(screen.x / 2, top), ImGuiCond_Always, ImVec2(0.5f, 0));
    ImGui::SetNextWindowSize(ImVec2(std::min(style.px(kWidth), screen.x * 0.96f), 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(padding, padding));
    if (const ui::Overlay list("finder", view, &View::finder, actions, ImGuiWindowFlags_NoNav); list) {
        if (list.begins()) {
            finder = {};
            finder.all = findables(frame);
            finder.found = find_in(finder.all, "", Finder::kMostRows);
        }
        show_list(style, finder, static_cast<std::size_t>(std::clamp(rows, 1.0f, 12.0f)), actions);
    }
    ImGui::PopStyleVar();
}

}  // namespace warplens
