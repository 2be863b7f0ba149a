#pragma once

#include "app/window/action.h"
#include "app/window/session.h"

#include <string>

namespace warplens {

// Courses and the quiz in a session: what follows from what a person does there.

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

}  // namespace warplens
