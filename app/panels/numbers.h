#pragma once

#include "app/model/counters/agreement.h"
#include "app/panels/picture_panel.h"

namespace warplens {

/// One row of the table of numbers.
struct NumberRow {
    std::string name;
    std::string predicted;  ///< empty: nothing is predicted
    Provenance kind = Provenance::exact;
    std::string measured;                             ///< empty: not measured
    std::string tooltip;                              ///< meaning, unit, the profiler's name of it
    Provenance measured_kind = Provenance::measured;  ///< or recorded
    std::optional<double> amount = {};                ///< what is predicted, as a number; empty: it is none
    Better better = Better::neither;
};

/// The rows for one instruction over the chosen scope, and for the whole kernel.
std::vector<NumberRow> number_rows(const Frame& frame, const View& view);

/// One hardware counter of the launch beside what is expected of it.
struct CounterRow {
    std::string name;
    std::string expected;
    Provenance kind = Provenance::exact;
    std::string counted;  ///< empty: not read
    Judgement judgement;  ///< only where it was counted
    std::string tooltip;  ///< meaning, the profiler's name, and why the two differ
};
std::vector<CounterRow> counter_rows(const Frame& frame);

/// The table of counters: expected, counted, and whether they agree.
void show_counters(const PanelStyle& style, const Frame& frame);

/// The table: each number, predicted and measured, with its kind; below it the lane under the mouse.
/// What has changed is shaded for a moment.
void show_numbers(const PanelStyle& style, const Frame& frame, View& view, Wishes& wishes);

/// Why, code and lesson.
void show_lesson(const PanelStyle& style, const Frame& frame, View& view, ShownCode& code, Wishes& wishes);

/// The lesson alone, where it has more room (View::reading).
void show_reading(const PanelStyle& style, const Frame& frame, View& view, ShownCode& code, Wishes& wishes);

/// A switch for the lesson where no tabs are: above a board that takes the right column's place, too.
/// @param right  its right end [pixels]
void show_lesson_switch(const PanelStyle& style, View& view, float right);

/// The last line of the window.
void show_status_bar(const PanelStyle& style, const Frame& frame, View& view, Wishes& wishes);

/// Keys and words, over everything else while view.help is set.
void show_help(const PanelStyle& style, View& view, Wishes& wishes);

}  // namespace warplens
