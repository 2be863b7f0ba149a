#pragma once

#include "app/figures/figure_form.h"
#include "app/window/view.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// How far a person has come in a course.
struct SavedCourse {
    std::string id;         ///< of the course
    int at = 0;             ///< the step that was open last, from 0
    std::vector<int> done;  ///< steps that are done, rising

    friend bool operator==(const SavedCourse&, const SavedCourse&) = default;
};

/// What the window remembers from one run to the next. Places in the program are links
/// (app/experiment/link.h); one that this program does not know is passed over when it is followed.
struct SavedState {
    std::string place;                   ///< where the person was
    std::vector<std::string> scenarios;  ///< how scenarios that were visited are set
    ThemeChoice look;
    float scale = 1;                   ///< the person's choice, 0.5 to 3
    int width = 1280, height = 800;    ///< of the window [screen coordinates], 320 to 16384
    float left = 252, right = 348;     ///< side columns [points]
    float plot_share = 0.36f;          ///< of the middle's height, 0.2 to 0.7
    int scope = 0, tab = 0;            ///< of the numbers, 0 to 3; of the last column, 0 to 2
    FigureForm figure;                 ///< how figures were written the last time
    bool toured = true;                ///< the tour of the window was seen to its end, or skipped
    std::vector<std::string> recent;   ///< files that were opened, the last one first, at most 8
    std::vector<SavedCourse> courses;  ///< those that were begun
    std::string course;                ///< the one that is open; empty: none
    bool predict_first = false;        ///< numbers are hidden until they were guessed

    friend bool operator==(const SavedState&, const SavedState&) = default;
};

/// Take up how a window was arranged: widths and the dialog of exports.
void arrange(View& view, const SavedState& saved);

/// Where it is kept: $XDG_STATE_HOME/warplens/state.json, else ~/.local/state/warplens/state.json; empty:
/// there is no home directory.
std::string state_path();

std::string write_state(const SavedState& state);
/// Values out of range come back in range. Errors: UsageError with one sentence when it is no such text.
SavedState read_state(std::string_view text);

/// What became of a file that was looked for.
struct LoadedState {
    std::optional<SavedState> state;  ///< empty: there was none, or it was damaged
    std::string message;              ///< what a person should know; empty: nothing
};
/// Read the file. A damaged one is set aside as "<path>.damaged", so that nothing is lost. Never throws.
LoadedState load_state(const std::string& path);

/// Write it, and the folder if need be. @return  why that failed, in one sentence; empty: it did not.
std::string save_state(const std::string& path, const SavedState& state);

}  // namespace warplens
