#pragma once

#include "app/panels/ui.h"

namespace warplens {

/// One row of the table of numbers.
struct NumberRow {
    std::string name;
    std::string predicted;  ///< empty: nothing is predicted
    Kind kind = Kind::exact;
    std::string measured;                 ///< empty: not measured
    std::string tooltip;                  ///< meaning, unit, the profiler's name of it
    Kind measured_kind = Kind::measured;  ///< or recorded
};

/// The rows for one instruction over the chosen scope, and for the whole kernel.
std::vector<NumberRow> number_rows(const Frame& frame, const View& view);

/// The table: each number, predicted and measured, with its kind; below it the lane under the mouse.
void show_numbers(const Frame& frame, View& view);

/// Why, code and lesson.
void show_lesson(const Frame& frame, View& view);

/// The last line of the window.
void show_status_bar(const Frame& frame, const View& view);

/// Keys and words, over everything else while view.help is set.
void show_help(const Frame& frame, View& view);

}  // namespace warplens
