// The keyboard of the window: what is done for each key of app/window/keys.h.
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
        if (figure_dialog_key(tap)) continue;
        const KeyMatch match = find_key({tap.key, tap.printed, tap.ctrl, tap.shift, tap.alt});
        if (view_.tour >= 0 && read_tour_key(tap)) continue;
        if (match.binding == nullptr) continue;
        if (tap.repeat && !match.binding->repeats) continue;  // a held key must not make things flicker
        if (ImGui::GetIO().WantTextInput && !match.binding->while_typing) continue;
        carry_out_key(match);
    }
    window_.set_theme(theme(view_.look));
}

/// While the tour is shown, keys turn its cards; only what has to do with the window as a whole still works.
bool WindowSession::read_tour_key(const KeyTap& tap) {
    constexpr int kSpace = 32, kEscape = 256, kEnter = 257, kRight = 262, kLeft = 263, kPageUp = 266,
                  kPageDown = 267, kKeypadEnter = 335;
    const auto is = [&](std::initializer_list<int> keys) {
        return std::ranges::find(keys, tap.key) != keys.end();
    };
    if (is({kSpace, kEnter, kRight, kPageDown, kKeypadEnter})) turn_tour(view_, 1);
    if (is({kLeft, kPageUp})) turn_tour(view_, -1);
    if (is({kEscape})) view_.tour = -1;
    window_.keep_awake(3);
    return !tap.ctrl;
}

void WindowSession::carry_out_key(const KeyMatch& match) {
    // With the ring of the keyboard's focus on screen, space and arrows belong to the control inside it.
    const bool walking = ImGui::GetIO().NavVisible;
    const bool popup = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
    Wishes wishes;
    switch (match.binding->action) {
        case KeyAction::projector_full:
            present_in_full();
            break;
        case KeyAction::projector:
            wishes.toggle_projector = true;
            break;
        case KeyAction::present:
            // A clicker, too, goes on in the course that is open.
            if (learning_.has_card())
                step_lesson_card(match.direction);
            else
                wishes.present = match.direction;
            break;
        case KeyAction::present_arrows:
            if (view_.projector && !walking && !popup) wishes.present = match.direction;
            break;
        case KeyAction::step:
            step_player(match.direction);
            break;
        case KeyAction::play:
            if (state_.board->played_knob() != nullptr && !walking) play_board(!step_player_.playing());
            break;
        case KeyAction::full_screen:
            wishes.toggle_full_screen = true;
            break;
        case KeyAction::undo:
            wishes.undo = true;
            break;
        case KeyAction::redo:
            wishes.redo = true;
            break;
        case KeyAction::reset_all:
            wishes.reset_all = true;
            break;
        case KeyAction::leave:
            leave(popup);
            break;
        default:
            carry_out_view_key(match);
    }
    wishes.hovered_lane = view_.hovered_lane;
    wishes.hovered_instruction = view_.hovered_instruction;
    carry_out(wishes);
    settle();
}

/// Keys that change what is looked at.
void WindowSession::carry_out_view_key(const KeyMatch& match) {
    switch (match.binding->action) {
        case KeyAction::scenario:
            if (const Scenario* other = neighbour(*state_.scenario, match.direction)) go_to(*other);
            if (!state_.scenario->in(view_.space)) view_.space = home_space(*state_.scenario);
            break;
        case KeyAction::board:
            if (static_cast<std::size_t>(match.number) < all_boards().size()) {
                Wishes wishes;
                wishes.board = all_boards()[static_cast<std::size_t>(match.number)];
                carry_out(wishes);
            }
            break;
        case KeyAction::tab:
            view_.tab = match.number;
            view_.reading = view_.reading && match.number != 2;
            turn_to(Section::words);
            break;
        case KeyAction::section:
            turn_section(match.direction);
            break;
        case KeyAction::recordings:
            view_.recordings = true;
            break;
        case KeyAction::learn:
            view_.learn.menu = true;
            break;
        case KeyAction::messages:
            view_.messages = !view_.messages;
            break;
        case KeyAction::export_figure:
            act(FigureAct::open_export);
            break;
        case KeyAction::copy:
            act(match.number == 0 ? FigureAct::copy_data : FigureAct::copy_command);
            break;
        case KeyAction::compare:
            act(match.direction > 0 ? FigureAct::compare : FigureAct::swap_sides);
            break;
        case KeyAction::reset_knob:
            reset_knob_ = true;
            break;
        case KeyAction::scale:
            if (view_.projector)
                say("projector mode makes everything as large as the window allows");
            else
                window_.set_user_scale(window_.user_scale() * (match.direction > 0 ? 1.1f : 1 / 1.1f));
            break;
        case KeyAction::scale_reset:
            if (!view_.projector) window_.set_user_scale(1);
            break;
        case KeyAction::theme:
            view_.look.theme = luminance(theme(view_.look).page) < 0.5 ? ThemeName::light : ThemeName::dark;
            break;
        case KeyAction::help:
            view_.help = !view_.help;
            break;
        case KeyAction::quit:
            window_.close();
            break;
        default:
            break;
    }
    window_.keep_awake(2);
}

/// One thing after the other: what lies on top, what runs, the mode.
/// @param popup  ImGui closes it
void WindowSession::leave(bool popup) {
    if (view_.help) {
        view_.help = false;
    } else if (view_.messages) {
        view_.messages = false;
    } else if (popup) {
        return;
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
