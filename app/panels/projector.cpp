// What a class sees: little, and large.
#include "app/learn/presenting.h"
#include "app/panels/overlays.h"
#include "app/panels/widgets.h"
#include "app/pictures/kit/canvas.h"
#include "app/window/keys.h"

#include <fmt/format.h>

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

}  // namespace

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
        ui::mark(button.name);
        ui::tip(style, button.tooltip);
        ImGui::SameLine(0, style.px(4));
    }
}

Explanation spoken(const Frame& frame, const View& view) {
    const bool small_pictures = frame.state->board->instructions && view.focus < 0;
    return small_pictures ? frame.board_words->explanation
                          : Explanation{};  // every other picture says it itself
}

}  // namespace warplens
