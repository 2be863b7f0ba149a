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
#include <span>

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

/// The huge line: what a comparison comes to, else the verdict, else what is shown.
struct Headline {
    std::string text, tooltip;
    Color color;
    const char* mark;
};

Headline headline_of(const PanelStyle& style, const Frame& frame) {
    const BoardInfo& board = *frame.state->board;
    const BoardWords& words = *frame.board_words;
    if (std::string ratio = ratio_of_speeds(frame); !ratio.empty())
        return {std::move(ratio), {}, style.colors.accent, "present.ratio"};
    const bool says = frame.other == nullptr && !frame.counts_hidden && !panel_of(board).says_verdict;
    if (std::string verdict = short_verdict(words.explanation); says && !verdict.empty())
        return {std::move(verdict), words.explanation.verdict, style.of(words.tone), "verdict"};
    return {std::string(board.about_scenario ? frame.state->scenario->info->title : board.label),
            {},
            style.colors.text,
            "present.title"};
}

/// The place in a talk, and the buttons of a clicker's keys, at the end of the line. A course has its own,
/// and needs the room.
/// @return  their width [pixels]
float buttons_width(const PanelStyle& style, const Frame& frame) {
    const float leave = ui::pill_width(style, "panels") + style.px(4);
    if (frame.learning->has_card()) return leave;
    const std::string stop = stop_text(frame);
    float width = leave + (stop.empty() ? 0 : style.px(14) + ImGui::CalcTextSize(stop.c_str()).x);
    for (const char* label : {"←", "→"}) width += ui::pill_width(style, label) + style.px(4);
    return width;
}

void show_buttons(const PanelStyle& style, const Frame& frame, Actions& actions) {
    const struct {
        const char *label, *name;
        std::string tooltip;
        Action press;
    } kButtons[] = {
        {"←", "present.previous", "The stop before (PageUp).", action::Next{action::Next::What::stop, -1}},
        {"→", "present.next",
         fmt::format("The next stop {}.", key_hint(action::Next{action::Next::What::stop})),
         action::Next{action::Next::What::stop, 1}},
        {"panels", "present.leave", "Leaves projector mode (Esc).", action::Do::projector}};
    const bool card = frame.learning->has_card();
    if (const std::string stop = stop_text(frame); !stop.empty() && !card) {
        ImGui::AlignTextToFramePadding();
        ui::text_weak(style, stop);
        ui::mark("present.stop");
        ImGui::SameLine(0, style.px(14));
    }
    for (const auto& button : std::span(kButtons).subspan(card ? 2 : 0)) {
        if (ui::chip(style, button.label, false)) actions.add(button.press);
        ui::mark(style, button.name, button.tooltip);
        ImGui::SameLine(0, style.px(4));
    }
    ImGui::NewLine();
}

/// The steps of the picture while they are walked through, one after the other; else none.
PlayedSteps shown_steps(const Frame& frame, const View& view) {
    const auto count = int(frame.evidence->report.instructions.size());
    if (!frame.state->board->instructions || frame.state->player_step < 0 || view.focus < 0 || count == 0)
        return {};
    return played_steps(view_of(*frame.evidence, std::min(view.focus, count - 1)));
}

/// The speed beside its peak, or the step that is shown, and what to try next.
void show_speed_line(const PanelStyle& style, const Frame& frame, const View& view, Actions& actions) {
    constexpr float kLeastBar = 90, kHigh = 14;  // [points]
    const Speed speed = speed_of(frame);
    const PlayedSteps steps = shown_steps(frame, view);
    const int step = frame.state->player_step;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x,
                share = steps.count > 0 ? float(step + 1) / float(steps.count) : speed.share();
    std::string words;
    float text = 0, next = 0;
    // Rather fewer words than a cut one, or one below the button.
    for (const std::string& shorter : {speed.text(), speed.short_text()}) {
        words = steps.count > 0 ? fmt::format("{} {} of {}", steps.name, step + 1, steps.count) : shorter;
        text = words.empty() ? 0 : ImGui::CalcTextSize(words.c_str()).x + style.px(14);
        const float least = text + (share > 0 ? style.px(kLeastBar) : 0);
        next = frame.state->board->instructions ? what_to_try_width(style, frame, room - least) : 0;
        if (next > 0) next += style.px(16);
        if (text + next <= room) break;
    }
    const float wide = room - text - next;
    if (!words.empty()) {
        ImGui::AlignTextToFramePadding();
        ui::text(words);
        ui::mark("present.speed");
    }
    if (share > 0 && wide >= style.px(40)) {
        const ImVec2 from(at.x + text, at.y + (ImGui::GetFrameHeight() - style.px(kHigh)) / 2);
        const auto bar = [&](float width, Color color) {
            ImGui::GetWindowDrawList()->AddRectFilled(from, ImVec2(from.x + width, from.y + style.px(kHigh)),
                                                      ui::color(color), style.px(3));
        };
        bar(wide, style.colors.grid);
        const bool bad = steps.count == 0 && frame.board_words->tone == Tone::bad;
        bar(std::max(wide * share, style.px(3)), bad ? style.colors.bad : style.colors.accent);
    }
    if (next <= 0) return;
    if (!words.empty()) ImGui::SameLine();
    ImGui::SetCursorScreenPos(ImVec2(at.x + room - next + style.px(14), at.y));
    show_what_to_try(style, frame, actions);
}

/// The heights of what stands around the picture [pixels]; 0 if it is left out.
struct Around {
    float head = 0, speed = 0, foot = 0;
    bool knobs = false;               ///< the foot has parameters beside the buttons
    bool buttons_above = false;       ///< they stand beside the headline, and there is no foot
    FontRole font = FontRole::title;  ///< of the headline
};

/// Beside the buttons [pixels]. @param wide  the line
float room_for_knobs(const PanelStyle& style, const Frame& frame, float wide) {
    return wide - buttons_width(style, frame) - style.px(14);
}

/// A clicker cannot scroll. Where a board's picture has too little room, the headline is in smaller type,
/// down to that of all text; and where it would have to scroll, the parameters give way, which the clicker's
/// keys set as well.
/// @param head  height of what stands above the board's picture [pixels]
/// @param size  for all of them and the picture [pixels]
Around plan_around(const PanelStyle& style, const Frame& frame, float head, ImVec2 size) {
    constexpr float kSpeed = 32, kKnobs = 48, kButtons = 34, kAroundText = 8, kPadding = 16;  // [points]
    const BoardInfo& board = *frame.state->board;
    const std::string text = headline_of(style, frame).text;
    const float buttons = buttons_width(style, frame);
    const float around = head + style.px(kPadding), least = around + style.px(board.least_height),
                wanted = around + style.px(std::max(board.class_height, board.least_height));
    const bool tells = frame.other == nullptr && (speed_of(frame).known() || board.instructions);
    Around plan{.speed = tells ? style.px(kSpeed) : 0,
                .knobs = board.about_scenario &&
                         fit_main_knobs(style, frame, room_for_knobs(style, frame, size.x)) > 0};
    const auto left = [&] {
        const ui::FontScope font(style, plan.font);
        plan.buttons_above =
            !plan.knobs && ImGui::CalcTextSize(text.c_str()).x + buttons + style.px(20) <= size.x;
        const float high = ImGui::CalcTextSize(text.c_str(), nullptr, false, size.x).y;
        plan.head = std::min(high, 0.25f * ImGui::GetIO().DisplaySize.y) + style.px(kAroundText);
        plan.foot = plan.buttons_above ? 0 : style.px(plan.knobs ? kKnobs : kButtons);
        return size.y - plan.head - plan.speed - plan.foot;
    };
    if (left() >= wanted || board.instructions || frame.other != nullptr) return plan;
    plan.font = FontRole::heading;
    if (left() < least) plan.knobs = false;
    if (left() < wanted) plan.font = FontRole::strong;
    left();
    return plan;
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
    const float gap = style.px(kGap), edge = style.px(14);
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const float card = frame.learning->has_card() ? style.px(kCard) + gap : 0,
                wide = size.x - 2 * edge - card;
    const Around around =
        plan_around(style, frame, memory.b.board_head, ImVec2(wide, size.y - 2 * style.px(6)));
    float top = style.px(6), bottom = size.y - style.px(6);
    {
        const Headline line = headline_of(style, frame);
        const ui::FontScope font(style, around.font);
        ui::begin_line_at(ImVec2(edge, top + style.px(4)));
        ui::wrapped(line.color, line.text, wide);
        ui::mark(style, line.mark, line.tooltip);
        // The scenario's name at the end of the line, where it has room.
        const ui::FontScope body(style, FontRole::body);
        const std::string name(frame.state->scenario->info->title);
        const float name_wide = ImGui::CalcTextSize(name.c_str()).x;
        const bool room =
            style.px(style.fonts.width(line.text, around.font)) + style.px(30) + name_wide <= wide;
        if (frame.state->board->about_scenario && !around.buttons_above && room && name != line.text) {
            ui::begin_line_at(ImVec2(edge + wide - name_wide, top + style.px(10)));
            ui::text_weak(style, name);
            ui::mark("present.scenario");
        }
        top += around.head;
    }
    show_bar_menus(screen);
    ImGui::PushStyleColor(ImGuiCol_ChildBg, IM_COL32_BLACK_TRANS);
    bottom -= around.foot;
    if (around.knobs) {
        ui::begin_line_at(ImVec2(edge, bottom));
        ui::begin_child("knobs", ImVec2(room_for_knobs(style, frame, wide), around.foot), false,
                        ImGuiWindowFlags_NoScrollbar);
        State changed = *frame.state;
        if (show_main_knobs(style, frame, changed, view, actions)) actions.add(action::Change{changed});
        ImGui::EndChild();
        ui::mark("panel.knobs");
    }
    const float line = around.buttons_above ? style.px(6) : bottom,
                high = around.buttons_above ? around.head : around.foot;
    ui::begin_line_at(
        ImVec2(edge + wide - buttons_width(style, frame), line + (high - ImGui::GetFrameHeight()) / 2));
    show_buttons(style, frame, actions);
    bottom -= around.speed;
    if (around.speed > 0) {
        ui::begin_line_at(ImVec2(edge, bottom + style.px(3)));
        ui::begin_child("speed", ImVec2(wide, around.speed), false, ImGuiWindowFlags_NoScrollbar);
        show_speed_line(style, frame, view, actions);
        ImGui::EndChild();
    }
    ImGui::PopStyleColor();
    show_part(screen, Section::picture, {gap, top, size.x - 2 * gap - card, bottom - top - gap / 2});
    if (card > 0) show_part(screen, Section::words, {size.x - card, gap, style.px(kCard), size.y - 2 * gap});
}

}  // namespace warplens
