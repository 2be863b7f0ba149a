#include "app/panels/board_panel.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <utility>

namespace warplens {
namespace {

using ui::px;

bool show_board_knob(const Frame& frame, const Theme& theme, const BoardKnob& knob, BoardParams& params) {
    const int limit = board_limit(knob, params);
    const std::string range = fmt::format("{}\n{} = {} to {}.", knob.tooltip, knob.key, knob.min, limit);
    ui::text(knob.label);
    ui::tip(frame, range);
    int value = params.*knob.field;
    {
        const ui::FontScope mono(frame, FontRole::mono);
        ui::text_right(fmt::format("{}{}{}", format_count(value), knob.unit.empty() ? "" : " ", knob.unit),
                       theme.text);
    }
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(px(frame, 4), -px(frame, 1)));
    ImGui::PushStyleVar(ImGuiStyleVar_GrabMinSize, px(frame, 14));
    ImGui::SetNextItemWidth(-FLT_MIN);
    ImGui::BeginDisabled(limit == knob.min);
    const std::string id = fmt::format("##{}", knob.key);
    const bool changed =
        ImGui::SliderInt(id.c_str(), &value, knob.min, limit, "", ImGuiSliderFlags_AlwaysClamp);
    ImGui::EndDisabled();
    ui::mark(fmt::format("knob.{}", knob.key));
    ui::tip(frame, range + " Ctrl+click to type a number.");
    ImGui::PopStyleVar(2);
    if (!changed) return false;
    const bool typed = ImGui::GetIO().WantTextInput;
    params.*knob.field = typed || value == limit ? value : value / knob.step * knob.step;
    return true;
}

/// The possible values side by side, for a knob that does not take all.
bool show_board_values(const Frame& frame, const Theme& theme, const BoardKnob& knob, BoardParams& params) {
    ImGui::AlignTextToFramePadding();
    ui::text(knob.label);
    ui::tip(frame, knob.tooltip);
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
    for (const BoardKnob& knob : board_knobs()) {
        if (knob.board != state.board || knob.on_board) continue;
        changed |= knob.allows != nullptr ? show_board_values(frame, theme, knob, state.boards)
                                          : show_board_knob(frame, theme, knob, state.boards);
    }
    if (changed) clamp_board(state.boards);
    return changed;
}

}  // namespace warplens
