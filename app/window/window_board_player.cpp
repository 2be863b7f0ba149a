// The player of boards that have steps, such as the tile phases.
#include "app/gl/imgui_compat.h"
#include "app/window/window_session.h"

#include <algorithm>

namespace warplens {

void WindowSession::show_board_step(int step) {
    const BoardKnob& knob = *state_.board->played_knob();
    const int wanted = std::clamp(step, knob.min, board_limit(knob, state_.boards));
    if (wanted == state_.boards[knob]) return;
    state_.boards.set(knob, wanted);
    ++pictures_.generation;
    window_.keep_awake(1);
}

void WindowSession::step_board(int by) { show_board_step(state_.boards[*state_.board->played_knob()] + by); }

/// Play from here, at the end from the start; or stop.
void WindowSession::play_board(bool play) {
    if (!play) {
        step_player_.stop();
    } else {
        const BoardKnob& knob = *state_.board->played_knob();
        if (state_.boards[knob] == board_limit(knob, state_.boards)) show_board_step(knob.min);
        step_player_.play(ImGui::GetTime());
    }
    window_.keep_awake(1);
}

/// What time brings: between two steps the window sleeps.
void WindowSession::continue_board() {
    const BoardKnob* knob = state_.board->played_knob();
    if (knob == nullptr) step_player_.stop();
    if (!step_player_.playing()) return;
    const double now = ImGui::GetTime();
    show_board_step(step_player_.advance(now, state_.boards[*knob], board_limit(*knob, state_.boards)));
    if (step_player_.playing()) window_.wake_within(step_player_.seconds_left(now));
}

}  // namespace warplens
