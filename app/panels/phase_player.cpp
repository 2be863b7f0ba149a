#include "app/boards/phases/knobs.h"
#include "app/boards/phases/phases_picture.h"
#include "app/panels/board_panel.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

namespace warplens {
namespace {

void show_button(const PanelStyle& style, const char* label, const char* name, const char* tooltip,
                 bool enabled, const auto& press) {
    ImGui::BeginDisabled(!enabled);
    if (ui::chip(style, label, false)) press();
    ui::mark(name);
    ImGui::EndDisabled();
    ui::tip(style, tooltip);
    ImGui::SameLine(0, style.px(4));
}

action::Change at_step(const Frame& frame, int step) {
    BoardValues boards = frame.state->boards;
    boards.set(kPhasesStep, step);
    return action::changed(*frame.state, &State::boards, boards);
}

}  // namespace

void show_phase_player(const PanelStyle& style, const Frame& frame, Actions& actions) {
    const BoardValues& values = frame.state->boards;
    const TileProduct product = phases_product(values);
    const int last = phase_steps(product) - 1, now = values[kPhasesStep];
    show_button(style, "←", "phases.back", "The step before (key ,)", now > 0,
                [&] { actions.add(at_step(frame, now - 1)); });
    show_button(style, frame.playing ? "pause" : "play", "phases.play",
                "Let the steps go by, or stop them (space)", true,
                [&] { actions.add(action::Do::play_or_pause); });
    // What follows keeps its place, whichever word the button has.
    if (!frame.playing)
        ImGui::SameLine(0, style.px(4) + ImGui::CalcTextSize("pause").x - ImGui::CalcTextSize("play").x);
    show_button(style, "→", "phases.next", "The next step (key .)", now < last,
                [&] { actions.add(at_step(frame, now + 1)); });
    // The words have the room of the longest, so that the slider keeps its place.
    const std::string words =
        fmt::format("step {} of {}: {}", now + 1, last + 1, step_name(phase_step(product, now)));
    const float room = ImGui::CalcTextSize("step 88 of 88: phase 16, barrier: tiles loaded").x;
    const float slider = ImGui::GetContentRegionAvail().x - room - style.px(20);
    const ImVec2 start = ImGui::GetCursorPos();
    int value = now + 1;
    if (slider > style.px(60)) {
        ImGui::SetNextItemWidth(slider);
        if (ImGui::SliderInt("##phases.step", &value, 1, last + 1, "", ImGuiSliderFlags_AlwaysClamp))
            actions.add(at_step(frame, value - 1));
        ui::mark(style, "phases.scrub", "Drag to any step. Ctrl+click to type a number.");
        ImGui::SetCursorPos(ImVec2(start.x + slider + style.px(12), start.y));
    }
    ImGui::AlignTextToFramePadding();
    ui::text(words);
    ui::tip(style, "In a step all threads of the block do the same.");
}

}  // namespace warplens
