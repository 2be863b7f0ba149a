#include "app/panels/board_panel.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

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

}  // namespace

bool show_board_controls(const Frame& frame, const Theme& theme, State& state, Wishes&) {
    bool changed = false;
    for (const BoardKnob& knob : board_knobs()) {
        if (knob.board == state.board) changed |= show_board_knob(frame, theme, knob, state.boards);
    }
    if (changed) clamp_board(state.boards);
    return changed;
}

}  // namespace warplens
