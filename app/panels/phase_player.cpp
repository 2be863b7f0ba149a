#include "app/boards/phases/phases_picture.h"
#include "app/model/access/tile_phases.h"
#include "app/panels/board_panel.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

namespace warplens {
namespace {

using ui::px;

void show_button(const Frame& frame, const Theme& colors, const char* label, const char* name,
                 const char* tooltip, bool enabled, const auto& press) {
    ImGui::BeginDisabled(!enabled);
    if (ui::chip(frame, colors, label, false)) press();
    ui::mark(name);
    ImGui::EndDisabled();
    ui::tip(frame, tooltip);
    ImGui::SameLine(0, px(frame, 4));
}

}  // namespace

void show_phase_player(const Frame& frame, const View& view, Wishes& wishes) {
    const Theme& colors = theme(view.look);
    const BoardParams& params = frame.state->boards;
    const TileProduct product{.matrix = params.matrix, .tile = params.tile};
    const int last = phase_steps(product) - 1, now = params.step;
    show_button(frame, colors, "←", "phases.back", "The step before (key ,)", now > 0,
                [&] { wishes.phase_step = now - 1; });
    show_button(frame, colors, frame.playing ? "pause" : "play", "phases.play",
                "Let the steps go by, or stop them (space)", true,
                [&] { wishes.play_phases = !frame.playing; });
    // What follows keeps its place, whichever word the button has.
    if (!frame.playing)
        ImGui::SameLine(0, px(frame, 4) + ImGui::CalcTextSize("pause").x - ImGui::CalcTextSize("play").x);
    show_button(frame, colors, "→", "phases.next", "The next step (key .)", now < last,
                [&] { wishes.phase_step = now + 1; });
    // The words have the room of the longest, so that the slider keeps its place.
    const std::string words =
        fmt::format("step {} of {}: {}", now + 1, last + 1, step_name(phase_step(product, now)));
    const float room = ImGui::CalcTextSize("step 88 of 88: phase 16, barrier: tiles loaded").x;
    const float slider = ImGui::GetContentRegionAvail().x - room - px(frame, 20);
    const ImVec2 start = ImGui::GetCursorPos();
    int value = now + 1;
    if (slider > px(frame, 60)) {
        ImGui::SetNextItemWidth(slider);
        if (ImGui::SliderInt("##phases.step", &value, 1, last + 1, "", ImGuiSliderFlags_AlwaysClamp))
            wishes.phase_step = value - 1;
        ui::mark("phases.scrub");
        ui::tip(frame, "Drag to any step. Ctrl+click to type a number.");
        ImGui::SetCursorPos(ImVec2(start.x + slider + px(frame, 12), start.y));
    }
    ImGui::AlignTextToFramePadding();
    ui::text(words);
    ui::tip(frame, "In a step all threads of the block do the same.");
}

}  // namespace warplens
