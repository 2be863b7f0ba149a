// Projector mode: large type, thick lines, one picture with what it means, few knobs. And where a talk goes.
#include "app/learn/presenting.h"
#include "app/panels/board_panel.h"
#include "app/panels/controls.h"
#include "app/panels/learn/learn_panel.h"
#include "app/panels/overlays.h"
#include "app/panels/widgets.h"
#include "app/window/window_session.h"

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

// The window has about so many points in projector mode, however many pixels: type is then as large in the
// room as it can be, with a picture that still says everything.
constexpr float kWidth = 960, kHeight = 560;
constexpr float kCard = 330;  // of a course or a quiz, at the right

}  // namespace

void WindowSession::show_projector(Actions& actions) {
    const Frame before = make_frame();
    const float s = window_.scale(), gap = kGap * s;
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const Theme& colors = theme(view_.look);
    ImGui::SetCursorScreenPos(ImVec2(14 * s, 8 * s));
    show_projector_head(style(), before, actions);
    show_bar_menus(style(), before, view_, actions);
    const float card = learning_.has_card() ? kCard * s + gap : 0, wide = size.x - 2 * gap - card;
    const float top = 42 * s;
    float bottom = size.y - gap;
    if (state_.board->about_scenario) {
        State changed = state_;
        const float height = 76 * s;
        bool turned = false;
        {
            const ui::Panel panel(style(), "knobs", ImVec2(gap, bottom - height), ImVec2(wide, height), 8);
            turned = show_main_knobs(style(), before, changed, view_, actions);
        }
        if (turned) {
            apply(*this, action::Change{changed});
            recompute();
        }
        bottom -= height + gap;
    }
    const Frame frame = make_frame();
    const Explanation words = frame.counts_hidden ? Explanation{} : spoken(frame, view_);
    if (!words.verdict.empty()) {
        const ui::FontScope heading(style(), FontRole::heading);
        const float room = wide - 2 * gap - 8 * s;
        const float height =
            std::min(ImGui::CalcTextSize(words.verdict.c_str(), nullptr, false, room).y, 0.2f * size.y) +
            26 * s;
        const ui::Panel panel(style(), "verdict", ImVec2(gap, bottom - height), ImVec2(wide, height));
        ImGui::PushStyleColor(ImGuiCol_Text, ui::color(words.good ? colors.good : colors.bad));
        ui::wrapped(words.verdict);
        ImGui::PopStyleColor();
        ui::mark("verdict");
        bottom -= height + gap;
    }
    show_section(frame, Section::picture, {gap, top, wide, bottom - top}, actions);
    if (card > 0)
        show_section(frame, Section::words, {size.x - card, top, kCard * s, size.y - gap - top}, actions);
}

void WindowSession::toggle_projector() {
    if (view_.projector) {
        leave_projector();
        return;
    }
    view_.projector = true;
    window_.keep_awake(3);
}

void WindowSession::leave_projector() {
    view_.projector = false;
    if (filled_for_class_ && window_.is_full_screen()) window_.toggle_fullscreen();
    filled_for_class_ = false;
    window_.keep_awake(3);
}

/// As slide programs do: the whole screen. A clicker's start button says this again.
void WindowSession::present_in_full() {
    if (view_.projector) {
        leave_projector();
        return;
    }
    view_.projector = true;
    filled_for_class_ = !window_.is_full_screen();
    if (filled_for_class_) window_.toggle_fullscreen();
    window_.keep_awake(3);
}

/// The type that projector mode wants in a window of this size; in steps, because fonts are drawn anew for
/// each.
void WindowSession::fit_projector() {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const float fits = std::clamp(std::min(size.x / kWidth, size.y / kHeight), 0.75f, 6.0f);
    window_.fix_scale(view_.projector ? std::floor(fits * 20) / 20 : 0);
}

/// The next or previous stop. On a board with a player its steps are the stops; other boards that are
/// about no scenario have none.
void WindowSession::present(int direction) {
    if (state_.board->played_knob() != nullptr) {
        step_board(direction);
        return;
    }
    if (!state_.board->about_scenario) {
        say("this board has no presets to go through: the keys 1 to 3 lead to one that has");
        return;
    }
    const Talk there = next_stop(*state_.scenario, state_.params, direction);
    if (there.scenario == nullptr) {
        say(direction > 0 ? "this was the last preset of the last scenario"
                          : "this is the first preset of the first scenario");
        return;
    }
    if (there.scenario != state_.scenario) go_to(*there.scenario);
    if (!state_.scenario->in(view_.space)) view_.space = home_space(*state_.scenario);
    state_.params = there.params;
    state_.only_wavefront = -1;
    state_changed();
}

/// The knobs that are on screen, back to their defaults: the scenario's or the board's.
void WindowSession::reset_all() {
    if (!state_.board->knobs.empty()) {
        reset_board(state_.boards, *state_.board);
        clamp_board(state_.boards);
    } else {
        state_.params = state_.scenario->info->defaults;
    }
    state_changed();
}

}  // namespace warplens
