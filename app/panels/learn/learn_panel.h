#pragma once

#include "app/learn/learning.h"
#include "app/panels/screen.h"

namespace warplens {

/// The courses with the person's progress, and the quiz (View::learn_menu opens it).
void show_learn_menu(const Screen& screen);

/// Demos: make one, save it, play it (View::demo_menu opens it).
void show_demo_menu(const PanelStyle& style, const Learning& learning, const View& view, Actions& actions);
/// The note of the demo's stop, instead of the tabs.
void show_demo_card(const PanelStyle& style, const Frame& frame, Actions& actions);

/// The open course, quiz or demo, instead of the tabs. Its buttons are always visible; the text above them
/// scrolls.
void show_learn_card(const Screen& screen);

/// The card while a quiz is being made.
void show_quiz_making(const PanelStyle& style, Actions& actions);
/// The card of a quiz's question, or of its end.
void show_quiz(const PanelStyle& style, const Frame& frame, LearnInputs& typed, Actions& actions);

/// The form for guesses before numbers are shown: the fields, and two buttons to continue.
/// @param asks  what is asked. Questions that have no answer for the setting are left out.
void show_guess_form(const Screen& screen, const Asks& asks);

/// A guess compared with the model and the GPU.
void show_comparison(const PanelStyle& style, const Frame& frame, const View& view, const Guess& guess,
                     const Asks& asks);

/// Shown instead of the table of numbers while that is hidden.
void show_hidden_numbers(const Screen& screen);

/// Shown below the table if numbers are to be guessed first: the guess about this setting.
void show_guessed_numbers(const PanelStyle& style, const Frame& frame, const View& view);

/// The switch for hiding numbers until they are guessed.
void show_predict_switch(const PanelStyle& style, const Learning& learning, Actions& actions);

/// Shown instead of a part that would reveal numbers. @param what  "The plot"
void show_hidden_part(const PanelStyle& style, const char* what);
/// Shown instead of a board that hides_board: the code that the question is about, if it has any.
void show_hidden_board(const PanelStyle& style, const Frame& frame);

}  // namespace warplens
