#include "app/window/apply_parts.h"

#include "app/base/errors.h"
#include "app/base/output.h"
#include "app/experiment/devices.h"
#include "app/learn/mistakes.h"
#include "app/learn/presenting.h"
#include "app/learn/quiz.h"
#include "app/model/access/counts.h"
#include "app/window/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

namespace warplens {
namespace {

/// The cost of each instruction over the whole grid.
std::vector<Cost> costs_of(const State& state, const DeviceFacts& device) {
    const Scenario& scenario = *state.scenario;
    std::vector<Cost> costs;
    for (int k = 0; k < scenario.instruction_count(state.params); ++k)
        costs.push_back(cost_of(scenario.instruction(state.params, k),
                                count_grid(scenario, state.params, k, device), device.sector_rules));
    return costs;
}

/// A preset makes another instruction the costliest. Where none costs more than its ideal the picture stays
/// with the one that did, which is what the preset mends.
void follow_costliest(Session& s) {
    Past::ProjectorFocus& focus = s.past.projector_focus;
    if (focus.scenario != s.state().scenario || focus.chosen != s.view.focus) return;  // a person chose it
    const std::vector<Cost> costs = costs_of(s.state(), s.device());
    const std::size_t most = costliest(costs);
    if (costs[most].excess() > 0) focus.chosen = s.view.focus = int(most);
}

/// A change may leave out instructions before the pictured one, or add some: it keeps its label, not its
/// number.
void follow_label(Session& s, const State& to) {
    const Scenario& scenario = *to.scenario;
    if (s.view.focus < 0 || s.view.focus >= scenario.instruction_count(s.state().params)) return;
    const auto label = [&](const Params& params, int k) { return scenario.instruction(params, k).label; };
    const std::string_view wanted = label(s.state().params, s.view.focus);
    const int count = scenario.instruction_count(to.params);
    if (s.view.focus < count && label(to.params, s.view.focus) == wanted) return;
    for (int k = 0; k < count; ++k)
        if (label(to.params, k) == wanted) s.view.focus = k;
}

/// What was kept of one kernel says nothing of another one.
void leave_kernel(Session& s, const Scenario& to) {
    s.view.kept_lane = -1;
    if (to.typed == nullptr) s.typing.leave();
}

}  // namespace

int costliest_instruction(const State& state, const DeviceFacts& device) {
    return int(costliest(costs_of(state, device)));
}

int first_focus(const State& state, const DeviceFacts& device) {
    const int count = state.scenario->instruction_count(state.params);
    const auto space = [&](int k) { return state.scenario->instruction(state.params, k).space; };
    if (count == 1) return 0;
    const bool alike = count == 2 && space(0) == space(1);
    return alike ? costliest_instruction(state, device) : -1;
}

void change(Session& s, State to) {
    if (to.scenario != s.state().scenario) return go_to(s, *to.scenario);
    follow_label(s, to);
    if (to.second_axis == to.axis) to.second_axis = nullptr;
    s.past.device_chosen |= to.device != s.state().device;
    clamp_board(to.boards);
    s.view.start_page = false;
    s.state() = std::move(to);
}

void set_state(Session& s, const State& state) {
    if (state.scenario != s.state().scenario) leave_kernel(s, *state.scenario);
    if (state.scenario != s.state().scenario)
        s.view.focus = first_focus(state, s.devices()[state.device]);
    else
        follow_label(s, state);
    s.remember_state();
    s.view.start_page = false;
    s.state() = state;
}

void go_to(Session& s, const Scenario& scenario) {
    s.view.start_page = s.view.requests = false;
    leave_kernel(s, scenario);
    s.remember_state();
    const State before = s.state();
    const auto found = s.past.scenarios.find(&scenario);
    State& now = s.state();
    now = found != s.past.scenarios.end() ? found->second : initial_state(scenario, before.device);
    now.device = before.device;
    now.bank_mode = before.bank_mode;
    const bool chosen = before.board->about_scenario && !before.board->instructions &&
                        before.board != subject_board(*before.scenario);
    now.board = chosen ? before.board : subject_board(scenario);
    now.boards = before.boards;
    now.compared = before.compared;  // a comparison with another scenario is possible
    s.view.focus = first_focus(now, s.device());
}

void follow(Session& s, const std::string& link) {
    try {
        const Place place = follow_link(link, s.state(), s.devices());
        go_to_place(s, place);
        show_section(s.view, place.tab ? Section::words : Section::picture);
    } catch (const UsageError& error) {
        s.complain(error.what());
    }
}

void go_to_place(Session& s, const Place& place) {
    s.past.device_chosen |= place.state.device != s.state().device;
    set_state(s, place.state);
    View& view = s.view;
    if (place.instruction) view.focus = *place.instruction;
    if (place.scope) view.scope = *place.scope;
    if (!place.tab) return;
    view.reading = *place.tab >= 3;
    view.reading_code = *place.tab == 4;
    view.tab = view.reading ? 0 : *place.tab;
}

void reset_all(Session& s) {
    State& state = s.state();
    if (state.board->about_scenario || state.board->knobs.empty())
        state.params = state.scenario->info->defaults;
    reset_board(state.boards, *state.board);
    clamp_board(state.boards);
}

void toggle_compare(Session& s) {
    std::optional<Subject>& compared = s.state().compared;
    if (compared)
        compared.reset();
    else
        compared = s.state();
    s.say(compared ? "A is kept; what you set from now on is B"
                   : "nothing is compared now; what was B stays");
}

void swap_sides(Session& s) {
    if (!s.state().compared) return;
    const Subject b = s.state();
    s.remember_state();
    s.state() = state_of(*s.state().compared, s.state());
    s.state().compared = b;
}

void show_board_step(Session& s, int step) {
    const BoardKnob& knob = *s.state().board->played_knob();
    const int wanted = std::clamp(step, knob.min, board_limit(knob, s.state().boards));
    if (wanted == s.state().boards[knob]) return;
    s.state().boards.set(knob, wanted);
}

void step_player(Session& s, int by) {
    if (const BoardKnob* knob = s.state().board->played_knob())
        show_board_step(s, s.state().boards[*knob] + by);
    else
        step_wavefront(s, by);
}

void play_board(Session& s, bool play) {
    if (play) {
        const BoardKnob& knob = *s.state().board->played_knob();
        if (s.state().boards[knob] == board_limit(knob, s.state().boards)) show_board_step(s, knob.min);
        s.player.play(s.host.now());
    } else {
        s.player.stop();
    }
}

void play_accesses(Session& s, bool play) {
    State& state = s.state();
    if (!play) {
        s.player.stop();
    } else if (s.learning.hides(state, s.view.focus)) {
        return s.say("this shows what it costs: make your prediction first");
    } else if (steps_to_play(s) == 0) {
        return s.say("these pictures have no wavefronts or sectors to play");
    } else {
        if (state.player_percent < 0) state.player_percent = 0;
        if (state.player_step < 0) state.player_step = 0;
        s.player.play(s.host.now());
    }
}

int steps_to_play(Session& s) {
    int most = 0;
    const Ready<Evidence> evidence = s.evidence();
    const int count = int(evidence->report.instructions.size());
    for (int k = 0; k < count; ++k)
        if (s.view.focus < 0 || k == s.view.focus)
            most = std::max(most, played_steps(view_of(*evidence, k)).count);
    return most;
}

void show_all_steps(Session& s) {
    s.player.stop();
    s.state().player_step = s.state().player_percent = -1;
}

void clamp_player(Session& s) {
    int& shown = s.state().player_step;
    if (shown >= 0) shown = std::min(shown, std::max(-1, steps_to_play(s) - 1));
}

void step_wavefront(Session& s, int by) {
    s.player.stop();
    s.state().player_percent = -1;
    int& shown = s.state().player_step;
    const int last = std::max(-1, steps_to_play(s) - 1);
    const bool round = s.view.projector && by > 0 && shown == last;
    shown = round ? -1 : std::clamp(shown + by, -1, last);
}

void toggle_projector(Session& s, bool full_screen) {
    if (s.view.projector) return leave_projector(s);
    s.view.projector = true;
    s.learning.demo.show_note(false);  // the class need not see it
    focus_for_projector(s);
    s.past.full_screen_for_projector = full_screen && !s.host.is_full_screen();
    if (s.past.full_screen_for_projector) s.host.toggle_full_screen();
}

void focus_for_projector(Session& s) {
    constexpr std::size_t kFew = 2;
    std::vector<Cost> costs = costs_of(s.state(), s.device());
    if (s.view.focus >= 0 || costs.size() <= kFew) return;
    if (s.state().compared) {  // what is good in B may be what is bad in A
        const State a = state_of(*s.state().compared, s.state());
        const std::vector<Cost> others = costs_of(a, s.devices()[a.device]);
        for (std::size_t i = 0; i < costs.size() && others.size() == costs.size(); ++i)
            costs[i] = std::max(costs[i], others[i],
                                [](const Cost& x, const Cost& y) { return x.excess() < y.excess(); });
    }
    const int chosen = int(costliest(costs));
    s.past.projector_focus = {s.state().scenario, chosen, s.view.focus};
    s.view.focus = chosen;
}

void leave_projector(Session& s) {
    s.learning.demo.show_note(!s.view.notes_window);
    s.view.projector = s.view.black = false;
    if (s.past.full_screen_for_projector && s.host.is_full_screen()) s.host.toggle_full_screen();
    s.past.full_screen_for_projector = false;
    const Past::ProjectorFocus focus = std::exchange(s.past.projector_focus, {});
    if (focus.scenario == s.state().scenario && focus.chosen == s.view.focus) s.view.focus = focus.before;
}

void present(Session& s, int direction) {
    if (s.state().board->played_knob() != nullptr) return step_player(s, direction);
    if (!s.state().board->about_scenario)
        return s.say("this board has no presets to go through: the keys 1 to 3 lead to one that has");
    const Talk there = next_stop(*s.state().scenario, s.state().params, direction);
    if (there.scenario == nullptr)
        return s.say(direction > 0 ? "this was the last preset of the last scenario"
                                   : "this is the first preset of the first scenario");
    const bool other = there.scenario != s.state().scenario;
    if (other) go_to(s, *there.scenario);
    s.state().params = there.params;
    if (s.view.projector) other ? focus_for_projector(s) : follow_costliest(s);
    show_all_steps(s);
}

void show_card(Session& s) {
    if (s.learning.has_card()) show_section(s.view, Section::words);
}

void go_to_course_step(Session& s, int step) {
    const Course* course = s.learning.course();
    if (course == nullptr) return;
    if (step < int(course->steps.size())) {
        s.learning.go_to_step(step);
        set_up_step(s);
        return show_card(s);
    }
    s.learning.finish_course();
    s.say(fmt::format("course '{}': {} of {} steps done", course->title,
                      s.learning.progress(*course).done_count(), course->steps.size()));
    show_card(s);
}

void set_up_step(Session& s) {
    const CourseStep* step = s.learning.step();
    if (step == nullptr) return;
    s.view.scope = 0;
    // Courses are about sectors and 32 banks, which do not apply to older GPUs.
    constexpr int kLeastMajor = 7;
    if (s.device().cc.major < kLeastMajor)
        s.state().device = find_device(s.devices(), kDefaultDevice).value();
    s.state().compared.reset();
    follow(s, step->link);
    s.view.hovered_lane = -1;
}

namespace {

void make_quiz(Session& s, std::uint32_t seed, int questions, const QuizAbout& about,
               std::string_view mistakes, QuizProgress from = {}) {
    const std::size_t device = find_device(s.devices(), kDefaultDevice).value();
    if (const FigureWithMistakes* figure = find_figure(mistakes))
        return begin_quiz(s, make_mistake_quiz(*figure, device), std::move(from));
    s.learning.await_quiz({seed, std::clamp(questions, 1, kMostQuestions), about, device, s.table()},
                          std::move(from));
    show_card(s);
}

}  // namespace

void start_quiz(Session& s, const action::StartQuiz& wanted) {
    try {
        QuizAbout about;
        if (wanted.space >= 0) about.space = static_cast<Space>(wanted.space);
        if (wanted.here) about.here = s.state();
        make_quiz(s, parse_seed(wanted.seed), wanted.questions, about, wanted.figure);
    } catch (const UsageError& error) {
        s.say(error.what());
    }
}

void resume_quiz(Session& s, const SavedQuiz& kept) {
    if (kept.questions == 0) return;
    try {
        QuizAbout about;
        for (int space = 0; space < kSpaceCount; ++space)
            if (space_name(static_cast<Space>(space)) == kept.space) about.space = static_cast<Space>(space);
        if (!kept.here.empty()) about.here = follow_link(kept.here, s.state(), s.devices()).state;
        make_quiz(s, kept.seed, kept.questions, about, kept.figure, kept);
    } catch (const UsageError& gone) {  // what it is about, in this version
        s.say(gone.what());
    }
}

void begin_quiz(Session& s, Quiz quiz, QuizProgress from) {
    s.learning.leave_course();
    s.learning.start_quiz(std::move(quiz), std::move(from));
    const QuizRun& run = *s.learning.quiz();
    if (!run.finished() && run.answered()) s.learning.say_why(why_right(run.question(), s.devices()));
    set_up_question(s, 0);
    show_card(s);
}

void give_up_kernel_quiz(Session& s) {
    const QuizKey* wanted = s.learning.wanted_quiz();
    if (wanted != nullptr && wanted->kernel() != nullptr) s.learning.give_up_quiz();
}

void answer(Session& s, const std::string& text) {
    const QuizRun* quiz = s.learning.quiz();
    if (quiz == nullptr || quiz->finished() || quiz->answered()) return;
    s.learning.answer(text, why_right(quiz->question(), s.devices()));
}

void set_up_question(Session& s, std::size_t setting) {
    const QuizRun* quiz = s.learning.quiz();
    if (quiz == nullptr || quiz->finished() || setting >= quiz->question().settings.size()) return;
    const Question& question = quiz->question();
    s.state().compared.reset();
    follow(s, link_to(question.settings[setting], s.devices()));
    const int count = s.state().scenario->instruction_count(s.state().params);
    s.view.focus = std::min(question.instruction, count - 1);
    s.view.scope = 0;
}

void write_answers(Session& s, const std::string& path) {
    if (s.learning.quiz() == nullptr) return;
    const QuizRun& quiz = *s.learning.quiz();
    try {
        if (path.empty()) throw std::runtime_error("expected the name of a file to write the answers to");
        write_output(path, quiz_csv(quiz.quiz, quiz.answers, true));
        std::error_code error;
        s.learning.say_written("Written: " + std::filesystem::absolute(path, error).string());
    } catch (const std::exception& problem) {
        s.learning.say_written(problem.what());
    }
}

}  // namespace warplens
