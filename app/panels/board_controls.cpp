#include "app/panels/board_panel.h"
#include "app/panels/compare_panel.h"
#include "app/panels/widgets.h"
#include "app/window/keys.h"

#include <fmt/format.h>

namespace warplens {
namespace {

/// The value with its unit, or without it where both do not fit beside the name.
std::string value_text(const PanelStyle& style, const BoardKnob& knob, int value) {
    const std::string number = format_count(value);
    if (knob.unit.empty()) return number;
    const std::string text = fmt::format("{} {}", number, knob.unit);
    const ui::FontScope mono(style, FontRole::mono);
    const float name = ImGui::GetItemRectSize().x;
    const bool fits =
        name + style.px(30) + ImGui::CalcTextSize(text.c_str()).x < ImGui::GetContentRegionAvail().x;
    return fits ? text : number;
}

/// @return  whether that is another value than before
bool put_value(const BoardKnob& knob, BoardValues& values, int value) {
    if (values[knob] == value) return false;
    values.set(knob, value);
    return true;
}

}  // namespace

bool show_board_slider(const PanelStyle& style, const Frame& frame, const BoardKnob& knob,
                       BoardValues& values, int limit, const std::string& text) {
    const std::string unit = knob.unit.empty() ? "" : fmt::format(" {}", knob.unit);
    const std::string range =
        fmt::format("{}\n{} = {} to {}{}.", knob.tooltip, knob.key, knob.min, format_count(limit), unit);
    const int usual = knob.usual;
    ui::text(knob.label);
    ui::mark(fmt::format("label.{}", knob.key));
    bool back = ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    ui::tip(style, range);
    int value = values[knob];
    const std::string a = value_of_a(frame, knob);
    if (value != usual && usual <= limit) {
        ImGui::SameLine(0, style.px(3));
        back |= ui::reset_button(style, fmt::format("##reset.{}", knob.key).c_str());
        ui::mark(style, fmt::format("reset.{}", knob.key),
                 fmt::format("Back to {} {}.", usual, key_hint(action::Do::reset_knob)));
    }
    show_knob_value(style, text.empty() ? value_text(style, knob, value) : text, a);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(style.px(4), -style.px(1)));
    ImGui::PushStyleVar(ImGuiStyleVar_GrabMinSize, style.px(14));
    ImGui::SetNextItemWidth(-FLT_MIN);
    ImGui::BeginDisabled(limit == knob.min);
    const std::string id = fmt::format("##{}", knob.key);
    const bool changed =
        ImGui::SliderInt(id.c_str(), &value, knob.min, limit, "", ImGuiSliderFlags_AlwaysClamp);
    ImGui::EndDisabled();
    ui::mark(fmt::format("knob.{}", knob.key));
    back |=
        frame.reset_knob && (ImGui::IsItemHovered() || (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible));
    if (!a.empty()) mark_slider(style, frame.other->state->boards[knob], knob.min, limit);
    ui::tip(style, range + " Ctrl+click to type a number.");
    ImGui::PopStyleVar(2);
    if (back && usual <= limit) value = usual;
    if (!changed && !back) return false;
    const bool exact = back || ImGui::GetIO().WantTextInput || value == limit;
    return put_value(knob, values, exact ? value : value / knob.step * knob.step) || changed;
}

namespace {

/// The possible values side by side, for a knob that does not take all.
bool show_board_values(const PanelStyle& style, const Frame& frame, const BoardKnob& knob,
                       BoardValues& values) {
    ImGui::AlignTextToFramePadding();
    ui::text(knob.label);
    ui::tip(style, knob.tooltip);
    mark_choice(style, value_of_a(frame, knob));
    int chosen = values[knob];
    for (int value = knob.min; value <= board_limit(knob, values); ++value) {
        if (!knob.allows(values, value)) continue;
        ImGui::SameLine(0, style.px(value == knob.min ? 12 : 2));
        if (ui::chip(style, std::to_string(value).c_str(), value == values[knob])) chosen = value;
        ui::mark(style, fmt::format("knob.{}.{}", knob.key, value),
                 fmt::format("{}\n{} = {}", knob.tooltip, knob.key, value));
    }
    return put_value(knob, values, chosen);
}

}  // namespace

bool show_board_controls(const PanelStyle& style, const Frame& frame, State& state, Actions&) {
    bool changed = false;
    if (const auto controls = panel_of(*state.board).controls; controls != nullptr) {
        changed = controls(style, frame, state);
    } else {
        for (const BoardKnob* knob : state.board->knobs) {
            if (knob->on_board) continue;
            changed |= knob->allows != nullptr ? show_board_values(style, frame, *knob, state.boards)
                                               : show_board_slider(style, frame, *knob, state.boards,
                                                                   board_limit(*knob, state.boards));
        }
    }
    if (changed) clamp_board(state.boards);
    return changed;
}

}  // namespace warplens
