#include "app/window/action.h"

#include "app/experiment/evidence.h"
#include "app/experiment/state.h"
#include "app/learn/presenting.h"
#include "app/window/apply_parts.h"
#include "app/window/frame.h"
#include "app/window/measuring.h"

#include <algorithm>

namespace warplens {

using action::Do;
using action::Next;

namespace {

/// Set the knob of the x axis to the value that belongs to a click into the plot.
void set_axis_knob(Session& s, double place) {
    State to = s.state();
    if (to.axis == nullptr) return;
    for (const int value : plot_values(*to.axis, to.params))
        if (axis_position(*to.axis, value) == place)
            to.params = with_knob(*to.scenario, to.params, *to.axis, value);
    change(s, to);
}

void set_as_cell(Session& s, std::size_t cell) {
    if (!has_heatmap(s.state())) return;
    const CellsQuestion cells = cells_question(s.state());
    if (cell >= cells.size() || !cells.exists(cell)) return;
    change(s, action::changed(s.state(), &State::params, cells.params_of(cell, s.state().params)).to);
}

void set_as_point(Session& s, std::size_t point) {
    const FitPlot* fit = s.frame().fit;
    if (fit == nullptr || point >= fit->points.size()) return;
    State to = s.state();
    to.params = fit->points[point].params;
    clamp_knobs(*to.scenario, to.params);
    change(s, to);
}

void allow_fix(Session& s, const action::AllowFix& allow) {
    std::vector<const Knob*>& kept = s.past.fixes[s.state().scenario].kept;
    std::erase(kept, allow.knob);
    if (!allow.may_change) kept.push_back(allow.knob);
}

void also_fix(Session& s, const action::AlsoFix& also) {
    auto& accesses = s.past.fixes[s.state().scenario].also;
    std::erase(accesses, std::vector{also.access});
    if (also.on) accesses.push_back({also.access});
}

void take_fix(Session& s, const action::TakeFix& take) {
    const Fixes* fixes = s.frame().fixes;
    if (fixes == nullptr || take.answer >= fixes->answers.size())
        return s.say("there is no such answer to what would fix this");
    State to = s.state();
    if (take.compare) to.compared = s.state();
    const FixAnswer& answer = fixes->answers[take.answer];
    to.params = answer.params;
    if (!to.board->instructions) to.board = first_board();
    s.view.fixes = false;
    const std::string text = answer.text;  // it is the frame's
    change(s, to);
    if (text.empty()) return;
    s.view.focus = costliest_instruction(s.state(), s.device());  // there is little room for all of them
    s.typing.rewrite(text, s.host.now());
    show_kernel_editor(s);
}

void show_tab(View& view, int tab) {
    view.tab = tab;
    const bool wide = tab == 2 ? !view.reading_code : tab == 1 && view.reading_code;
    if (wide) view.reading = false;  // it moves back to the tabs
    show_section(view, Section::words);
}

/// Shows the controls of the scenario, of which one gets the keyboard in the next frame.
void focus_knob(Session& s, const Knob& knob) {
    if (s.view.projector) leave_projector(s);  // which has a few of them only
    const BoardInfo& board = *s.state().board;
    if (!board.knobs.empty() && !board.about_scenario) s.state().board = first_board();
    show_section(s.view, Section::set);
    const std::vector<const Knob*> main = main_knobs(*s.state().scenario);
    if (std::ranges::find(main, &knob) == main.end()) s.view.more_knobs = true;
    s.view.focus_knob = &knob;
}

/// Ends one thing per call: first what lies on top, then running work, then projector mode.
void leave(Session& s) {
    View& view = s.view;
    if (view.finder)
        view.finder = false;
    else if (view.help)
        view.help = false;
    else if (view.messages)
        view.messages = false;
    else if (view.fixes)
        view.fixes = false;
    else if (view.start_page)
        view.start_page = false;
    else if (!s.frame().busy.empty())
        cancel_busy(s);
    else if (view.requests)
        view.requests = false;
    else if (s.measuring.stop())
        return;
    else if (view.projector)
        leave_projector(s);
    else if (s.state().compared)
        toggle_compare(s);
}

/// One overload for each kind of action.
struct Apply {
    Session& s;

    void operator()(std::monostate) const {}
    void operator()(Do what) const;
    void operator()(const Next& next) const;
    void operator()(const action::Change& to) const { change(s, to.to); }
    void operator()(const action::GoTo& go) const { go_to(s, *go.scenario); }
    void operator()(const action::FollowLink& to) const {
        follow(s, to.link);
        s.view.claim = to.claim;
        if (!to.claim.empty()) s.view.tab = 0;
    }
    void operator()(const action::ShowBoard& show) const {
        // Hits of another board may be threads instead of lanes.
        s.view.hovered_lane = s.view.kept_lane = -1;
        if (s.state().board != show.board) show_all_steps(s);
        s.view.start_page = s.view.requests = false;
        s.state().board = show.board;
    }
    void operator()(const action::Focus& focus) const {
        s.view.focus = focus.instruction;
        show_all_steps(s);
    }
    void operator()(const action::SetAxisKnob& set) const { set_axis_knob(s, set.place); }
    void operator()(const action::SetAsCell& set) const { set_as_cell(s, set.cell); }
    void operator()(const action::SetAsPoint& set) const { set_as_point(s, set.point); }
    void operator()(const action::Hover& hover) const {
        s.view.hovered_lane = hover.lane;
        s.view.hovered_instruction = hover.instruction;
    }
    void operator()(const action::AllowFix& allow) const { allow_fix(s, allow); }
    void operator()(const action::AlsoFix& also) const { also_fix(s, also); }
    void operator()(const action::TakeFix& take) const { take_fix(s, take); }
    void operator()(const action::OpenFile& open) const { s.files.shelf.read(open.path); }
    // One action of a frame may close the recording that the next one names.
    void operator()(const action::ShowRecording& show) const {
        s.files.shelf.recordings.tick(show.look, show.shown);
    }
    void operator()(const action::CloseRecording& close) const {
        RecordingShelf& shelf = s.files.shelf;
        const OpenRecording* closed = shelf.recordings.with_look(close.look);
        if (closed == nullptr) return;
        shelf.message = "closed " + closed->file;
        s.say(shelf.message);
        shelf.recordings.remove(close.look);
    }
    void operator()(const action::ChooseRequest& choose) const { s.files.requests.choose(choose.index); }
    void operator()(const action::ChooseLaunch& choose) const { s.files.counters.choose(choose.index); }
    void operator()(const action::OpenKernel& open) const { open_kernel_text(s, open.text, open.name, {}); }
    void operator()(const action::OpenDocument& open) const { open_document(s, open.document); }
    void operator()(const action::TypeKernel& typed) const {
        if (typed.text != s.typing.text()) give_up_kernel_quiz(s);
        s.typing.type(typed.text, s.host.now());
    }
    void operator()(const action::OpenCourse& open) const {
        if (s.learning.open_course(open.id)) set_up_step(s);
        show_card(s);
    }
    void operator()(const action::ResetCourse& reset) const { s.learning.reset_course(reset.id); }
    void operator()(const action::GoToStep& go) const { go_to_course_step(s, go.step); }
    void operator()(const action::PredictFirst& first) const { s.learning.set_predict_first(first.on); }
    void operator()(const action::MakeGuess& made) const {
        s.learning.guess(s.state(), s.view.focus, made.guess);
    }
    void operator()(const action::StartQuiz& start) const { start_quiz(s, start); }
    void operator()(const action::Answer& given) const { answer(s, given.text); }
    void operator()(const action::LookAt& look) const { set_up_question(s, look.setting); }
    void operator()(const action::WriteAnswers& write) const { write_answers(s, write.path); }
    void operator()(const action::PlayDemo& play) const { play_demo(s, play.stop); }
    void operator()(const action::OpenDemo& open) const { open_shipped_demo(s, open.id); }
    void operator()(const action::SaveDemo& save) const { save_demo(s, save.path); }
    void operator()(const action::EditDemo& edit) const { edit_demo(s, edit); }
    template <class T>
    void operator()(const action::Set<T>& set) const {
        s.view.*set.field = set.value;
    }
    void operator()(const action::Toggle& toggle) const { s.view.*toggle.part = !(s.view.*toggle.part); }
    void operator()(const action::ShowTab& show) const { show_tab(s.view, show.tab); }
    void operator()(const action::Read& read) const {
        s.view.reading = read.wide;
        s.view.reading_code = read.code;
        if (read.wide) s.view.tab = 0;
    }
    void operator()(const action::ShowSection& show) const { show_section(s.view, show.section); }
    void operator()(const action::ShowHelp& show) const {
        s.view.help = true;
        s.view.help_page = show.page;
        s.view.help_at = show.at;
    }
    void operator()(const action::FocusKnob& focus) const { focus_knob(s, *focus.knob); }
    void operator()(const action::Scale& scale) const {
        if (s.view.projector)
            s.view.projector_zoom = std::clamp(s.view.projector_zoom * scale.factor, 0.6f, 1.6f);
        else
            s.host.set_user_scale(s.host.user_scale() * scale.factor);
    }
};

void Apply::operator()(Do what) const {
    const QuizRun* quiz = s.learning.quiz();
    const CourseStep* step = s.learning.step();
    switch (what) {
        case Do::undo:
            if (const auto before = s.past.history.undo()) set_state(s, *before);
            return;
        case Do::redo:
            if (const auto after = s.past.history.redo()) set_state(s, *after);
            return;
        case Do::reset_all:
            return reset_all(s);
        case Do::reset_knob:
            s.view.reset_knob = true;
            return;
        case Do::compare:
            return toggle_compare(s);
        case Do::swap_sides:
            return swap_sides(s);
        case Do::play_or_pause:
            if (s.state().board->instructions) return play_accesses(s, !s.player.playing());
            if (s.state().board->played_knob() != nullptr) play_board(s, !s.player.playing());
            return;
        case Do::measure_again:
            return s.measure(true);
        case Do::stop_measuring:
            s.measuring.stop();
            return;
        case Do::cancel_busy:
            return cancel_busy(s);
        case Do::projector:
        case Do::projector_full:
            return toggle_projector(s, what == Do::projector_full);
        case Do::full_screen:
            return s.host.toggle_full_screen();
        case Do::leave_course:
            s.learning.leave_course();
            return;
        case Do::set_up_step:
            set_up_step(s);
            return;
        case Do::show_me:
            if (step != nullptr && !step->shows.empty()) follow(s, step->shows);
            return;
        case Do::next_question:
            if (quiz == nullptr || !quiz->answered()) return;
            s.learning.next_question();
            set_up_question(s, 0);
            return show_card(s);
        case Do::leave_quiz:
            if (s.learning.making_quiz()) return s.learning.give_up_quiz();
            if (quiz != nullptr && !quiz->answers.empty() && !quiz->finished())
                s.say(fmt::format("quiz {}: {} of {} answers right", quiz->quiz.seed, quiz->score(),
                                  quiz->answers.size()));
            s.learning.leave_quiz();
            return;
        case Do::scale_reset:
            if (s.view.projector)
                s.view.projector_zoom = 1;
            else
                s.host.set_user_scale(1);
            return;
        case Do::toggle_theme:
            s.view.look.theme = luminance(theme(s.view.look).page) < 0.5 ? ThemeName::light : ThemeName::dark;
            return;
        case Do::toggle_bits:
            s.state().bits = !s.state().bits;
            return;
        case Do::close_requests:
            s.files.requests.close();
            s.view.counters = s.view.requests = s.files.counters.is_open();
            return;
        case Do::close_counters:
            s.files.counters.close();
            s.view.counters = false;
            s.view.requests = s.files.requests.is_open();
            return;
        case Do::toggle_note:
            if (!s.learning.demo.playing()) return s.say("no demo is playing");
            s.learning.demo.show_note(!s.learning.demo.note_shown());
            return show_card(s);
        case Do::notes_window:
            return toggle_notes_window(s);
        case Do::my_kernel:
            return my_kernel(s);
        case Do::undo_typing:
            return s.typing.undo(s.host.now());
        case Do::redo_typing:
            return s.typing.redo(s.host.now());
        case Do::new_kernel:
            return open_kernel_text(s, first_kernel(), {}, {});
        case Do::edit_kernel:
            return edit_kernel(s);
        case Do::save_kernel:
            return save_kernel(s);
        case Do::run_kernel:
            return run_kernel(s);
        case Do::welcome:
            s.view.start_page = s.view.tour_due = true;
            return;
        case Do::leave:
            return leave(s);
        case Do::quit:
            return close_window(s);
        case Do::choose_files:
            return s.host.choose_files();
        case Do::open_export:
        case Do::start_export:
        case Do::close_export:
        case Do::copy_picture:
        case Do::copy_data:
        case Do::copy_command:
        case Do::copy_link:
        case Do::copy_requests_command:
        case Do::copy_counters_command:
            return do_with_picture(s, what);
    }
}

void Apply::operator()(const Next& next) const {
    switch (next.what) {
        case Next::What::scenario:
            if (const Scenario* other = neighbour(*s.state().scenario, next.by)) go_to(s, *other);
            return;
        case Next::What::stop:
            if (s.learning.demo.playing()) return next_of_demo(s, next.by);
            // With an open course, a clicker goes through its steps.
            if (!s.learning.has_card()) return present(s, next.by);
            if (s.learning.quiz() != nullptr) {
                if (next.by > 0) (*this)(Do::next_question);
            } else if (s.learning.finished() != nullptr) {
                const Course* course = next.by > 0 ? s.learning.next_course() : nullptr;
                if (course != nullptr) (*this)(action::OpenCourse{course->id});
            } else if (next.by > 0 && s.view.projector && s.frame().counts_hidden) {
                (*this)(action::MakeGuess{});  // a class sees the answer before the next step
            } else {
                (*this)(action::GoToStep{std::max(0, s.learning.step_index() + next.by)});
            }
            return;
        case Next::What::wavefront:
            return step_player(s, next.by);
        case Next::What::section:
            return next_section(s.view, s.mode(), *s.state().board, s.learning.has_card(), next.by);
        case Next::What::tour: {
            const int count = int(tour_cards().size()), card = std::max(s.view.tour + next.by, 0);
            s.view.tour = card < count ? card : -1;
            return;
        }
    }
}

}  // namespace

Action::Action(const Action&) = default;
Action::Action(Action&&) noexcept = default;
Action& Action::operator=(const Action&) = default;
Action& Action::operator=(Action&&) noexcept = default;
Action::~Action() = default;
bool operator==(const Action& a, const Action& b) = default;

void Actions::add(Action one) { all.push_back(std::move(one)); }

void apply(Session& session, Action action) {
    if (std::holds_alternative<std::monostate>(action)) return;
    const Subject before = session.state();
    std::visit(Apply{session}, action);
    session.applied();
    // The number of a claim is that of the setting to which its link led.
    const bool followed = std::holds_alternative<action::FollowLink>(action);
    if (!followed && before != static_cast<const Subject&>(session.state())) session.view.claim.clear();
    session.host.keep_awake(3);
}

}  // namespace warplens
