#pragma once

// What apply is made of. Each function changes parts of a session and says so by one of its *_changed
// functions.

#include "app/experiment/link.h"
#include "app/window/action.h"
#include "app/window/session.h"

#include <optional>
#include <string>

namespace warplens {

// places.cpp: where a person goes, and the players.

/// The instruction that a scenario's picture begins with; -1: all of them, small. Few instructions, or those
/// of a copy through another memory, stand side by side; of many, the one that costs the most.
int first_focus(const State& state, const DeviceFacts& device);

/// Another setting, or another look at it. A scenario comes with the knobs that it was left with.
void change(Session& session, State to);
void go_to(Session& session, const Scenario& scenario);
/// A link's place; where the link leads nowhere, its error is said and nothing changes.
void follow(Session& session, const std::string& link);
void go_to_place(Session& session, const Place& place);
/// A state that was left before; empty: stay.
void go_back_to(Session& session, const std::optional<State>& there);
/// A state as it is, with its scenario's memory space.
void set_state(Session& session, const State& state);
/// The knobs that are on screen, back to their defaults: the scenario's or the board's.
void reset_all(Session& session);

/// What is set becomes A, or nothing is compared any longer.
void toggle_compare(Session& session);
void swap_sides(Session& session);

// The player of a board that has steps, such as the tile phases; else that of the wavefronts.
void show_board_step(Session& session, int step);
void step_player(Session& session, int by);
/// Play from here, at the end from the start; or stop.
void play_board(Session& session, bool play);
/// The wavefront to show: in the picture in front, or in all small ones. In projector mode it goes round,
/// because a clicker has one key for it.
void step_wavefront(Session& session, int by);

// Projector mode and talks.
void toggle_projector(Session& session);
/// The same on the whole screen, as slide programs do. A clicker's start button says this again.
void present_in_full(Session& session);
void leave_projector(Session& session);
/// The next (1) or previous (-1) stop of a talk. On a board with a player its steps are the stops.
void present(Session& session, int direction);

// courses.cpp: what follows from what a person does in a course or a quiz.

/// @param forward  something was begun or goes on: where parts take each other's place it comes to the front
void learning_changed(Session& session, bool forward);
/// A step of the open course, set up as its link says; past the last one the course is over.
void go_to_course_step(Session& session, int step);
void set_up_step(Session& session);
void start_quiz(Session& session, const action::StartQuiz& wanted);
void answer(Session& session, const std::string& text);
/// The window as the open question has it. @param setting  index into the question's settings
void set_up_question(Session& session, std::size_t setting);
/// What went wrong is said beside the field of the path.
void write_answers(Session& session, const std::string& path);

// files.cpp: files that are opened, and pictures that are written or copied.

/// Open a recording, a figure or a saved state that was dropped, typed, or named on the command line.
/// Whatever it is: the session goes on and says what became of it.
/// @return  whether it was opened, or is being read
bool open_file(Session& session, const std::string& path);

/// The things to do that write or copy pictures, their numbers and links. What fails is said.
void do_with_picture(Session& session, action::Do what);

/// Give up what the status bar shows as going on.
void cancel_busy(Session& session);

}  // namespace warplens
