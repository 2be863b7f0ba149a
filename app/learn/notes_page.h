#pragma once

#include "app/learn/demo.h"
#include "app/pictures/kit/canvas.h"

#include <string>

namespace warplens {

/// The notes that a lecturer reads in a window of its own while the class sees the demo.
struct NotesPage {
    std::string head;  ///< "Stop 3 of 10, minute 2", or that no demo plays
    std::string title;
    std::string note;   ///< may have several lines
    std::string next;   ///< how the next stop's note begins, else what it sets. Empty if it is the last.
    bool weak = false;  ///< whether the note is not the lecturer's own text

    friend bool operator==(const NotesPage&, const NotesPage&) = default;
};

/// @param now  of the clock that DemoRun::play was given [s]
NotesPage notes_page(const DemoRun& run, double now);

/// Pixels per point with which the whole note has room, in type as large as can be. Notes without room in
/// the smallest type are cut.
/// @param pixels  size of the window
float notes_scale(const NotesPage& page, const TextMeasure& measure, Vec2 pixels);

/// Title and place on top, the note in the middle, the next stop at the bottom.
Picture draw_notes(const NotesPage& page, const Style& style);

}  // namespace warplens
