#include "app/window/apply.h"

#include "app/experiment/link.h"
#include "app/learn/presenting.h"
#include "app/window/window_session.h"

#include <algorithm>

namespace warplens {

using action::Do;
using action::Next;

/// One overload for each kind of action.
struct Apply {
    WindowSession& s;

    void operator()(std::monostate) const {}
    void operator()(Do what) const;
    void operator()(const Next& next) const;
    void operator()(const action::Change& change) const { s.change(change.to); }
    void operator()(const action::GoTo& go) const { s.go_to(*go.scenario); }
    void operator()(const action::FollowLink& follow) const {
        s.follow(follow.link);
        if (follow.claim.empty()) return;
        s.view_.claim = follow.claim;
        s.view_.tab = 0;
    }
    void operator()(const action::ShowBoard& show) const {
        // A thread of one board is no lane of the next one.
        s.view_.hovered_lane = -1;
        s.state_.board = show.board;
        s.look_changed();
    }
    void operator()(const action::Focus& focus) const {
        s.view_.focus = focus.instruction;
        s.state_.only_wavefront = -1;
        s.look_changed();
    }
    void operator()(const action::SetAxisKnob& set) const {
        State changed = s.state_;
        if (changed.axis == nullptr) return;
        for (const int value : plot_values(*changed.axis, changed.params)) {
            if (axis_position(*changed.axis, value) == set.place) changed.params.*changed.axis->field = value;
        }
        clamp_knobs(*changed.scenario, changed.params);
        s.change(changed);
    }
    void operator()(const action::SetAsCell& set) const {
        if (!s.has_heatmap() || set.cell >= s.heatmap_.heatmap().cells.size()) return;
        if (s.heatmap_.cell_exists(set.cell))
            s.change(action::changed(s.state_, &State::params, s.heatmap_.params_of(set.cell)).to);
    }
    void operator()(const action::SetAsPoint& set) const {
        if (set.point >= s.fit_.points.size()) return;
        State changed = s.state_;
        changed.params = s.fit_.points[set.point].params;
        clamp_knobs(*changed.scenario, changed.params);
        s.change(changed);
    }
    void operator()(const action::Hover& hover) const {
        s.view_.hovered_lane = hover.lane;
        s.view_.hovered_instruction = hover.instruction;
    }
    void operator()(const action::OpenFile& open) const {
        if (s.open_file(open.path)) s.view_.recording_path = {};
    }
    void operator()(const action::ShowRecording& show) const {
        s.recordings_.tick(show.index, show.shown);
        s.refresh_points();
    }
    void operator()(const action::CloseRecording& close) const {
        s.recording_message_ = "closed " + s.recordings_.all().at(close.index).file;
        s.say(s.recording_message_);
        s.recordings_.remove(close.index);
        s.refresh_points();
    }
    void operator()(const action::OpenCourse& open) const {
        if (s.learning_.open_course(open.id)) s.set_up_step();
        s.learning_changed(true);
    }
    void operator()(const action::ResetCourse& reset) const {
        s.learning_.reset_course(reset.id);
        s.learning_changed(false);
    }
    void operator()(const action::GoToStep& go) const {
        s.go_to_course_step(go.step);
        s.learning_changed(true);
    }
    void operator()(const action::PredictFirst& first) const {
        s.learning_.set_predict_first(first.on);
        s.learning_changed(false);
    }
    void operator()(const action::MakeGuess& made) const {
        s.learning_.guess(s.state_, s.view_.focus, made.guess);
        s.learning_changed(false);
    }
    void operator()(const action::StartQuiz& start) const {
        s.start_quiz(start);
        s.learning_changed(true);
    }
    void operator()(const action::Answer& answer) const {
        s.answer(answer.text);
        s.learning_changed(false);
    }
    void operator()(const action::LookAt& look) const {
        s.set_up_question(look.setting);
        s.learning_changed(false);
    }
    void operator()(const action::WriteAnswers& write) const {
        s.write_answers(write.path);
        s.learning_changed(false);
    }
    void operator()(const action::Show& show) const { s.view_.*show.part = show.on; }
    void operator()(const action::Toggle& toggle) const { s.view_.*toggle.part = !(s.view_.*toggle.part); }
    void operator()(const action::ShowSpace& show) const {
        s.view_.space = show.space;
        if (s.state_.scenario->in(show.space)) return;
        const auto first = std::ranges::find_if(
            all_scenarios(), [&](const Scenario& scenario) { return scenario.in(show.space); });
        if (first != all_scenarios().end()) s.go_to(*first);
    }
    void operator()(const action::ShowTab& show) const {
        View& view = s.view_;
        view.tab = show.tab;
        const bool wide = show.tab == 2 ? !view.reading_code : show.tab == 1 && view.reading_code;
        if (wide) view.reading = false;  // back to where the tabs are
        s.turn_to(Section::words);
    }
    void operator()(const action::Read& read) const {
        s.view_.reading = read.wide;
        s.view_.reading_code = read.code;
        if (read.wide) s.view_.tab = 0;
    }
    void operator()(const action::ShowScope& show) const { s.view_.scope = show.scope; }
    void operator()(const action::ShowSection& show) const { s.turn_to(show.section); }
    void operator()(const action::ShowTour& show) const {
        s.view_.tour = show.card;
        s.window_.keep_awake(3);
    }
    void operator()(const action::SetTheme& set) const { s.view_.look = set.look; }
    void operator()(const action::Scale& scale) const {
        if (s.view_.projector)
            s.say("projector mode makes everything as large as the window allows");
        else
            s.window_.set_user_scale(s.window_.user_scale() * scale.factor);
    }
};

void Apply::operator()(Do what) const {
    const QuizRun* quiz = s.learning_.quiz();
    const CourseStep* step = s.learning_.step();
    switch (what) {
        case Do::undo:
            return s.restore(s.history_.undo());
        case Do::redo:
            return s.restore(s.history_.redo());
        case Do::reset_all:
            return s.reset_all();
        case Do::reset_knob:
            s.reset_knob_ = true;
            return;
        case Do::play_or_pause:
            if (s.state_.board->played_knob() != nullptr) s.play_board(!s.step_player_.playing());
            return;
        case Do::measure_again:
            return s.submit_jobs(true);
        case Do::stop_measuring:
            return s.stop_measuring();
        case Do::cancel_busy:
            return s.cancel_busy();
        case Do::projector:
            return s.toggle_projector();
        case Do::projector_full:
            return s.present_in_full();
        case Do::full_screen:
            return s.window_.toggle_fullscreen();
        case Do::leave_course:
            s.learning_.leave_course();
            return s.learning_changed(false);
        case Do::set_up_step:
            s.set_up_step();
            return s.learning_changed(false);
        case Do::show_me:
            if (step != nullptr && !step->shows.empty()) s.follow(step->shows);
            return s.learning_changed(false);
        case Do::next_question:
            if (quiz == nullptr || !quiz->answered()) return;
            s.learning_.next_question();
            s.set_up_question(0);
            return s.learning_changed(true);
        case Do::leave_quiz:
            s.learning_.leave_quiz();
            return s.learning_changed(false);
        case Do::scale_reset:
            if (!s.view_.projector) s.window_.set_user_scale(1);
            return;
        case Do::toggle_theme:
            s.view_.look.theme =
                luminance(theme(s.view_.look).page) < 0.5 ? ThemeName::light : ThemeName::dark;
            return;
        case Do::leave:
            return s.leave();
        case Do::quit:
            return s.window_.close();
        case Do::compare:
        case Do::swap_sides:
        case Do::open_export:
        case Do::start_export:
        case Do::close_export:
        case Do::copy_picture:
        case Do::copy_data:
        case Do::copy_command:
        case Do::copy_link:
            return s.act(what);
    }
}

void Apply::operator()(const Next& next) const {
    switch (next.what) {
        case Next::What::scenario:
            if (const Scenario* other = neighbour(*s.state_.scenario, next.by)) s.go_to(*other);
            if (!s.state_.scenario->in(s.view_.space)) s.view_.space = home_space(*s.state_.scenario);
            return;
        case Next::What::stop:
            return s.present(next.by);
        case Next::What::lesson_or_stop:
            // A clicker, too, goes on in the course that is open.
            if (!s.learning_.has_card()) return s.present(next.by);
            if (s.learning_.quiz() == nullptr)
                apply(s, action::GoToStep{std::max(0, s.learning_.step_index() + next.by)});
            else if (next.by > 0)
                apply(s, Do::next_question);
            return;
        case Next::What::wavefront:
            return s.step_player(next.by);
        case Next::What::section:
            return s.turn_section(next.by);
        case Next::What::tour: {
            const int count = static_cast<int>(tour_cards().size()),
                      card = std::max(s.view_.tour + next.by, 0);
            return apply(s, action::ShowTour{card < count ? card : -1});
        }
    }
}

void apply(WindowSession& session, Action action) {
    if (std::holds_alternative<std::monostate>(action)) return;
    std::visit(Apply{session}, action);
    session.window_.keep_awake(2);
}

}  // namespace warplens
