#pragma once

#include "app/experiment/state.h"
#include "app/learn/guess.h"
#include "app/window/view.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace warplens {

/// What a person can do: each struct is one such thing. Keys (app/window/keys.h), clicks, links, dropped
/// files and tests make them; `apply` (app/window/apply.h) carries them out, and nothing else changes a
/// session.
namespace action {

/// Things that need no further word.
enum class Do {
    undo,
    redo,
    reset_all,      ///< the knobs of the scenario, or of the board
    reset_knob,     ///< the one with the focus or under the mouse
    compare,        ///< keep what is set as A; again: compare no longer
    swap_sides,     ///< exchange A and B
    play_or_pause,  ///< the steps of the board
    measure_again,
    stop_measuring,
    cancel_busy,     ///< what the status bar shows as going on
    projector,       ///< projector mode in the window, or back
    projector_full,  ///< the same on the full screen, as slide programs do
    full_screen,
    open_export,   ///< the dialog of exports
    start_export,  ///< its button; where a file is in the way it asks first
    close_export,  ///< and give up what is running
    copy_picture,
    copy_data,
    copy_command,
    copy_link,
    leave_course,
    set_up_step,  ///< the step's link once more
    show_me,      ///< what the step asks for
    next_question,
    leave_quiz,
    scale_reset,
    toggle_theme,  ///< dark or light
    leave,  ///< the help page, the messages, what runs, projector mode: the first of them that is there
    quit,
};

/// One further, or back where `by` is negative.
struct Next {
    enum class What {
        scenario,
        stop,            ///< of a talk: preset after preset, scenario after scenario
        lesson_or_stop,  ///< the course or quiz that is open goes on, else the talk
        wavefront,       ///< or the step: the player of the board that is shown
        section,         ///< part of a window that has not room for all
        tour,            ///< card of the tour
    } what;
    int by = 1;
    friend bool operator==(const Next&, const Next&) = default;
};

/// What is set, or how it is looked at, becomes this: knobs, device, axes, colours. See `changed`.
struct Change {
    State to;
    friend bool operator==(const Change&, const Change&) = default;
};
struct GoTo {
    const Scenario* scenario;
    friend bool operator==(const GoTo&, const GoTo&) = default;
};
struct FollowLink {
    std::string link;   ///< app/experiment/link.h
    std::string claim;  ///< the worked number that it shows; empty: none
    friend bool operator==(const FollowLink&, const FollowLink&) = default;
};
struct ShowBoard {
    const BoardInfo* board;
    friend bool operator==(const ShowBoard&, const ShowBoard&) = default;
};
/// Bring an instruction to the front; -1: all of them, small.
struct Focus {
    int instruction;
    friend bool operator==(const Focus&, const Focus&) = default;
};
/// A click into the plot. @param place  on the axis, as axis_position() has it
struct SetAxisKnob {
    double place;
    friend bool operator==(const SetAxisKnob&, const SetAxisKnob&) = default;
};
/// Set the knobs as a cell of the heatmap, or a point of the fit, has them.
struct SetAsCell {
    std::size_t cell;
    friend bool operator==(const SetAsCell&, const SetAsCell&) = default;
};
struct SetAsPoint {
    std::size_t point;
    friend bool operator==(const SetAsPoint&, const SetAsPoint&) = default;
};
/// The mouse is over a lane of an instruction's picture; -1: over none.
struct Hover {
    int lane = -1, instruction = -1;
    friend bool operator==(const Hover&, const Hover&) = default;
};

// Files.
struct OpenFile {
    std::string path;  ///< a recording, a figure or a saved state
    friend bool operator==(const OpenFile&, const OpenFile&) = default;
};
struct ShowRecording {
    std::size_t index;  ///< in the list of recordings
    bool shown;
    friend bool operator==(const ShowRecording&, const ShowRecording&) = default;
};
struct CloseRecording {
    std::size_t index;
    friend bool operator==(const CloseRecording&, const CloseRecording&) = default;
};

// Courses, predictions and the quiz.
struct OpenCourse {
    std::string id;
    friend bool operator==(const OpenCourse&, const OpenCourse&) = default;
};
/// Forget how far a person is in it.
struct ResetCourse {
    std::string id;
    friend bool operator==(const ResetCourse&, const ResetCourse&) = default;
};
struct GoToStep {
    int step;  ///< from 0; past the last one the course is over
    friend bool operator==(const GoToStep&, const GoToStep&) = default;
};
/// Numbers stay hidden until they were guessed, or no longer.
struct PredictFirst {
    bool on;
    friend bool operator==(const PredictFirst&, const PredictFirst&) = default;
};
/// Of the present setting; an empty one shows the numbers without a guess.
struct MakeGuess {
    Guess guess;
    friend bool operator==(const MakeGuess&, const MakeGuess&) = default;
};
struct StartQuiz {
    std::string seed;  ///< as typed
    int questions;
    int space = -1;  ///< a Space; -1: all
    friend bool operator==(const StartQuiz&, const StartQuiz&) = default;
};
struct Answer {
    std::string text;  ///< as typed or chosen
    friend bool operator==(const Answer&, const Answer&) = default;
};
struct LookAt {
    std::size_t setting;  ///< of the question that is open
    friend bool operator==(const LookAt&, const LookAt&) = default;
};
struct WriteAnswers {
    std::string path;  ///< of a CSV file
    friend bool operator==(const WriteAnswers&, const WriteAnswers&) = default;
};

// How the window is arranged.
/// Open or close something that a field of View stands for: the help page, a menu.
struct Show {
    bool View::*part;
    bool on = true;
    friend bool operator==(const Show&, const Show&) = default;
};
struct Toggle {
    bool View::*part;
    friend bool operator==(const Toggle&, const Toggle&) = default;
};
struct ShowSpace {
    Space space;  ///< its first scenario, where the present one is not in it
    friend bool operator==(const ShowSpace&, const ShowSpace&) = default;
};
struct ShowTab {
    int tab;  ///< 0 why, 1 code, 2 lesson
    friend bool operator==(const ShowTab&, const ShowTab&) = default;
};
/// The lesson or the code gets the place below the picture, or goes back to the tabs.
struct Read {
    bool wide;
    bool code = false;
    friend bool operator==(const Read&, const Read&) = default;
};
struct ShowScope {
    int scope;  ///< of the numbers: View::scope
    friend bool operator==(const ShowScope&, const ShowScope&) = default;
};
struct ShowSection {
    Section section;
    friend bool operator==(const ShowSection&, const ShowSection&) = default;
};
struct ShowTour {
    int card;  ///< from 0; -1: end it
    friend bool operator==(const ShowTour&, const ShowTour&) = default;
};
struct SetTheme {
    ThemeChoice look;
    friend bool operator==(const SetTheme&, const SetTheme&) = default;
};
struct Scale {
    float factor;  ///< everything becomes that much larger
    friend bool operator==(const Scale&, const Scale&) = default;
};

/// A change of one field of what is set, or of how it is looked at.
template <class Owner, class T>
Change changed(const State& now, T Owner::*field, std::type_identity_t<T> value) {
    Change change{now};
    change.to.*field = std::move(value);
    return change;
}

}  // namespace action

/// Nothing, or one thing that a person can do.
using Action =
    std::variant<std::monostate, action::Do, action::Next, action::Change, action::GoTo, action::FollowLink,
                 action::ShowBoard, action::Focus, action::SetAxisKnob, action::SetAsCell, action::SetAsPoint,
                 action::Hover, action::OpenFile, action::ShowRecording, action::CloseRecording,
                 action::OpenCourse, action::ResetCourse, action::GoToStep, action::PredictFirst,
                 action::MakeGuess, action::StartQuiz, action::Answer, action::LookAt, action::WriteAnswers,
                 action::Show, action::Toggle, action::ShowSpace, action::ShowTab, action::Read,
                 action::ShowScope, action::ShowSection, action::ShowTour, action::SetTheme, action::Scale>;

/// What panels collect while they are drawn; it is applied afterwards, in order.
struct Actions {
    std::vector<Action> all;
    action::Hover hover;                  ///< what is under the mouse in this frame
    std::optional<double> redraw_within;  ///< [s]: something fades or runs, and looks different then

    void add(Action one) { all.push_back(std::move(one)); }
};

}  // namespace warplens
