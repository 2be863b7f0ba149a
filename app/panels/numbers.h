#pragma once

#include "app/panels/screen.h"

namespace warplens {

/// The rows of the table over the chosen scope: predicted (a) beside measured or recorded (b).
std::vector<QuantityPair> shown_numbers(const Frame& frame, const View& view);

/// The title, and what is counted.
/// @param scopes    whether there is a choice of that
/// @param compared  whether the numbers of two settings stand below
void show_numbers_head(const PanelStyle& style, const View& view, bool scopes, bool compared,
                       Actions& actions);

/// Leaves the numbers that matter most, or where none is named the first five, unless the view shows all.
/// @return  how many others there are
std::size_t fold_numbers(std::vector<QuantityPair>& rows, const View& view);
/// The button that shows the others, and folds them again.
void show_more_numbers(const PanelStyle& style, const View& view, std::size_t folded, Actions& actions);

/// The table: each number, predicted and measured, with its kind; below it the lane under the mouse.
/// Changed numbers are shaded for a moment.
void show_numbers(const Screen& screen);

/// The counters of the kernel that is shown, beside what is expected of them.
void show_counters(const PanelStyle& style, const Frame& frame);

/// Why, code and lesson.
void show_lesson(const Screen& screen);

/// The program of the setting, as it is copied: the kernel with its values in place, and, folded, what stands
/// before it and the host code.
///
/// A line that is an instruction's has its number; pointing at it lights its picture, a click brings that to
/// the front. Lines are broken where the room ends.
void show_code(const PanelStyle& style, const Frame& frame, const View& view, ShownCode& shown,
               Actions& actions);

/// Only the lesson or the code, in the place with more room (View::reading).
void show_reading(const Screen& screen);

/// A switch for the lesson if there are no tabs: above a board that takes the place of the right column.
/// @param right  its right end [pixels]
void show_lesson_switch(const PanelStyle& style, const View& view, float right, Actions& actions);

/// The last line of the window.
void show_status_bar(const PanelStyle& style, const Frame& frame, Actions& actions);

/// Keys and words, over everything else while view.help is set.
void show_help(const PanelStyle& style, const View& view, Actions& actions);

}  // namespace warplens
