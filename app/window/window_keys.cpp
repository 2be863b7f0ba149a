// The keyboard of the window, and players.
#include "app/gl/imgui_compat.h"
#include "app/learn/presenting.h"
#include "app/panels/overlays.h"
#include "app/window/keys.h"
#include "app/window/window_session.h"

#include <algorithm>

namespace warplens {

void WindowSession::read_keys() {
    reset_knob_ = false;
    for (const KeyTap& tap : window_.taps()) {
        // With the ring of the keyboard's focus on screen, space and arrows belong to the control inside it.
        const bool menu = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
        const KeyContext context{.typing = ImGui::GetIO().WantTextInput,
                                 .walking = ImGui::GetIO().NavVisible,
                                 .menu = menu,
                                 .own_menu = view_.help || view_.messages,
                                 .projector = view_.projector,
                                 .tour = view_.tour >= 0,
                                 .export_dialog = figures_.dialog() != nullptr};
        apply(*this, find_key({tap.key, tap.printed, tap.ctrl, tap.shift, tap.alt, tap.repeat}, context));
        record_step();
    }
    window_.set_theme(theme(view_.look));
}

/// One thing after the other: what lies on top, what runs, the mode.
void WindowSession::leave() {
    if (view_.help) {
        view_.help = false;
    } else if (view_.messages) {
        view_.messages = false;
    } else if (loading_ || figures_.copying()) {
        cancel_busy();
    } else if (worker_ && worker_->progress().running()) {
        stop_measuring();
    } else if (view_.projector) {
        leave_projector();
    }
}

/// The player of the board that is shown.
void WindowSession::step_player(int by) {
    if (state_.board->played_knob() != nullptr)
        step_board(by);
    else
        step_wavefront(by);
}

/// The player's next position: in the picture in front, or in all small ones. In projector mode it goes
/// round: a clicker has one key for it.
void WindowSession::step_wavefront(int by) {
    int most = 0;
    for (std::size_t k = 0; k < evidence_.banks.size(); ++k) {
        if (view_.focus < 0 || k == static_cast<std::size_t>(view_.focus)) {
            most = std::max(most, evidence_.banks[k].count.wavefronts);
        }
    }
    const int last = std::max(-1, most - 1);
    const bool round = view_.projector && by > 0 && state_.only_wavefront == last;
    state_.only_wavefront = round ? -1 : std::clamp(state_.only_wavefront + by, -1, last);
    ++pictures_.generation;
}

}  // namespace warplens
