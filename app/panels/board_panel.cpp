#include "app/panels/board_panel.h"

#include "app/boards/choose/decisions.h"
#include "app/boards/hazards/hazards_picture.h"
#include "app/boards/hazards/knobs.h"
#include "app/boards/journey/journey.h"
#include "app/boards/phases/knobs.h"
#include "app/boards/phases/phases_picture.h"
#include "app/boards/program/program.h"
#include "app/learn/learning.h"
#include "app/panels/learn/markdown_view.h"
#include "app/panels/widgets.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

/// The boards that are more than a picture and a list of knobs, by key.
constexpr BoardPanel kPanels[] = {{.board = "phases", .head = show_phase_player},
                                  {.board = "journey", .head = show_journey_player},
                                  {.board = "program", .head = show_program_player},
                                  {.board = "hazards", .head = show_barriers},
                                  {.board = "occupancy", .controls = show_occupancy_controls},
                                  {.board = "choose", .head = show_questions, .says_verdict = true},
                                  {.board = "claims", .body = show_claims}};

/// A word on the board, and the key that leads to it: "(3)".
std::string tip_of(const BoardInfo& board) {
    return fmt::format("{} {}", board.tooltip, key_hint(action::ShowBoard{&board}));
}

/// Room that a board's pill needs [pixels]. @param around  its name [points]
float pill_room(const PanelStyle& style, const BoardInfo& board, float around) {
    return ImGui::CalcTextSize(std::string(board.label).c_str()).x + style.px(around);
}

/// The boards from `first` on, to choose from. Its face is the chosen one, if that is among them.
void show_board_list(const PanelStyle& style, const Frame& frame, std::size_t first, Actions& actions) {
    const auto rest = all_boards().subspan(first);
    const bool among = std::ranges::find(rest, frame.state->board) != rest.end();
    const std::string face = among ? std::string(frame.state->board->label) : std::string("more");
    ImGui::SetNextItemWidth(style.px(first == 0 ? 180 : 150));
    if (among) ImGui::PushStyleColor(ImGuiCol_FrameBg, ui::color(style.colors.control_hover));
    const bool open = ImGui::BeginCombo("##board", face.c_str(), ImGuiComboFlags_HeightLarge);
    if (among) ImGui::PopStyleColor();
    ui::mark("boards");
    if (!open) return;
    for (const BoardInfo* board : rest) {
        if (ui::entry(std::string(board->label).c_str(), board == frame.state->board))
            actions.add(action::ShowBoard{board});
        ui::mark(style, fmt::format("board.{}", board->key), tip_of(*board));
    }
    ImGui::EndCombo();
}

/// The answer to one question, as its chip says it.
std::string step_label(const DecisionPlace& place, std::size_t step) {
    return fmt::format("→ {}", place.steps[step].given().said);
}

/// The answers given so far; a click goes back to the question that was asked there. A class has no need of
/// all: in projector mode they are the last ones that fit on one line, and before there are any there is no
/// line.
void show_path(const PanelStyle& style, const DecisionPlace& place, bool one_line, Actions& actions) {
    if (one_line && place.steps.empty()) return;
    constexpr float kBetween = 2;
    std::size_t first = 0;
    if (one_line) {
        float room = ImGui::GetContentRegionAvail().x - ui::pill_width(style, "start again");
        first = place.steps.size();
        while (first > 0) {
            room -= ui::pill_width(style, step_label(place, first - 1)) + style.px(kBetween);
            if (room < 0) break;
            --first;
        }
    }
    ImGui::BeginDisabled(place.steps.empty());
    if (ui::chip(style, "start again", false)) actions.add(action::FollowLink{decision_link(0)});
    ImGui::EndDisabled();
    ui::mark(style, "choose.again", "Forget the answers. Ctrl+Z takes one back.");
    for (std::size_t i = first; i < place.steps.size(); ++i) {
        const DecisionPlace::Step& step = place.steps[i];
        const std::string label = step_label(place, i);
        ui::beside_if_room(style, kBetween, ui::pill_width(style, label));
        if (ui::pill(style, fmt::format("{}##{}", label, i).c_str(), false))
            actions.add(action::FollowLink{decision_link(place.path(i))});
        ui::mark(style, fmt::format("choose.step.{}", i),
                 fmt::format("{} {}.\nClick: answer this again.", step.question->ask, step.given().text));
    }
}

void show_answers(const PanelStyle& style, const DecisionPlace& place, bool briefly, Actions& actions) {
    const DecisionQuestion& question = *place.question;
    {
        const ui::FontScope heading(style, FontRole::heading);
        ui::wrapped(question.ask);
        ui::terms_tip(style, question.ask);
    }
    if (!briefly) show_sentence(style, question.help, style.colors.text_weak, false, actions);
    for (std::size_t k = 0; k < question.answers.size(); ++k) {
        const DecisionAnswer& answer = question.answers[k];
        if (k > 0) ui::beside_if_room(style, 6, ui::pill_width(style, answer.text));
        if (ui::chip(style, answer.text.c_str(), false))
            actions.add(action::FollowLink{decision_link(place.path_with(int(k)))});
        ui::mark(
            style, fmt::format("choose.answer.{}", k),
            fmt::format("{}\nNext question: the ladder below shows which memories are left.", answer.text));
    }
}

void show_end(const PanelStyle& style, const DecisionPlace& place, bool briefly, Actions& actions) {
    const DecisionEnd& end = *place.end;
    {
        const ui::FontScope heading(style, FontRole::heading);
        ImGui::PushStyleColor(ImGuiCol_Text, ui::color(end.warning ? style.colors.bad : style.colors.good));
        ui::wrapped(end.title);
        ui::terms_tip(style, end.title);
        ImGui::PopStyleColor();
    }
    if (place.wished != nullptr)
        show_sentence(
            style,
            fmt::format("{}: only from compute capability {} on, so on this GPU it is the next best.",
                        place.wished->title, place.wished->since),
            style.colors.text, false, actions);
    if (!briefly || place.wished == nullptr)
        show_sentence(style, briefly ? end.reason : fmt::format("{} {}", end.reason, end.watch),
                      style.colors.text, false, actions);
    if (ui::chip(style, "show it", false)) actions.add(action::FollowLink{end.link});
    ui::mark(style, "choose.show",
             fmt::format("Goes to a scenario that shows it, with its parameters set.\n{}", end.link));
    ImGui::SameLine(0, style.px(10));
    ImGui::AlignTextToFramePadding();
    const ui::FontScope mono(style, FontRole::mono);
    ui::text(end.code);
    ui::tip(style, fmt::format("How it looks in a kernel:\n{}", end.code));
}

void show_button(const PanelStyle& style, const char* label, const char* name, const char* tooltip,
                 bool enabled, const auto& press) {
    ImGui::BeginDisabled(!enabled);
    if (ui::chip(style, label, false)) press();
    ImGui::EndDisabled();
    ui::mark(style, name, tooltip);
    ImGui::SameLine(0, style.px(4));
}

action::Change at_step(const Frame& frame, int step) {
    BoardValues boards = frame.state->boards;
    boards.set(*frame.state->board->played_knob(), step);
    return action::changed(*frame.state, &State::boards, boards);
}

/// Buttons and a slider for the knob that the board plays.
/// @param name   what the step is called
/// @param widest  the longest of these words, so that the slider keeps its place
void show_player(const PanelStyle& style, const Frame& frame, const std::string& name, const char* widest,
                 const char* tooltip, Actions& actions) {
    const BoardInfo& board = *frame.state->board;
    const BoardKnob& knob = *board.played_knob();
    const int last = board_limit(knob, frame.state->boards), now = frame.state->boards[knob];
    const auto mark = [&](const char* part) { return fmt::format("{}.{}", board.key, part); };
    show_button(style, "←", mark("back").c_str(), "The step before (key ,)", now > 0,
                [&] { actions.add(at_step(frame, now - 1)); });
    show_button(style, frame.playing ? "pause" : "play", mark("play").c_str(),
                "Play the steps, or pause (space)", true, [&] { actions.add(action::Do::play_or_pause); });
    // The next button keeps its place, whichever word this one has.
    if (!frame.playing)
        ImGui::SameLine(0, style.px(4) + ImGui::CalcTextSize("pause").x - ImGui::CalcTextSize("play").x);
    show_button(style, "→", mark("next").c_str(), "The next step (key .)", now < last,
                [&] { actions.add(at_step(frame, now + 1)); });
    const std::string words = fmt::format("step {} of {}: {}", now + 1, last + 1, name);
    const float slider = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(widest).x - style.px(20);
    const ImVec2 start = ImGui::GetCursorPos();
    int value = now + 1;
    if (slider > style.px(60)) {
        ImGui::SetNextItemWidth(slider);
        if (ui::slider(style, fmt::format("##{}.step", board.key).c_str(), value, 1, last + 1))
            actions.add(at_step(frame, value - 1));
        ui::mark(style, mark("scrub"), "Drag to any step. Ctrl+click to type a number.");
        ImGui::SetCursorPos(ImVec2(start.x + slider + style.px(12), start.y));
    }
    ImGui::AlignTextToFramePadding();
    ui::text(words);
    ui::tip(style, tooltip);
}

}  // namespace

const BoardPanel& panel_of(const BoardInfo& board) {
    static constexpr BoardPanel kNone{};
    const auto found = std::ranges::find(kPanels, board.key, &BoardPanel::board);
    return found == std::end(kPanels) ? kNone : *found;
}

void show_board_head(const PanelStyle& style, const Frame& frame, const View& view, Actions& actions) {
    if (const auto head = panel_of(*frame.state->board).head; head != nullptr)
        head(style, frame, view, actions);
    const std::optional<BoardExample>& example = frame.board_words->example;
    if (!example) return;
    if (ui::chip(style, std::string(example->label).c_str(), true))
        actions.add(action::FollowLink{std::string(example->link)});
    ui::mark(style, "board.example", "This board has nothing to show of what is set.");
}

void show_board_strip(const PanelStyle& style, const Frame& frame, float width, Actions& actions) {
    constexpr float kAround = 24, kTight = 16, kList = 158;
    constexpr std::size_t kLeastPills = 3, kMostPills = 4;
    const auto boards = all_boards();
    const auto room = [&](std::size_t count, float around) {
        float used = 0;
        for (const BoardInfo* board : boards.first(count)) used += pill_room(style, *board, around);
        return used;
    };
    const bool tight = room(kMostPills, kAround) + style.px(kList) > width;
    std::size_t pills = std::min(boards.size(), kMostPills);
    if (tight)
        while (pills > 0 && room(pills, kTight) + style.px(kList) > width) --pills;
    if (pills < kLeastPills) pills = 0;
    for (const BoardInfo* board : boards.first(pills)) {
        if (ui::pill(style, std::string(board->label).c_str(), frame.state->board == board, tight ? 7 : 10))
            actions.add(action::ShowBoard{board});
        ui::mark(style, fmt::format("board.{}", board->key), tip_of(*board));
        ImGui::SameLine(0, style.px(tight ? 2 : 4));
    }
    if (pills < boards.size()) show_board_list(style, frame, pills, actions);
}

void show_board(const PanelStyle& style, const Frame& frame, const View& view, PictureCache& cache,
                Actions& actions) {
    if (const auto body = panel_of(*frame.state->board).body; body != nullptr)
        return body(style, cache.claims, actions);
    const float top = ImGui::GetCursorPosY();
    show_board_head(style, frame, view, actions);
    const float head = ImGui::GetCursorPosY() - top;
    if (head != cache.board_head) actions.redraw(0);
    cache.board_head = head;
    // Else the way to something that has it is enough: the headline and Why say why. A class sees no Why.
    if (view.projector || !frame.board_words->example)
        show_board_picture(style, frame, view, cache, 0, actions);
}

bool hides_board(const Frame& frame) {
    return frame.counts_hidden && (frame.state->board->about_scenario || frame.learning->quiz() != nullptr);
}

void show_board_picture(const PanelStyle& style, const Frame& frame, const View& view, PictureCache& cache,
                        float below, Actions& actions) {
    Vec2 room = room_here(style, frame.state->board->least_height);
    room.y = std::max(room.y - below / style.scale, kLeastRoom.y);
    const PictureKey key = picture_key(
        style, frame, view, {.size = room, .hovered_lane = lit_lane(view), .embedded = true, .silent = true});
    const Picture& picture = shown_picture(cache.board, key, frame, view, actions, [&](const Style& look) {
        return for_view(view, draw_board(board_input(frame), look));
    });
    const char* id = frame.is_other ? "a.board.picture" : kBoardPicture;
    const Hit* hit = paint(style, frame, picture, id);
    ui::mark(id);
    if (!frame.is_other) show_picture_menu(style, frame, view, actions);
    if (hit != nullptr && hit->lane >= 0) actions.hover.lane = hit->lane;
    if (hit == nullptr || hit->link.empty()) return;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (ImGui::IsMouseReleased(ImGuiMouseButton_Left)) actions.add(action::FollowLink{hit->link});
}

void show_phase_player(const PanelStyle& style, const Frame& frame, const View&, Actions& actions) {
    const BoardValues& values = frame.state->boards;
    const PhaseStep step = phase_step(phases_product(values), values[kPhasesStep]);
    show_player(style, frame, step_name(step), "step 88 of 88: phase 16, barrier: tiles loaded",
                "In a step all threads of the block do the same.", actions);
}

void show_journey_player(const PanelStyle& style, const Frame& frame, const View&, Actions& actions) {
    const BoardValues& values = frame.state->boards;
    const Story story = journey_story(journey_setting(values), {}, values[kJourneyStep]);
    show_player(style, frame, story.now().text("name"), "step 88 of 88: wait for the block",
                "How a and b of one multiply-add come into registers.", actions);
}

void show_program_player(const PanelStyle& style, const Frame& frame, const View&, Actions& actions) {
    const BoardValues& values = frame.state->boards;
    const Story story = program_story(program_setting(values), {}, nullptr, values[kProgramStep]);
    show_player(style, frame, story.now().text("name"), "step 88 of 88: copy out",
                "Time runs from left to right.", actions);
}

void show_barriers(const PanelStyle& style, const Frame& frame, const View&, Actions& actions) {
    const State& state = *frame.state;
    const KernelOrder order = state.scenario->kernel->order(state.params);
    const int barriers = count_barriers(order);
    const auto name_of = [&](int value) -> std::string {
        if (value == 0) return "all";
        if (value == kNoBarrier || barriers == 1) return "none";
        return fmt::format("without {}{}", is_fence(order, value - 1) ? "the " : "",
                           barrier_name(order, value - 1));
    };
    if (barriers == 0 || state.scenario->typed != nullptr) return;  // a typed kernel's text leaves them out
    ImGui::AlignTextToFramePadding();
    ui::text("Barriers");
    ui::tip(style, kHazardsBarriers.tooltip);
    for (int value = 0; value <= kNoBarrier; ++value) {
        if (!is_offered(value, barriers)) continue;
        const std::string name = name_of(value);
        ui::beside_if_room(style, value == 0 ? 10.0f : 2.0f, ui::pill_width(style, name));
        const bool now =
            left_out_by(state.boards[kHazardsBarriers], barriers) == left_out_by(value, barriers);
        if (ui::chip(style, name.c_str(), now)) {
            BoardValues boards = state.boards;
            boards.set(kHazardsBarriers, value);
            actions.add(action::changed(state, &State::boards, boards));
        }
        ui::mark(style, fmt::format("hazards.barriers.{}", value),
                 fmt::format("Which of the kernel's {} are kept.", counted(barriers, "barrier")));
    }
}

void show_questions(const PanelStyle& style, const Frame& frame, const View& view, Actions& actions) {
    const DecisionPlace place =
        follow_path(decisions(), frame.state->boards[kChoosePath], frame.devices->at(frame.state->device));
    ui::forget_items("choose");
    const bool briefly =
        view.projector;  // the ladder below has to be seen as well, and a clicker cannot scroll
    show_path(style, place, briefly, actions);
    if (place.question != nullptr)
        show_answers(style, place, briefly, actions);
    else
        show_end(style, place, briefly, actions);
    ImGui::Dummy(ImVec2(0, style.px(2)));
}

}  // namespace warplens
