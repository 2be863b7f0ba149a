#pragma once

#include "app/experiment/state.h"
#include "app/learn/guess.h"
#include "app/model/fix/find_fixes.h"
#include "app/window/view.h"

#include <algorithm>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace warplens {

/// All that a person can do: each struct is one such thing. Keys (app/window/keys.h), clicks, links, dropped
/// files and tests make them; `apply` carries them out, and nothing else changes a
/// session.
namespace action {

/// Actions without parameters.
enum class Do {
    undo,
    redo,
    reset_all,      ///< all knobs of the board, or of the scenario if the board has none
    reset_knob,     ///< the one with the focus or under the mouse
    compare,        ///< keep the present setting as A, or stop comparing
    swap_sides,     ///< exchange A and B
    play_or_pause,  ///< the player of the board's steps
    measure_again,
    stop_measuring,
    cancel_busy,     ///< the work that the status bar shows
    projector,       ///< turn projector mode on or off
    projector_full,  ///< the same on the full screen, as slide programs do
    full_screen,
    open_export,   ///< the dialog of exports
    start_export,  ///< write the figure; if the file exists, the first time only asks
    close_export,  ///< close the dialog or its question, and give up what is being written
    copy_picture,
    copy_data,
    copy_command,
    copy_link,
    choose_files,  ///< ask for files to open, where a person names no paths
    leave_course,
    set_up_step,  ///< follow the link of the course's step again
    show_me,      ///< follow the link to the result of the step's task
    next_question,
    leave_quiz,
    scale_reset,
    toggle_theme,           ///< dark or light
    toggle_bits,            ///< pictures of accesses show memory, or the bits of the addresses
    close_requests,         ///< close the file of recorded requests
    copy_requests_command,  ///< the command that draws the chosen recorded request
    close_counters,         ///< close the page of Nsight Compute
    copy_counters_command,  ///< the command that prints its comparison
    toggle_note,            ///< the note of the demo's stop
    notes_window,           ///< the same in a window of its own
    my_kernel,              ///< go on with the last own kernel, or with one to begin with
    new_kernel,             ///< one more of one's own
    undo_typing,            ///< a step of the text, not of the setting
    redo_typing,
    edit_kernel,  ///< go on from the kernel of the present setting
    save_kernel,  ///< write the text that is being typed
    run_kernel,   ///< launch it on the GPU, or stop it
    welcome,      ///< what a first start shows: the start page, and then the tour
    leave,        ///< end the first that is there: help page, message list, running work, projector mode
    quit,
};

/// Go on by one, or back if `by` is negative.
struct Next {
    enum class What {
        scenario,
        stop,  ///< of the demo that plays; step of the open course, or question of the open quiz; else preset
               ///< after preset, scenario after scenario
        wavefront,  ///< wavefront, or step if the board that is shown has steps
        section,    ///< part of a window that has no room for all parts
        tour,       ///< card of the tour
    } what;
    int by = 1;
    friend bool operator==(const Next&, const Next&) = default;
};

/// Replace the state: knobs, device, axes, colours. `changed` makes one of these from the present state.
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
    std::string claim;  ///< the worked number that it shows. Empty if it shows none.
    friend bool operator==(const FollowLink&, const FollowLink&) = default;
};
struct ShowBoard {
    const BoardInfo* board;
    friend bool operator==(const ShowBoard&, const ShowBoard&) = default;
};
/// Show an instruction in the large picture. -1 for all instructions in small pictures.
struct Focus {
    int instruction;
    friend bool operator==(const Focus&, const Focus&) = default;
};
/// Set the knob of the x axis, after a click into the plot.
/// @param place  position on the axis, as axis_position() gives it
struct SetAxisKnob {
    double place;
    friend bool operator==(const SetAxisKnob&, const SetAxisKnob&) = default;
};
/// Set the knobs to the values of a cell of the heatmap, or of a point of the fit.
struct SetAsCell {
    std::size_t cell;
    friend bool operator==(const SetAsCell&, const SetAsCell&) = default;
};
struct SetAsPoint {
    std::size_t point;
    friend bool operator==(const SetAsPoint&, const SetAsPoint&) = default;
};
/// The mouse is over a lane of an instruction's picture. -1 if it is over none.
struct Hover {
    int lane = -1, instruction = -1;
    friend bool operator==(const Hover&, const Hover&) = default;
};

// Fixes of the setting.
/// Whether a remedy of the present scenario may change.
struct AllowFix {
    const Knob* knob;
    bool may_change;
    friend bool operator==(const AllowFix&, const AllowFix&) = default;
};
/// Whether the kernel also does the access for which a knob has this value.
struct AlsoFix {
    KnobValue access;
    bool on;
    friend bool operator==(const AlsoFix&, const AlsoFix&) = default;
};
/// Set an answer up, and compare it with the present setting.
struct TakeFix {
    std::size_t answer;  ///< index into Fixes::answers
    bool compare = true;
    friend bool operator==(const TakeFix&, const TakeFix&) = default;
};

// Files.
struct OpenFile {
    std::string path;  ///< a recording, a figure, a demo or a saved state
    friend bool operator==(const OpenFile&, const OpenFile&) = default;
};
struct ShowRecording {
    int look;  ///< OpenRecording::look, which stays the same if another one is closed
    bool shown;
    friend bool operator==(const ShowRecording&, const ShowRecording&) = default;
};
struct CloseRecording {
    int look;  ///< OpenRecording::look
    friend bool operator==(const CloseRecording&, const CloseRecording&) = default;
};

/// Show an instruction of the file of recorded requests that is open.
struct ChooseRequest {
    std::size_t index;  ///< in AccessList::groups
    friend bool operator==(const ChooseRequest&, const ChooseRequest&) = default;
};

/// Go on typing from this text.
struct OpenKernel {
    std::string text, name;  ///< the name of its file, without a folder
    friend bool operator==(const OpenKernel&, const OpenKernel&) = default;
};
/// Go on with a kernel that the window has.
struct OpenDocument {
    std::size_t document;  ///< index into Typing::documents
    friend bool operator==(const OpenDocument&, const OpenDocument&) = default;
};
/// The text of the kernel that is being typed is this now.
struct TypeKernel {
    std::string text;
    friend bool operator==(const TypeKernel&, const TypeKernel&) = default;
};

/// Show a launch of the page of Nsight Compute that is open.
struct ChooseLaunch {
    std::size_t index;  ///< in ComparedPage::launches
    friend bool operator==(const ChooseLaunch&, const ChooseLaunch&) = default;
};

// Courses, predictions and the quiz.
struct OpenCourse {
    std::string id;
    friend bool operator==(const OpenCourse&, const OpenCourse&) = default;
};
/// Forget a person's progress in a course.
struct ResetCourse {
    std::string id;
    friend bool operator==(const ResetCourse&, const ResetCourse&) = default;
};
struct GoToStep {
    int step;  ///< from 0. A number past the last step ends the course.
    friend bool operator==(const GoToStep&, const GoToStep&) = default;
};
/// Whether numbers stay hidden until the person has guessed them.
struct PredictFirst {
    bool on;
    friend bool operator==(const PredictFirst&, const PredictFirst&) = default;
};
/// A guess about the present setting. An empty one shows the numbers without a guess.
struct MakeGuess {
    Guess guess;
    friend bool operator==(const MakeGuess&, const MakeGuess&) = default;
};
struct StartQuiz {
    std::string seed;  ///< as typed
    int questions;
    int space = -1;           ///< a Space. -1 for all of them.
    std::string figure = {};  ///< instead of random questions, those about a figure with mistakes
    bool here = false;        ///< only about the scenario that is open, or the typed kernel
    friend bool operator==(const StartQuiz&, const StartQuiz&) = default;
};
struct Answer {
    std::string text;  ///< as typed or chosen
    friend bool operator==(const Answer&, const Answer&) = default;
};
struct LookAt {
    std::size_t setting;  ///< index into the settings of the open question
    friend bool operator==(const LookAt&, const LookAt&) = default;
};
struct WriteAnswers {
    std::string path;  ///< of a CSV file
    friend bool operator==(const WriteAnswers&, const WriteAnswers&) = default;
};

// Demos.
/// Play the demo that is open, from a stop on. -1 to end it.
struct PlayDemo {
    int stop;
    friend bool operator==(const PlayDemo&, const PlayDemo&) = default;
};
/// Open and play a demo of the program.
struct OpenDemo {
    std::string id;
    friend bool operator==(const OpenDemo&, const OpenDemo&) = default;
};
struct SaveDemo {
    std::string path;
    friend bool operator==(const SaveDemo&, const SaveDemo&) = default;
};
/// Change the demo that is open.
struct EditDemo {
    enum class What {
        record,     ///< what is set now becomes its last stop
        set_again,  ///< what is set now becomes this stop
        remove,
        up,
        down,
        note,
        title,
        begin_anew,  ///< an empty demo
    } what;
    std::size_t stop = 0;
    std::string text = {};  ///< the note or the title
    friend bool operator==(const EditDemo&, const EditDemo&) = default;
};

// How the window is arranged.
/// Set a field of View, such as whether a part of the window is open, a width, or what is typed.
template <class T>
struct Set {
    T View::*field;
    T value = true;  ///< of a bool alone
    friend bool operator==(const Set&, const Set&) = default;
};
using Show = Set<bool>;
template <class Owner, class T>
Set<T> set(T Owner::*field, std::type_identity_t<T> value) {
    return {field, std::move(value)};
}
struct Toggle {
    bool View::*part;
    friend bool operator==(const Toggle&, const Toggle&) = default;
};
struct ShowTab {
    int tab;  ///< 0 why, 1 code, 2 lesson
    friend bool operator==(const ShowTab&, const ShowTab&) = default;
};
/// Give the lesson or the code the place below the picture, or move it back to the tabs.
struct Read {
    bool wide;
    bool code = false;
    friend bool operator==(const Read&, const Read&) = default;
};
struct ShowSection {
    Section section;
    friend bool operator==(const ShowSection&, const ShowSection&) = default;
};
/// Open the help page.
struct ShowHelp {
    HelpPage page;
    std::string at = {};  ///< a word, or a place of the manual (manual.h). Empty for the first.
    friend bool operator==(const ShowHelp&, const ShowHelp&) = default;
};
/// Give the keyboard to the control of a parameter of the present scenario.
struct FocusKnob {
    const Knob* knob;
    friend bool operator==(const FocusKnob&, const FocusKnob&) = default;
};
struct Scale {
    float factor;  ///< everything becomes that much larger
    friend bool operator==(const Scale&, const Scale&) = default;
};

/// The Change that sets one field of a state.
template <class Owner, class T>
Change changed(const State& now, T Owner::*field, std::type_identity_t<T> value) {
    Change change{now};
    change.to.*field = std::move(value);
    return change;
}

}  // namespace action

/// Nothing, or one thing that a person can do. To copy, compare and remove one of so many is compiled once,
/// in apply.cpp, and not in each file that names an action.
struct Action
    : std::variant<std::monostate, action::Do, action::Next, action::Change, action::GoTo, action::FollowLink,
                   action::ShowBoard, action::Focus, action::SetAxisKnob, action::SetAsCell,
                   action::SetAsPoint, action::Hover, action::AllowFix, action::AlsoFix, action::TakeFix,
                   action::OpenFile, action::ShowRecording, action::CloseRecording, action::ChooseRequest,
                   action::ChooseLaunch, action::OpenKernel, action::OpenDocument, action::TypeKernel,
                   action::OpenCourse, action::ResetCourse, action::GoToStep, action::PredictFirst,
                   action::MakeGuess, action::StartQuiz, action::Answer, action::LookAt, action::WriteAnswers,
                   action::PlayDemo, action::OpenDemo, action::SaveDemo, action::EditDemo, action::Set<bool>,
                   action::Set<int>, action::Set<std::size_t>, action::Set<float>, action::Set<std::string>,
                   action::Set<Section>, action::Set<ThemeChoice>, action::Set<FigureForm>, action::Toggle,
                   action::ShowTab, action::Read, action::ShowSection, action::ShowHelp, action::FocusKnob,
                   action::Scale> {
    Action() = default;
    /// One of the structs above.
    template <class One>
    requires(!std::is_same_v<std::remove_cvref_t<One>, Action>) Action(One&& one)
        : variant(std::forward<One>(one)) {}

    Action(const Action&);
    Action(Action&&) noexcept;
    Action& operator=(const Action&);
    Action& operator=(Action&&) noexcept;
    ~Action();
    friend bool operator==(const Action& a, const Action& b);
};

/// Collected by the panels while they are drawn, and applied afterwards, in order.
struct Actions {
    std::vector<Action> all;
    action::Hover hover;                  ///< what is under the mouse in this frame
    std::optional<double> redraw_within;  ///< something fades or moves, and must be drawn again then [s]

    void add(Action one);
    /// Set a field of View, unless it has this value already.
    template <class Owner, class T>
    void set(const View& view, T Owner::*field, std::type_identity_t<T> value) {
        if (view.*field != value) add(action::set(field, std::move(value)));
    }
    /// Ask to be drawn again after so long at most [s].
    void redraw(double seconds) { redraw_within = std::min(redraw_within.value_or(seconds), seconds); }
};

class Session;

/// Carry out an action: the only way to change a session. If it cannot be done, a message in the session says
/// why.
void apply(Session& session, Action action);

}  // namespace warplens
