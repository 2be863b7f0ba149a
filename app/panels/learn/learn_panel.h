#pragma once

#include "app/learn/learning.h"
#include "app/panels/panel_style.h"
#include "app/window/action.h"
#include "app/window/frame.h"

namespace warplens {

/// The courses with how far a person is, and the quiz (LearnInputs::menu opens it).
void show_learn_menu(const PanelStyle& style, const Learning& learning, View& view, Actions& actions);

/// The open course or quiz, in the place of the tabs. It keeps its buttons in sight; the text above scrolls.
void show_learn_card(const PanelStyle& style, const Frame& frame, View& view, Actions& actions);

/// The card of a course's step.
void show_course(const PanelStyle& style, const Frame& frame, View& view, Actions& actions);

/// The card of a quiz's question, or of its end.
void show_quiz(const PanelStyle& style, const Frame& frame, View& view, Actions& actions);

/// What is guessed before numbers are shown: the fields, and two ways on.
/// @param asks  what is asked; what the setting has no answer to is left out
void show_guess_form(const PanelStyle& style, const Frame& frame, View& view, const Asks& asks,
                     Actions& actions);

/// A guess beside the model and the GPU.
void show_comparison(const PanelStyle& style, const Frame& frame, const View& view, const Guess& guess,
                     const Asks& asks);

/// In place of the table of numbers while it is hidden.
void show_hidden_numbers(const PanelStyle& style, const Frame& frame, View& view, Actions& actions);

/// Below the table: what was guessed of this setting, where numbers are to be guessed first.
void show_guessed_numbers(const PanelStyle& style, const Frame& frame, const View& view);

/// Switches on and off that numbers are hidden until they were guessed.
void show_predict_switch(const PanelStyle& style, const Learning& learning, Actions& actions);

/// In place of a part that would give numbers away. @param what  "The plot"
void show_hidden_part(const PanelStyle& style, const char* what);

/// What is true of the setting that the window shows.
Truth truth_here(const Frame& frame, const View& view);

}  // namespace warplens
