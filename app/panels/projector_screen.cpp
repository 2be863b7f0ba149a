// Projector mode: large type, thick lines, one picture with what it means, few knobs.

#include "app/learn/learning.h"
#include "app/learn/presenting.h"
#include "app/panels/controls.h"
#include "app/panels/screen.h"
#include "app/panels/widgets.h"
#include "app/pictures/kit/canvas.h"
#include "app/window/frame.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warplens {

namespace {

/// Which of the scenario's stops is shown: "column order, 3 of 7".
std::string stop_text(const State& state) {
    const std::vector<Stop> stops = stops_of(*state.scenario);
    const int at = stop_at(stops, state.params);
    if (at < 0) return "own setting";
    return fmt::format("{}, {} of {}", stops[static_cast<std::size_t>(at)].name, at + 1, stops.size());
}

struct Button {
    const char* label;
    const char* name;
    std::string tooltip;
    Action press;
};

std::vector<Button> buttons() {
    return {
        {"←", "present.previous", "The stop before (PageUp).", action::Next{action::Next::What::stop, -1}},
        {"→", "present.next",
         fmt::format("The next stop {}.", key_hint(action::Next{action::Next::What::lesson_or_stop})),
         action::Next{action::Next::What::stop, 1}},
        {"reset", "present.reset", fmt::format("All parameters back {}.", key_hint(action::Do::reset_all)),
         action::Do::reset_all},
        {"learn", "learn",
         fmt::format("Guided courses, and a quiz for the class {}.",
                     key_hint(action::Show{&View::learn_menu})),
         action::Show{&View::learn_menu}},
        {"full screen", "present.full", key_hint(action::Do::full_screen), action::Do::full_screen},
        {"leave", "present.leave", "Back to all panels (Esc).", action::Do::projector}};
}

void show_projector_head(const PanelStyle& style, const Frame& frame, Actions& actions) {
    const float end = ImGui::GetWindowWidth() - style.px(12);
    const std::vector<Button> all = buttons();
    float width = 0;
    for (const Button& button : all) width += ui::pill_width(style, button.label) + style.px(4);
    const bool of_scenario = frame.state->board->about_scenario;
    const std::string_view name =
        of_scenario ? frame.state->scenario->info->title : frame.state->board->label;
    const float room = (end - width - ImGui::GetCursorPosX()) / style.scale - 12;
    const std::string title = elide(name, FontRole::heading, room, style.fonts);
    ui::text(style, FontRole::heading, title);
    ui::mark("present.title");
    const float left = room - style.fonts.width(title, FontRole::heading) - 14;
    if (of_scenario && left > 40) {
        ImGui::SameLine(0, style.px(14));
        ImGui::AlignTextToFramePadding();
        ui::text_weak(style, elide(stop_text(*frame.state), FontRole::body, left, style.fonts));
        ui::mark("present.stop");
    }
    ImGui::SameLine(end - width);
    for (const Button& button : all) {
        if (ui::chip(style, button.label, false)) actions.add(button.press);
        ui::mark(style, button.name, button.tooltip);
        ImGui::SameLine(0, style.px(4));
    }
}

}  // namespace

float projector_scale(Vec2 size) {
    // The window has about so many points in projector mode, however many pixels.
    constexpr float kWidth = 960, kHeight = 560;
    const float fits = std::clamp(std::min(size.x / kWidth, size.y / kHeight), 0.75f, 6.0f);
    return std::floor(fits * 20) / 20;
}

void show_projector(const Screen& screen) {
    const auto& [style, frame, view, caches, actions, set] = screen;
    constexpr float kCard = 330;  // of a course or a quiz, at the right [points]
    const float gap = style.px(kGap), top = style.px(42);
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    ImGui::SetCursorScreenPos(ImVec2(style.px(14), style.px(8)));
    show_projector_head(style, frame, actions);
    show_bar_menus(style, frame, view, actions);
    const float card = frame.learning->has_card() ? style.px(kCard) + gap : 0, wide = size.x - 2 * gap - card;
    float bottom = size.y - gap;
    if (frame.state->board->about_scenario) {
        State changed = *frame.state;
        const float height = style.px(76);
        bool turned = false;
        {
            const ui::Panel panel(style, "knobs", ImVec2(gap, bottom - height), ImVec2(wide, height), 8);
            turned = show_main_knobs(style, frame, changed, view, actions);
        }
        if (turned) set(changed);
        bottom -= height + gap;
    }
    // Every picture but the small ones says it itself.
    const bool spoken = !frame.counts_hidden && frame.state->board->instructions && view.focus < 0;
    const Explanation words = spoken ? frame.board_words->explanation : Explanation{};
    if (!words.verdict.empty()) {
        const ui::FontScope heading(style, FontRole::heading);
        const float room = wide - 2 * gap - style.px(8);
        const float height =
            std::min(ImGui::CalcTextSize(words.verdict.c_str(), nullptr, false, room).y, 0.2f * size.y) +
            style.px(26);
        const ui::Panel panel(style, "verdict", ImVec2(gap, bottom - height), ImVec2(wide, height));
        ui::wrapped(words.good ? style.colors.good : style.colors.bad, words.verdict);
        ui::mark("verdict");
        bottom -= height + gap;
    }
    show_part(screen, Section::picture, {gap, top, wide, bottom - top});
    if (card > 0)
        show_part(screen, Section::words, {size.x - card, top, style.px(kCard), size.y - gap - top});
}

}  // namespace warplens
