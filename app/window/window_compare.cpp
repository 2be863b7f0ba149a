// The window's compare mode: A, which is kept, beside B, which is set.
#include "app/window/window_compare.h"

#include "app/experiment/compare.h"
#include "app/panels/board_panel.h"
#include "app/panels/compare_panel.h"
#include "app/panels/widgets.h"
#include "app/window/window_session.h"

namespace warplens {

/// What is set becomes A, or nothing is compared any longer.
void WindowSession::toggle_compare() {
    if (state_.compared)
        state_.compared.reset();
    else
        state_.compared = state_;
    if (state_.compared) say("A is kept; what you set from now on is B");
    state_changed();
}

void WindowSession::swap_sides() {
    if (!state_.compared) return;
    const Setting b = state_;
    state_ = state_of(*state_.compared, state_);
    state_.compared = b;
    if (!state_.scenario->in(view_.space)) view_.space = home_space(*state_.scenario);
    state_changed();
}

/// After the evidence of B: that of A, where something is compared.
void WindowSession::recompute_other() {
    if (!state_.compared) {
        a_.reset();
        return;
    }
    if (!a_) {
        a_ = std::make_unique<ComparedSide>();
        a_->trace = std::make_unique<TraceBuffer>(trace_->mode());
        a_->image = std::make_unique<ImageTexture>(image_->mode());
    }
    ComparedSide& a = *a_;
    a.state = state_of(*state_.compared, state_);
    a.devices = devices_;
    set_bank_mode(a.devices, a.state.bank_mode);
    a.evidence = *evidence_store_.of(a.state, a.devices);
    a.curve = model_curve(a.state, a.devices, a.evidence.prediction);
    a.trace->update(a.evidence.trace_request, a.evidence.trace);
    if (a.evidence.report.shape.image.x > 0) a.image->update(a.state.params);
    add_other_curve(curve_, a.curve);
}

/// What the panels see of A: as of B, with everything that follows from the setting exchanged.
/// @return  null: nothing is compared, or not on this board.
const Frame* WindowSession::other_frame(const Frame& frame) {
    if (!a_ || !state_.compared || !state_.board->can_compare()) return nullptr;
    ComparedSide& a = *a_;
    a.pictures.generation = pictures_.generation;
    // Where a player stands and what colours say is of both.
    a.state.only_wavefront = state_.only_wavefront;
    a.state.color_by = state_.color_by;
    a.state.board = state_.board;
    follow_players(a.state.boards, state_.boards);
    clamp_board(a.state.boards);
    a.frame = frame;
    a.frame.is_other = true;
    a.frame.other = nullptr;
    a.frame.state = &a.state;
    a.frame.evidence = &a.evidence;
    a.frame.devices = &a.devices;
    a.frame.heatmap = nullptr;
    a.frame.fit = nullptr;
    a.frame.trace_texture = a.trace->gl_texture();
    a.frame.image_texture = a.image->gl_texture();
    const std::pair now{a.state, a.pictures.generation};
    if (a.words_of != now) {
        const BoardInput input = board_input(a.frame);
        a.words = {board_numbers(input), explain_board(input)};
        a.words_of = now;
    }
    a.frame.board_words = &a.words;
    return &a.frame;
}

/// A and B side by side, or above each other where there is little room.
void WindowSession::show_sides(const Frame& frame, const Rect& place, Actions& actions) {
    const float s = window_.scale(), gap = 8 * s;
    float top = place.y;
    const bool access = state_.board->instructions, player = state_.board->played_knob() != nullptr;
    if (access || player) {
        ImGui::SetCursorScreenPos(ImVec2(place.x + 4 * s, top));
        ImGui::PushStyleColor(ImGuiCol_ChildBg, IM_COL32_BLACK_TRANS);
        ui::begin_child("sides-head", ImVec2(place.w, 30 * s));
        if (access)
            show_picture_head(style(), frame, view_, actions);
        else
            show_board_head(style(), frame, actions);
        ImGui::EndChild();
        ImGui::PopStyleColor();
        top += 30 * s + gap / 2;
    }
    const float height = place.y + place.h - top;
    const bool beside = place.w >= 1.15f * height;
    const float w = beside ? (place.w - gap) / 2 : place.w, h = beside ? height : (height - gap) / 2;
    const SideNames names = side_names(*frame.other->state, *frame.state, devices_);
    {
        const ui::Panel panel(style(), "side-a", ImVec2(place.x, top), ImVec2(w, h), 8);
        show_side(style(), *frame.other, view_, names.a, a_->pictures, actions);
    }
    const ImVec2 second = beside ? ImVec2(place.x + w + gap, top) : ImVec2(place.x, top + h + gap);
    const ui::Panel panel(style(), "side-b", second, ImVec2(w, h), 8);
    show_side(style(), frame, view_, names.b, pictures_, actions);
}

}  // namespace warplens
