// The player of the tile phases.
#include "app/gl/imgui_compat.h"
#include "app/model/access/tile_phases.h"
#include "app/window/window_session.h"

#include <algorithm>

namespace warplens {
namespace {

int last_phase_step(const BoardParams& params) {
    return phase_steps({.matrix = params.matrix, .tile = params.tile}) - 1;
}

}  // namespace

void WindowSession::show_phase_step(int step) {
    const int wanted = std::clamp(step, 0, last_phase_step(state_.boards));
    if (wanted == state_.boards.step) return;
    state_.boards.step = wanted;
    ++pictures_.generation;
    window_.keep_awake(1);
}

/// Play from here, at the end from the start; or stop.
void WindowSession::play_phases(bool play) {
    if (!play) {
        step_player_.stop();
    } else {
        if (state_.boards.step == last_phase_step(state_.boards)) show_phase_step(0);
        step_player_.play(ImGui::GetTime());
    }
    window_.keep_awake(1);
}

/// What time brings: between two steps the window sleeps.
void WindowSession::continue_phases() {
    if (state_.board != Board::phases) step_player_.stop();
    if (!step_player_.playing()) return;
    const double now = ImGui::GetTime();
    show_phase_step(step_player_.advance(now, state_.boards.step, last_phase_step(state_.boards)));
    if (step_player_.playing()) window_.wake_within(step_player_.seconds_left(now));
}

}  // namespace warplens
