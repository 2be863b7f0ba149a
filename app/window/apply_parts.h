#pragma once

// The functions that `apply` calls. Each changes parts of a session.

#include "app/experiment/link.h"
#include "app/learn/demo.h"
#include "app/window/action.h"
#include "app/window/session.h"

#include <string>

namespace warplens {

// places.cpp: where a person goes, and the players.

/// The instruction that is shown first: -1 for all of them, or of two that access the same memory the one
/// that the launch spends more on.
int first_focus(const State& state, const DeviceFacts& device);

/// The instruction that the launch spends most on (see costliest). The first of several equal ones.
int costliest_instruction(const State& state, const DeviceFacts& device);

/// Change the setting, or how it is shown. Another scenario gets the knobs that it had when it was left.
void change(Session& session, State to);
void go_to(Session& session, const Scenario& scenario);
/// Go where a link leads. If the link is wrong, a message says why and nothing changes.
void follow(Session& session, const std::string& link);
void go_to_place(Session& session, const Place& place);
/// Take a state unchanged, and list the memory space of its scenario in the menu.
void set_state(Session& session, const State& state);
/// Reset the knobs that are on screen, of the board or of the scenario, to their defaults.
void reset_all(Session& session);

/// Keep the present setting as A, or stop comparing.
void toggle_compare(Session& session);
void swap_sides(Session& session);

// The player of the board's steps, for example of the tile phases. Boards without steps have the player of
// the wavefronts.
void show_board_step(Session& session, int step);
void step_player(Session& session, int by);
/// Play from the present step, or from the first one if the present step is the last; or stop.
void play_board(Session& session, bool play);
/// The same for the pictures of instructions: their bytes travel, wavefront after wavefront or sector after
/// sector.
void play_accesses(Session& session, bool play);
/// How many steps there are to play in the large picture, or at most in one of the small ones; 0 for none.
int steps_to_play(Session& session);
/// End what is played: the pictures show all wavefronts and sectors at once.
void show_all_steps(Session& session);
/// Change which wavefront or sector is shown, in the large picture or in all small ones. In projector mode
/// all wavefronts follow after the last one, because a clicker has only one key for this.
void step_wavefront(Session& session, int by);
/// Of another setting there may be fewer wavefronts: then the last one is shown.
void clamp_player(Session& session);

// Projector mode and talks.
/// @param full_screen  as slide programs do. In projector mode both leave that mode, because the start button
/// of
///                     a clicker is also its stop button.
void toggle_projector(Session& session, bool full_screen);
void leave_projector(Session& session);
/// Many small pictures cannot be read from the back row: then the costliest one is shown large.
void focus_for_projector(Session& session);
/// The next (1) or previous (-1) stop of a talk. On a board with a player its steps are the stops.
void present(Session& session, int direction);

// places.cpp, too: courses and quizzes.

/// A course or quiz was begun or continued: a window without room for all sections shows its card.
void show_card(Session& session);
/// Open a step of the open course and follow its link. A number past the last step ends the course.
void go_to_course_step(Session& session, int step);
void set_up_step(Session& session);
/// Make a quiz; begin_quiz() follows when it is there.
void start_quiz(Session& session, const action::StartQuiz& wanted);
void begin_quiz(Session& session, Quiz quiz, QuizProgress from = {});
/// Take up a quiz of an earlier run where it was left. Does nothing if it has no questions.
void resume_quiz(Session& session, const SavedQuiz& kept);
/// Give up a quiz about a typed kernel that is being made, because the kernel is another one now.
void give_up_kernel_quiz(Session& session);
void answer(Session& session, const std::string& text);
/// Set the window up for the open question. @param setting  index into the question's settings
void set_up_question(Session& session, std::size_t setting);
/// Errors are shown beside the field for the path.
void write_answers(Session& session, const std::string& path);

// demos.cpp: talks of a lecturer's own.

/// Open a demo, and play it from its first stop.
/// @param path  of its file. Empty if it has none.
/// Errors: UsageError if a link in it leads nowhere, or if the present demo has changes that are not saved.
void open_demo(Session& session, Demo demo, const std::string& path);
void open_shipped_demo(Session& session, const std::string& id);
/// Take up a demo of an earlier run that has changes which are in no file. Does nothing without stops.
void restore_demo(Session& session, const Demo& demo, const std::string& path);
/// Play the open demo. @param stop  from 0. -1 to end it.
void play_demo(Session& session, int stop);
/// Go on by one stop of the demo that plays, or back by one.
void next_of_demo(Session& session, int by);
/// Open or close the window with the notes. While it is open they are not shown in the window of the class.
void toggle_notes_window(Session& session);
void edit_demo(Session& session, const action::EditDemo& edit);
/// Write the demo. A file that is there already and is not its own is replaced only if asked for twice.
void save_demo(Session& session, const std::string& path);
/// Closes the window. Where that would lose a demo, it is said first, and only the next call closes.
void close_window(Session& session);

// files.cpp: files that are opened, and pictures that are written or copied.

/// Set the session up as a figure, a demo or a saved state has it, which was read from a file.
/// Errors: UsageError if the figure or demo does not fit this program.
void open_found(Session& session, const std::string& path, const FoundFile& file);

/// Show a text in the editor of kernels, and its pictures if it is understood.
/// @param name  of its file, without a folder; empty if it has none
/// @param path  of its file, into which it is saved; empty for a new one
void open_kernel_text(Session& session, const std::string& text, const std::string& name,
                      const std::string& path);
/// Go on with a kernel, as it was shown last. @param document  index into Typing::documents
void open_document(Session& session, std::size_t document);
/// Go on with the last own kernel, or with one to begin with.
void my_kernel(Session& session);
/// Show the editor of kernels beside the pictures.
void show_kernel_editor(Session& session);
/// Go on typing from the kernel of the present setting.
void edit_kernel(Session& session);
/// Write the text that is being typed: into the file that it came from, else into a new one.
void save_kernel(Session& session);
void run_kernel(Session& session);

/// Carry out an action that writes or copies pictures, their numbers or links. Errors become messages.
void do_with_picture(Session& session, action::Do what);

/// Cancel the work that the status bar shows.
void cancel_busy(Session& session);

}  // namespace warplens
