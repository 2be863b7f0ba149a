// The keyboard of the window: what each key does, and the players that keys step.
#include "app/commands/window_session.h"
#include "app/panels/widgets.h"

#include <algorithm>

namespace warplens {
namespace {

// GLFW's key codes of keys that print nothing or stand on the keypad; stable, and no reason to include GLFW
// here.
constexpr int kKeySpace = 32, kKeyEscape = 256, kKeyF1 = 290, kKeyF11 = 300, kKeyPageUp = 266,
              kKeyPageDown = 267, kKeypadSubtract = 333, kKeypadAdd = 334;

}  // namespace

void WindowSession::read_keys() {
    for (const KeyTap& tap : window_.taps()) {
        const bool larger = tap.printed == '+' || tap.printed == '=' || tap.key == kKeypadAdd;
        const bool smaller = tap.printed == '-' || tap.key == kKeypadSubtract;
        if (tap.ctrl && larger) window_.set_user_scale(window_.user_scale() * 1.1f);
        if (tap.ctrl && smaller) window_.set_user_scale(window_.user_scale() / 1.1f);
        const bool typing = ImGui::GetIO().WantTextInput || tap.ctrl;
        if (!typing && tap.printed == ',') step_player(-1);
        if (!typing && tap.printed == '.') step_player(1);
        if (!tap.repeat && !tap.ctrl && tap.key == kKeyPageDown) step_lesson_card(1);
        if (!tap.repeat && !tap.ctrl && tap.key == kKeyPageUp) step_lesson_card(-1);
        if (tap.repeat) continue;  // what follows switches something, and must not flicker under a held key
        const bool z = tap.printed == 'z';
        if (tap.ctrl && !ImGui::GetIO().WantTextInput && z && !tap.shift) travel(history_.undo());
        if (tap.ctrl && !ImGui::GetIO().WantTextInput && ((z && tap.shift) || tap.printed == 'y'))
            travel(history_.redo());
        if (tap.ctrl && tap.printed == '0') window_.set_user_scale(1);
        if (tap.ctrl && tap.printed == 't') {
            view_.theme = view_.theme == ThemeName::dark ? ThemeName::light : ThemeName::dark;
        }
        if (tap.ctrl && tap.printed == 'q') window_.close();
        // With the ring of the keyboard's focus on screen, space presses the control inside it.
        const bool presses = ImGui::GetIO().NavVisible;
        if (tap.key == kKeySpace && state_.board == Board::phases && !typing && !presses)
            play_phases(!step_player_.playing());
        if (tap.key == kKeyF11) window_.toggle_fullscreen();
        if (tap.key == kKeyF1 || (!typing && tap.shift && tap.printed == '/')) view_.help = !view_.help;
        if (tap.key == kKeyEscape && !view_.help) stop_measuring();
        if (tap.key == kKeyEscape) view_.help = false;
    }
    window_.set_theme(theme(view_.theme));
}

/// The player of the board that is shown.
void WindowSession::step_player(int by) {
    if (state_.board == Board::phases)
        show_phase_step(state_.boards.step + by);
    else
        step_wavefront(by);
}

/// The player's next position: in the picture in front, or in all small ones.
void WindowSession::step_wavefront(int by) {
    int most = 0;
    for (std::size_t k = 0; k < analysis_.banks.size(); ++k) {
        if (view_.focus < 0 || k == static_cast<std::size_t>(view_.focus)) {
            most = std::max(most, analysis_.banks[k].count.wavefronts);
        }
    }
    state_.only_wavefront = std::clamp(state_.only_wavefront + by, -1, std::max(-1, most - 1));
    ++pictures_.generation;
}

}  // namespace warplens
