// Where the window's parts stand: three columns, or fewer (window_folded.cpp), or for a class
// (window_projector.cpp).
#include "app/learn/lessons.h"
#include "app/panels/board_panel.h"
#include "app/panels/controls.h"
#include "app/panels/learn/learn_panel.h"
#include "app/panels/numbers.h"
#include "app/panels/widgets.h"
#include "app/window/window_session.h"

#include <algorithm>

namespace warplens {
namespace {

// Widths that columns need at least [points].
constexpr float kLeastLeft = 220, kLeastRight = 320, kLeastMiddle = 400;
// Height that picture and plot need together, one below the other [points].
constexpr float kLeastForBoth = 470;

}  // namespace

/// What I set, what happens, what it means: side by side as far as there is room.
LayoutMode WindowSession::mode() const {
    const float width = ImGui::GetIO().DisplaySize.x / window_.scale();
    if (width >= kLeastLeft + kLeastRight + kLeastMiddle + 4 * kGap) return LayoutMode::three;
    return width >= 270 + kLeastMiddle + 3 * kGap ? LayoutMode::two : LayoutMode::one;
}

void WindowSession::show_columns(Actions& actions) {
    if (view_.projector) {
        show_projector(actions);
        return;
    }
    const Frame before = make_frame();
    const float s = window_.scale(), gap = kGap * s;
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    // A window that is low for its scale has other uses for its height.
    const bool low = size.y < 400 * s, has_status = size.y >= 320 * s;
    const float top = (low ? 36 : 46) * s + gap / 2, status = has_status ? 30 * s : 4 * s;
    ImGui::SetCursorScreenPos(ImVec2(16 * s, (low ? 5 : 9) * s));
    show_top_bar(style(), before, view_, actions);
    const Rect place{gap, top, size.x - 2 * gap, size.y - status - gap / 2 - top};
    switch (before.mode) {
        case LayoutMode::three:
            show_three(before, place, actions);
            break;
        case LayoutMode::two:
            show_two(before, place, actions);
            break;
        case LayoutMode::one:
            show_one(before, place, actions);
            break;
    }
    if (!has_status) return;
    ImGui::SetCursorScreenPos(ImVec2(16 * s, size.y - status + 4 * s));
    show_status_bar(style(), make_frame(), actions);
}

/// The left column. A knob's change is taken up at once, so that the other parts show it in the same frame.
void WindowSession::show_knobs(const Frame& frame, const Rect& place, Actions& actions) {
    State changed = state_;
    {
        const ui::Panel panel(style(), "controls", ImVec2(place.x, place.y), ImVec2(place.w, place.h));
        if (!show_controls(style(), frame, changed, view_, actions)) return;
    }
    apply(*this, action::Change{changed});
    recompute();
}

/// @param place  of all columns [pixels]
void WindowSession::show_three(const Frame& before, const Rect& place, Actions& actions) {
    const float s = window_.scale(), gap = kGap * s;
    const float most = place.w / s - 2 * kGap - kLeastMiddle;  // what the side columns may have together
    view_.left = std::clamp(view_.left, kLeastLeft, std::max(kLeastLeft, most - kLeastRight));
    view_.right = std::clamp(view_.right, kLeastRight, std::max(kLeastRight, most - view_.left));
    const float left = view_.left * s, right = view_.right * s;
    show_knobs(before, {place.x, place.y, left, place.h}, actions);
    const Frame frame = make_frame();
    const float middle_x = place.x + left + gap, middle_w = place.w - left - right - 2 * gap;
    // A course or a quiz stays in sight, whatever the middle shows.
    const bool card = learning_.has_card(), wide = state_.board->wide && !card;
    // A lesson that would have no room below the picture takes the place of picture and numbers.
    const bool cramped = view_.reading && !wide && !card && middle_w < 440 * s;
    if (cramped)
        show_section(frame, Section::words, {middle_x, place.y, middle_w + right + gap, place.h}, actions);
    else
        show_middle(frame, {middle_x, place.y, wide ? middle_w + right + gap : middle_w, place.h}, actions);
    splitter("split.left", middle_x - gap, place.y, gap, place.h, view_.left, 1 / s, kLeastLeft,
             most - view_.right);
    if (wide || cramped) return;
    const float right_x = middle_x + middle_w + gap;
    show_right(frame, {right_x, place.y, right, place.h}, actions);
    splitter("split.right", right_x - gap, place.y, gap, place.h, view_.right, -1 / s, kLeastRight,
             most - view_.left);
}

/// What it means: the numbers, and below them why, code and lesson. A lesson needs the room more than the
/// table does.
void WindowSession::show_right(const Frame& frame, const Rect& place, Actions& actions) {
    if (learning_.has_card()) {
        show_right_with_card(frame, place, actions);
        return;
    }
    const float s = window_.scale(), gap = kGap * s;
    const bool lesson = view_.tab != 0;  // or code
    float& wanted = lesson ? view_.numbers_beside_lesson : view_.numbers;
    const float numbers_h = std::min(place.h * (lesson ? 0.4f : 0.62f), wanted * s);
    show_section(frame, Section::numbers, {place.x, place.y, place.w, numbers_h}, actions);
    const float lesson_y = place.y + numbers_h + gap;
    const ui::Panel panel(style(), "lesson", ImVec2(place.x, lesson_y),
                          ImVec2(place.w, place.y + place.h - lesson_y));
    show_lesson(style(), frame, view_, pictures_.code, actions);
}

/// A switch at the right end of the strip: the plot in place of the picture, where both have no room.
void WindowSession::show_plot_switch(const Rect& place, Actions& actions) {
    const float x = place.x + place.w - ui::pill_width(style(), "Plot");
    ImGui::SetCursorScreenPos(ImVec2(x, place.y));
    if (ui::chip(style(), "Plot", view_.plot_alone))
        actions.add(action::ShowSection{view_.plot_alone ? Section::picture : Section::plot});
    ui::mark("section.Plot");
    ui::tip(style(), "Bandwidth against a parameter, in place of the picture.");
}

/// A course or a quiz needs its room; the numbers get what is left, and scroll if that is little. In a low
/// window they give way: what they count stands in the picture, too.
void WindowSession::show_right_with_card(const Frame& frame, const Rect& place, Actions& actions) {
    const float s = window_.scale(), gap = kGap * s;
    constexpr float kCard = 440, kCardWithQuestion = 570, kLeastNumbers = 84, kLow = 420;  // [points]
    const CourseStep* step = learning_.step();
    const bool question = learning_.quiz() != nullptr || (step != nullptr && step->asks.any());
    const float room = place.h / s;
    float top = place.y;
    if (!state_.board->wide && room > kLow) {
        const float height = frame.counts_hidden ? 64
                                                 : std::clamp(room - (question ? kCardWithQuestion : kCard),
                                                              kLeastNumbers, std::max(230.0f, view_.numbers));
        const ui::Panel panel(style(), "numbers", ImVec2(place.x, top), ImVec2(place.w, height * s));
        show_numbers(style(), frame, view_, actions);
        top += height * s + gap;
    }
    const ui::Panel panel(style(), "learn", ImVec2(place.x, top), ImVec2(place.w, place.y + place.h - top));
    show_learn_card(style(), frame, view_, actions);
}

/// The strip of boards, and below it the chosen one: pictures and plot of the scenario, or one of the maps.
void WindowSession::show_middle(const Frame& frame, const Rect& place, Actions& actions) {
    const float s = window_.scale(), gap = kGap * s, strip = 32 * s;
    const bool wide = state_.board->wide, has_lesson = !wide || !state_.board->lesson.empty();
    const bool access = state_.board->instructions;
    const bool reading = view_.reading && has_lesson && frame.mode == LayoutMode::three;
    const bool low = access && !reading && place.h < kLeastForBoth * s;
    const bool switched = (wide && has_lesson && frame.mode == LayoutMode::three) || low;
    ImGui::SetCursorScreenPos(ImVec2(place.x, place.y));
    show_board_strip(style(), frame, place.w - (switched ? 80 * s : 0), actions);
    if (low) {
        show_plot_switch(place, actions);
    } else if (switched) {
        ImGui::SetCursorScreenPos(ImVec2(place.x, place.y));
        show_lesson_switch(style(), view_, place.x + place.w, actions);
    }
    const float top = place.y + strip, height = place.h - strip, bottom = place.y + place.h;
    const Rect whole{place.x, top, place.w, height};
    if (low || (!access && !reading)) {
        show_section(frame, low && view_.plot_alone ? Section::plot : Section::picture, whole, actions);
        return;
    }
    float& share = reading ? view_.reading_share : view_.plot_share;
    const float below = height * share;
    show_section(frame, Section::picture, {place.x, top, place.w, height - below - gap}, actions);
    show_section(frame, reading ? Section::words : Section::plot, {place.x, bottom - below, place.w, below},
                 actions);
    splitter("split.plot", place.x, bottom - below - gap, place.w, gap, share, -1 / height, 0.2f, 0.7f);
}

void WindowSession::splitter(const char* id, float x, float y, float w, float h, float& value, float sign,
                             float least, float most) {
    ImGui::SetCursorScreenPos(ImVec2(x, y));
    ImGui::InvisibleButton(id, ImVec2(w, h));
    ui::mark(id);
    const bool upright = h > w;
    if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
        ImGui::SetMouseCursor(upright ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
    }
    if (!ImGui::IsItemActive()) return;
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    value = std::clamp(value + (upright ? moved.x : moved.y) * sign, least, std::max(least, most));
}

}  // namespace warplens
