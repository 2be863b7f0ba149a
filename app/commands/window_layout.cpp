// Where the window's parts stand.
#include "app/commands/window_session.h"
#include "app/lessons.h"
#include "app/panels/board_panel.h"
#include "app/panels/controls.h"
#include "app/panels/learn_panel.h"
#include "app/panels/widgets.h"

#include <algorithm>

namespace warplens {

/// Three columns that keep their places: what I set, what happens, what it means.
void WindowSession::show_columns(Wishes& wishes) {
    const Frame before = make_frame();
    const float s = before.scale, gap = 8 * s, bar = 46 * s, status = 30 * s;
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const float most = std::max(200.0f, size.x / s - 460);  // the picture keeps at least that much
    view_.left = std::clamp(view_.left, 220.0f, std::max(220.0f, most / 2));
    view_.right = std::clamp(view_.right, 260.0f, std::max(260.0f, most - view_.left));
    const float left = view_.left * s, right = view_.right * s, top = bar + gap / 2,
                bottom = size.y - status - gap / 2;
    const Theme& colors = theme(view_.theme);

    ImGui::SetCursorScreenPos(ImVec2(16 * s, 9 * s));
    const Scenario* wanted = nullptr;
    show_top_bar(before, view_, wishes, wanted);

    State changed = state_;
    {
        const ui::Panel panel(before, colors, "controls", ImVec2(gap, top), ImVec2(left, bottom - top));
        if (show_controls(before, colors, changed, view_, wishes)) {
            if (changed.scenario != state_.scenario) {
                wanted = changed.scenario;
            } else {
                keep_device_ = keep_device_ || changed.device != state_.device;
                state_ = changed;
                state_changed();
            }
        }
    }
    if (wanted != nullptr) go_to(*wanted);
    if (changed_) recompute();  // a knob's change shows in the same frame

    const Frame frame = make_frame();
    const float middle_x = left + 2 * gap, middle_w = size.x - left - right - 4 * gap;
    const float height = bottom - top;
    // A course or a quiz stays in sight, whatever the middle shows.
    const bool card = learning_.has_card(), wide = board_info(state_.board).wide && !card;
    // A lesson that would have no room below the picture takes the place of picture and numbers.
    const bool cramped = view_.reading && !wide && !card && middle_w < 440 * s;
    if (cramped) {
        const ui::Panel panel(frame, colors, "reading", ImVec2(middle_x, top),
                              ImVec2(middle_w + right + gap, height));
        show_reading(frame, view_, wishes);
    } else {
        show_middle(frame, {middle_x, top, wide ? middle_w + right + gap : middle_w, height}, wishes);
    }
    splitter("split.left", left + gap, top, gap, height, view_.left, 1 / s, 220, most / 2);
    ImGui::SetCursorScreenPos(ImVec2(16 * s, size.y - status + 4 * s));
    show_status_bar(frame, view_, wishes);
    if (wide || cramped) return;
    show_right(frame, {size.x - right - gap, top, right, height}, wishes);
    const float right_x = size.x - right - gap;
    splitter("split.right", right_x - gap, top, gap, height, view_.right, -1 / s, 260, most - view_.left);
}

/// What it means: the numbers, and below them why, code and lesson. A lesson needs the room more than the
/// table does.
void WindowSession::show_right(const Frame& frame, const Rect& place, Wishes& wishes) {
    const Theme& colors = theme(view_.theme);
    const float s = frame.scale, gap = 8 * s;
    if (learning_.has_card()) {
        show_right_with_card(frame, place, wishes);
        return;
    }
    const bool lesson = view_.tab == 2;
    float& wanted = lesson ? view_.numbers_beside_lesson : view_.numbers;
    const float numbers_h = std::min(place.h * (lesson ? 0.4f : 0.62f), wanted * s);
    {
        const ui::Panel panel(frame, colors, "numbers", ImVec2(place.x, place.y), ImVec2(place.w, numbers_h));
        show_numbers(frame, view_, wishes);
    }
    const float lesson_y = place.y + numbers_h + gap;
    {
        const ui::Panel panel(frame, colors, "lesson", ImVec2(place.x, lesson_y),
                              ImVec2(place.w, place.y + place.h - lesson_y));
        show_lesson(frame, view_, wishes);
    }
}

/// A course or a quiz needs its room; the numbers get what is left, and scroll if that is little. In a low
/// window they give way: what they count stands in the picture, too.
void WindowSession::show_right_with_card(const Frame& frame, const Rect& place, Wishes& wishes) {
    const Theme& colors = theme(view_.theme);
    const float s = frame.scale, gap = 8 * s;
    constexpr float kCard = 440, kCardWithQuestion = 570, kLeastNumbers = 84, kLow = 420;  // [points]
    const CourseStep* step = learning_.step();
    const bool question = learning_.quiz() != nullptr || (step != nullptr && step->asks.any());
    const float room = place.h / s;
    float top = place.y;
    if (!board_info(state_.board).wide && room > kLow) {
        const float height = frame.counts_hidden ? 64
                                                 : std::clamp(room - (question ? kCardWithQuestion : kCard),
                                                              kLeastNumbers, std::max(230.0f, view_.numbers));
        const ui::Panel panel(frame, colors, "numbers", ImVec2(place.x, top), ImVec2(place.w, height * s));
        show_numbers(frame, view_, wishes);
        top += height * s + gap;
    }
    const ui::Panel panel(frame, colors, "learn", ImVec2(place.x, top),
                          ImVec2(place.w, place.y + place.h - top));
    show_learn_card(frame, view_, wishes);
}

/// The strip of boards, and below it the chosen one: pictures and plot of the scenario, or one of the maps.
void WindowSession::show_middle(const Frame& frame, const Rect& place, Wishes& wishes) {
    const Theme& colors = theme(view_.theme);
    constexpr float kLeastWide = 260;  // beside a course a table may get less than that [points]
    const float s = frame.scale, gap = 8 * s, strip = 32 * s;
    ImGui::SetCursorScreenPos(ImVec2(place.x, place.y));
    show_board_strip(frame, view_, place.w, wishes);
    const bool wide = board_info(state_.board).wide, has_lesson = !wide || !lesson_key(state_.board).empty();
    if (wide && has_lesson) {
        ImGui::SetCursorScreenPos(ImVec2(place.x, place.y));
        show_lesson_switch(frame, view_, place.x + place.w);
    }
    const float top = place.y + strip, height = place.h - strip, bottom = place.y + place.h;
    const bool access = state_.board == Board::access, reading = view_.reading && has_lesson;
    float& share = reading ? view_.reading_share : view_.plot_share;
    const float below = access || reading ? height * share : -gap;
    {
        const ui::Panel panel(frame, colors, access ? "picture" : "board", ImVec2(place.x, top),
                              ImVec2(place.w, height - below - gap), 8);
        if (access)
            show_pictures(frame, view_, pictures_, wishes);
        else if (frame.counts_hidden && (state_.board == Board::traffic || state_.board == Board::roofline))
            show_hidden_part(frame, colors, "This map");
        else if (board_info(state_.board).wide && place.w < kLeastWide * s)
            ui::wrapped("This table needs a wider window, or smaller text: Ctrl+minus.");
        else
            show_board(frame, view_, pictures_, wishes);
    }
    if (!access && !reading) return;
    {
        const ui::Panel panel(frame, colors, reading ? "reading" : "plot", ImVec2(place.x, bottom - below),
                              ImVec2(place.w, below), reading ? 12 : 8);
        if (reading)
            show_reading(frame, view_, wishes);
        else if (frame.counts_hidden)
            show_hidden_part(frame, colors, "The plot");
        else
            show_plot(frame, view_, analysis_.curve, pictures_, wishes);
    }
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
