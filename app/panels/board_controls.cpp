#include "app/panels/board_panel.h"
#include "app/panels/compare_panel.h"
#include "app/panels/widgets.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <utility>

namespace warplens {
namespace {

using ui::px;

/// The value with its unit, or without it where both do not fit beside the name.
std::string value_text(const Frame& frame, const BoardKnob& knob, int value) {
    const std::string number = format_count(value);
    if (knob.unit.empty()) return number;
    const std::string text = fmt::format("{} {}", number, knob.unit);
    const ui::FontScope mono(frame, FontRole::mono);
    const float name = ImGui::GetItemRectSize().x;
    const bool fits =
        name + px(frame, 30) + ImGui::CalcTextSize(text.c_str()).x < ImGui::GetContentRegionAvail().x;
    return fits ? text : number;
}

}  // namespace

bool show_board_slider(const Frame& frame, const Theme& theme, const BoardKnob& knob, BoardParams& params,
                       int limit, const std::string& text) {
    const std::string unit = knob.unit.empty() ? "" : fmt::format(" {}", knob.unit);
    const std::string range =
        fmt::format("{}\n{} = {} to {}{}.", knob.tooltip, knob.key, knob.min, format_count(limit), unit);
    const int usual = BoardParams{}.*knob.field;
    ui::text(knob.label);
    ui::mark(fmt::format("label.{}", knob.key));
    bool back = ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    ui::tip(frame, range);
    int value = params.*knob.field;
    const std::string a = value_of_a(frame, knob);
    if (value != usual && usual <= limit) {
        ImGui::SameLine(0, px(frame, 3));
        back |= ui::reset_button(frame, theme, fmt::format("##reset.{}", knob.key).c_str());
        ui::mark(fmt::format("reset.{}", knob.key));
        ui::tip(frame, fmt::format("Back to {} {}.", usual, key_hint(KeyAction::reset_knob)));
    }
    show_knob_value(frame, theme, text.empty() ? value_text(frame, knob, value) : text, a);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(px(frame, 4), -px(frame, 1)));
    ImGui::PushStyleVar(ImGuiStyleVar_GrabMinSize, px(frame, 14));
    ImGui::SetNextItemWidth(-FLT_MIN);
    ImGui::BeginDisabled(limit == knob.min);
    const std::string id = fmt::format("##{}", knob.key);
    const bool changed =
        ImGui::SliderInt(id.c_str(), &value, knob.min, limit, "", ImGuiSliderFlags_AlwaysClamp);
    ImGui::EndDisabled();
    ui::mark(fmt::format("knob.{}", knob.key));
    back |=
        frame.reset_knob && (ImGui::IsItemHovered() || (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible));
    if (!a.empty()) mark_slider(frame, theme, frame.other->state->boards.*knob.field, knob.min, limit);
    ui::tip(frame, range + " Ctrl+click to type a number.");
    ImGui::PopStyleVar(2);
    if (back && usual <= limit) return std::exchange(params.*knob.field, usual) != usual;
    if (!changed) return false;
    const bool typed = ImGui::GetIO().WantTextInput;
    params.*knob.field = typed || value == limit ? value : value / knob.step * knob.step;
    return true;
}

namespace {

/// The possible values side by side, for a knob that does not take all.
bool show_board_values(const Frame& frame, const Theme& theme, const BoardKnob& knob, BoardParams& params) {
    ImGui::AlignTextToFramePadding();
    ui::text(knob.label);
    ui::tip(frame, knob.tooltip);
    mark_choice(frame, theme, value_of_a(frame, knob));
    int chosen = params.*knob.field;
    for (int value = knob.min; value <= board_limit(knob, params); ++value) {
        if (!knob.allows(params, value)) continue;
        ImGui::SameLine(0, px(frame, value == knob.min ? 12 : 2));
        if (ui::chip(frame, theme, std::to_string(value).c_str(), value == params.*knob.field))
            chosen = value;
        ui::mark(fmt::format("knob.{}.{}", knob.key, value));
        ui::tip(frame, fmt::format("{}\n{} = {}", knob.tooltip, knob.key, value));
    }
    return std::exchange(params.*knob.field, chosen) != chosen;
}

}  // namespace

bool show_board_controls(const Frame& frame, const Theme& theme, State& state, Wishes&) {
    bool changed = false;
    if (state.board == Board::occupancy) {
        changed = show_occupancy_controls(frame, theme, state);
    } else {
        for (const BoardKnob& knob : board_knobs()) {
            if (knob.board != state.board || knob.on_board) continue;
            changed |= knob.allows != nullptr ? show_board_values(frame, theme, knob, state.boards)
                                              : show_board_slider(frame, theme, knob, state.boards,
                                                                  board_limit(knob, state.boards));
        }
    }
    if (changed) clamp_board(state.boards);
    return changed;
}

}  // namespace warplens
