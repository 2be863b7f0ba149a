// Projector mode: large type, thick lines, one picture with what it means, few knobs.

#include "app/learn/learning.h"
#include "app/learn/presenting.h"
#include "app/panels/board_panel.h"
#include "app/panels/controls.h"
#include "app/panels/screen.h"
#include "app/panels/speed.h"
#include "app/panels/widgets.h"
#include "app/pictures/kit/canvas.h"
#include "app/window/frame.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warplens {

namespace {

/// Which stop of the demo or of the scenario is shown: "column order, 3 of 7". Empty if there are none.
std::string stop_text(const Frame& frame) {
    const State& state = *frame.state;
    const DemoRun& demo = frame.learning->demo;
    if (demo.playing() && demo.ended()) return "the end";
    if (demo.playing()) return fmt::format("stop {} of {}", demo.at() + 1, demo.demo().stops.size());
    if (!state.board->about_scenario) return {};
    const std::vector<Stop> stops = stops_of(*state.scenario);
    const int at = stop_at(stops, state.params);
    if (at < 0) return "own setting";
    return fmt::format("{}, {} of {}", stops[at].name, at + 1, stops.size());
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
    std::vector<Button> all = buttons();
    const auto width_of_all = [&] {
        float sum = 0;
        for (const Button& button : all) sum += ui::pill_width(style, button.label) + style.px(4);
        return sum;
    };
    const bool of_scenario = frame.state->board->about_scenario;
    const std::string_view name =
        of_scenario ? frame.state->scenario->info->title : frame.state->board->label;
    // The ratio is what a comparison is shown for; which stop it is can wait.
    const std::string ratio = ratio_of_speeds(frame);
    const bool compares = frame.other != nullptr;
    const std::string stop = compares ? ratio : stop_text(frame);
    const FontRole stop_font = compares ? FontRole::heading : FontRole::body;
    // Buttons that have a key give way to the title and the stop.
    constexpr float kTitle = 300;  // [points]
    const float wanted = std::max(
        kTitle, style.fonts.width(name, FontRole::heading) + style.fonts.width(stop, stop_font) + 26);
    for (const std::string_view by_key : {"present.full", "present.reset", "learn"})
        if (end - width_of_all() - ImGui::GetCursorPosX() < style.px(wanted))
            std::erase_if(all, [&](const Button& button) { return button.name == by_key; });
    const float width = width_of_all();
    const float room = (end - width - ImGui::GetCursorPosX()) / style.scale - 12;
    const float for_ratio = compares && !ratio.empty() ? style.fonts.width(ratio, stop_font) + 20 : 0;
    const std::string title = elide(name, FontRole::heading, std::max(0.0f, room - for_ratio), style.fonts);
    ui::text(style, FontRole::heading, title);
    ui::mark("present.title");
    const float left = room - style.fonts.width(title, FontRole::heading) - 14;
    if (!stop.empty() && left > 40) {
        ImGui::SameLine(0, style.px(14));
        if (!compares) ImGui::AlignTextToFramePadding();
        const ui::FontScope font(style, stop_font);
        ui::text_colored(compares ? style.colors.accent : style.colors.text_weak,
                         elide(stop, stop_font, left, style.fonts));
        ui::mark(compares ? "present.ratio" : "present.stop");
    }
    ImGui::SameLine(end - width);
    for (const Button& button : all) {
        if (ui::chip(style, button.label, false)) actions.add(button.press);
        ui::mark(style, button.name, button.tooltip);
        ImGui::SameLine(0, style.px(4));
    }
}

/// Room for the line, in a font, with the speed below it. @param room  for the line, as in show_summary
/// [pixels].
float summary_height(const PanelStyle& style, const Frame& frame, FontRole font, float room) {
    const bool has_speed = speed_of(frame).known();
    const ui::FontScope scope(style, font);
    const float text =
        ImGui::CalcTextSize(short_verdict(frame.board_words->explanation).c_str(), nullptr, false, room).y;
    const bool has_line = has_speed || frame.state->board->instructions;
    constexpr float kPadding = 20, kButton = 8, kSpace = 8;  // of panel and button, between lines [points]
    const float line = has_line ? kSpace + kButton + line_height(FontRole::body) : 0;
    return std::min(text, 0.25f * ImGui::GetIO().DisplaySize.y) + style.px(kPadding + line);
}

/// @param right  room that it leaves at the right [pixels].
void show_speed(const PanelStyle& style, const Speed& speed, float right) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const std::string words = speed.text();
    const float room = ImGui::GetContentRegionAvail().x - right, text = ImGui::CalcTextSize(words.c_str()).x;
    ImGui::AlignTextToFramePadding();
    ui::text(words);
    ui::mark("present.speed");
    const float left = text + style.px(14), wide = room - left, high = style.px(14);
    if (speed.share() <= 0 || wide < style.px(40)) return;
    const ImVec2 from(at.x + left, at.y + (ImGui::GetFrameHeight() - high) / 2);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(from, ImVec2(from.x + wide, from.y + high), ui::color(style.colors.grid),
                        style.px(3));
    draw->AddRectFilled(from, ImVec2(from.x + std::max(wide * speed.share(), style.px(2)), from.y + high),
                        ui::color(style.colors.accent), style.px(3));
}

/// The huge line; below it the speed, and what to try next.
/// @param room  for the huge line, as summary_height has it [pixels].
void show_summary(const PanelStyle& style, const Frame& frame, FontRole font, float room, Actions& actions) {
    const Explanation& words = frame.board_words->explanation;
    {
        const ui::FontScope scope(style, font);
        // A scroll bar that is there for one frame must not make the lines narrower, or it would stay.
        ui::wrapped(words.good ? style.colors.good : style.colors.bad, short_verdict(words), room);
        ui::mark(style, "verdict", words.verdict);
    }
    if (const Speed speed = speed_of(frame); speed.known()) {
        // The bar keeps some room beside the buttons, which say less then.
        constexpr float kLeastBar = 90, kGaps = 32;  // [points]
        const float text = ImGui::CalcTextSize(speed.text().c_str()).x;
        const float taken = text + (speed.share() > 0 ? style.px(kLeastBar + kGaps) : style.px(kGaps));
        const float for_button = ImGui::GetContentRegionAvail().x - taken;
        const float next =
            frame.state->board->instructions ? what_to_try_width(style, frame, for_button) + style.px(14) : 0;
        show_speed(style, speed, next);
        ImGui::SameLine(std::max(text + style.px(22), ImGui::GetWindowWidth() - next - style.px(4)));
    }
    show_what_to_try(style, frame, actions, true);
}

/// The heights of what stands below the picture [pixels]; 0 if it is left out.
struct BelowPicture {
    float verdict = 0, knobs = 0;
    FontRole font = FontRole::title;  ///< of the verdict
};

/// A clicker cannot scroll. Where a board's picture has too little room, the verdict is in smaller type, down
/// to that of all text; and where it would have to scroll, the parameters give way, which the clicker's keys
/// set as well.
/// @param head    height of what stands above the board's picture [pixels]
/// @param wide    of the panels [pixels]
/// @param height  for all of them and the picture [pixels]
BelowPicture plan_below(const PanelStyle& style, const Frame& frame, float head, float wide, float height) {
    constexpr float kKnobs = 66, kPadding = 16;  // of the panel around the picture [points]
    const BoardInfo& board = *frame.state->board;
    const float gap = style.px(kGap), around = head + style.px(kPadding),
                least = around + style.px(board.least_height),
                wanted = around + style.px(std::max(board.class_height, board.least_height));
    // In a comparison each side has its own verdict, and the pictures need the room.
    const bool says = frame.other == nullptr && !frame.counts_hidden && !panel_of(board).says_verdict &&
                      !frame.board_words->explanation.verdict.empty();
    BelowPicture below{.knobs = board.about_scenario ? style.px(kKnobs) : 0};
    const auto left = [&] {
        below.verdict = says ? summary_height(style, frame, below.font, wide - 2 * gap) : 0;
        float room = height;
        for (const float part : {below.verdict, below.knobs}) room -= part > 0 ? part + gap : 0;
        return room;
    };
    const bool fixed = board.instructions || frame.other != nullptr;
    if (left() >= wanted || fixed) return below;
    below.font = FontRole::heading;
    if (left() < least) below.knobs = 0;
    if (left() < wanted) below.font = FontRole::strong;
    left();
    return below;
}

}  // namespace

float projector_scale(Vec2 size, const View& view) {
    // The window has about so many points in projector mode, however many pixels.
    constexpr Vec2 kPoints{590, 440};
    const float fits =
        std::clamp(view.projector_zoom * std::min(size.x / kPoints.x, size.y / kPoints.y), 0.75f, 8.0f);
    return std::floor(fits * 50) / 50;
}

void show_black(Actions& actions) {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(0, 0), size, IM_COL32_BLACK);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) actions.add(action::Show{&View::black, false});
}

void show_projector(const Screen& screen) {
    const auto& [style, frame, view, memory, actions] = screen;
    constexpr float kCard = 300;  // of a course or a quiz, at the right [points]
    const float gap = style.px(kGap), top = style.px(42);
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    ui::begin_line_at(ImVec2(style.px(14), style.px(8)));
    show_projector_head(style, frame, actions);
    show_bar_menus(screen);
    const float card = frame.learning->has_card() ? style.px(kCard) + gap : 0, wide = size.x - 2 * gap - card;
    float bottom = size.y - gap;
    const BelowPicture below = plan_below(style, frame, memory.b.board_head, wide, bottom - top);
    if (below.knobs > 0) {
        const ui::Panel panel(style, "knobs", ImVec2(gap, bottom - below.knobs), ImVec2(wide, below.knobs),
                              8);
        State changed = *frame.state;
        if (show_main_knobs(style, frame, changed, view, actions)) actions.add(action::Change{changed});
        bottom -= below.knobs + gap;
    }
    if (below.verdict > 0) {
        const ui::Panel panel(style, "verdict", ImVec2(gap, bottom - below.verdict),
                              ImVec2(wide, below.verdict), 8);
        show_summary(style, frame, below.font, wide - 2 * gap, actions);
        bottom -= below.verdict + gap;
    }
    show_part(screen, Section::picture, {gap, top, wide, bottom - top});
    if (card > 0)
        show_part(screen, Section::words, {size.x - card, top, style.px(kCard), size.y - gap - top});
}

}  // namespace warplens
