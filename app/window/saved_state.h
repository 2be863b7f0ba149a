#pragma once

#include "app/experiment/state.h"
#include "app/figures/figure_options.h"
#include "app/learn/learning.h"
#include "app/pictures/kit/palette.h"
#include "app/window/view.h"

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace warplens {

/// How the window starts.
struct WindowOptions {
    ThemeChoice look;
    float scale = 1;           ///< the person's choice, 0.5 to 3, multiplied by the scale of the screen
    int width = 1280;          ///< [screen coordinates]
    int height = 800;          ///< [screen coordinates]
    bool cpu = false;          ///< never touch CUDA: the model fills the heat cells, nothing is measured
    bool keep_device = false;  ///< whether the device was named, so that a GPU found here does not replace it
    bool keep_state = false;   ///< whether the state is kept from run to run
    std::string state_path;    ///< where it is kept. Empty for the usual place (app/window/saved_state.h).
    /// The things that the command line sets, so that the saved state does not.
    struct Given {
        bool place = false, theme = false, palette = false, scale = false, size = false;
    } given;
    int tour = 0;      ///< show the tour from this card, counted from 1. 0 for the first start only.
    std::string link;  ///< link to follow at the start (app/experiment/link.h). Empty if there is none.
    std::string
        web_address;  ///< of a page of Warplens, which copied links open (link.h). Empty if there is none.
    std::vector<std::string> recordings;  ///< recordings to open, in order; they were checked to be readable
    std::vector<std::string> files;       ///< files to open as if they were dropped, in order
    bool shipped_recordings = true;       ///< whether to list those that come with the program
    std::string screenshot_path;          ///< write the last frame there as PNG and close. Empty not to.
    bool motion = true;  ///< whether pictures may glide; the desktop's settings may ask for none
    /// Whether searches on other threads are waited for, so that frames are the same in every run.
    bool wait = false;
    int frames = 0;  ///< close after this many frames. 0 to stay until a person closes the window.
};

/// A person's progress in a course.
struct SavedCourse {
    std::string id;         ///< id of the course
    int at = 0;             ///< the step that was open last, from 0
    std::vector<int> done;  ///< steps that are done, in ascending order

    friend bool operator==(const SavedCourse&, const SavedCourse&) = default;
};

/// A quiz that is open, as it can be made again.
struct SavedQuiz : QuizProgress {
    std::uint32_t seed = 0;
    int questions = 0;   ///< 0 if no quiz is open
    std::string space;   ///< the memory that it is about; may be empty
    std::string here;    ///< link to the setting that it is about; may be empty
    std::string figure;  ///< the figure that it is about; may be empty

    friend bool operator==(const SavedQuiz&, const SavedQuiz&) = default;
};

/// At most so many own kernels are kept, and so many bytes of their texts; the last ones are.
inline constexpr std::size_t kMostKernels = 50, kMostKernelTexts = std::size_t{4} << 20;

/// A kernel of the person's own.
struct SavedKernel {
    std::string name;   ///< of its file, without a folder; may be empty
    std::string path;   ///< of its file; empty if it has none
    std::string title;  ///< as its text was understood last; may be empty
    std::string text;
    std::string place;     ///< link to how it was set; empty if its text is not understood
    bool changed = false;  ///< since it was read from its file or written into it

    friend bool operator==(const SavedKernel&, const SavedKernel&) = default;
};

/// All that the window remembers from one run to the next. Places in the program are links
/// (app/experiment/link.h); a link that this version does not know is ignored.
struct SavedState : Arrangement {
    std::string place;                   ///< where the person was
    std::vector<std::string> scenarios;  ///< the settings of the scenarios that were visited
    float scale = 1;                     ///< the person's choice, 0.5 to 3
    int width = 1280, height = 800;      ///< of the window [screen coordinates], 320 to 16384
    bool toured = true;                  ///< the tour of the window was seen to its end, or skipped
    std::vector<std::string> recent;     ///< files that were opened, the last one first, at most 8
    std::vector<SavedCourse> courses;    ///< the courses that were begun
    std::string course;                  ///< the open course. Empty if there is none.
    SavedQuiz quiz;                      ///< the open quiz
    Demo unsaved_demo;                   ///< that was being made. No stops if none was.
    std::string unsaved_demo_path;       ///< its file, which has not all of it. Empty if there is none.
    std::vector<SavedKernel> kernels;    ///< the person's own, the last one first
    bool draft = false;                  ///< the first of them is being typed, and not understood yet
    bool predict_first = false;          ///< numbers are hidden until the person has guessed them

    friend bool operator==(const SavedState&, const SavedState&) = default;
};

/// The path of the file: $XDG_STATE_HOME/warplens/state.json, else ~/.local/state/warplens/state.json. Empty
/// if there is no home directory.
std::string state_path();

/// The name by which such a file says its format.
inline constexpr std::string_view kStateFormat = "warplens state";

std::string write_state(const SavedState& state);
/// Values out of range are clamped. Errors: UsageError with one sentence if the text is no saved state.
SavedState read_state(std::string_view text);

/// The result of load_state.
struct LoadedState {
    std::optional<SavedState> state;  ///< Empty if there is none that can be used.
    std::string message;              ///< one sentence for the person. Empty if there is nothing to say.
    bool keep = true;                 ///< whether a state may be written there
};
/// Read the file. A damaged one, and one with which two starts have failed, is renamed to "<path>.damaged-1",
/// "-2" and so on, so that nothing is lost. A file of somebody else, of a newer version or one that cannot be
/// read stays as it is. Never throws.
LoadedState load_state(const std::string& path);

/// Count a start with the state of this file, in a file beside it, until finish_start says that it succeeded.
/// Neither throws.
void begin_start(const std::string& path);
void finish_start(const std::string& path);

/// Write the file, and create its folder if necessary.
/// @return  why it failed, in one sentence. Empty if it succeeded.
std::string save_state(const std::string& path, const SavedState& state);

/// A recording, to be opened by Recordings::open.
struct RecordingFile {};

/// A file of recorded requests, to be opened by RequestDesk.
struct RequestFile {};

/// A page of Nsight Compute, to be opened by CounterDesk.
struct CountersFile {};

/// The text of a kernel (app/typed/), which may be wrong.
struct KernelFile {
    std::string text;
};

/// The kind of a file, which is determined by its content and not by its name.
using OpenedFile =
    std::variant<RecordingFile, SavedState, ExportRequest, Demo, RequestFile, CountersFile, KernelFile>;

/// Files that set the window up, or that it shows.
using FoundFile = std::variant<SavedState, ExportRequest, Demo, RequestFile, CountersFile, KernelFile>;

/// Read a file that a person dropped, typed or named on the command line: a recording, a saved state, a
/// demo, recorded requests (CSV or mem_trace), a page of Nsight Compute (CSV), or a figure (PNG, SVG or JSON)
/// with the command that made it.
/// @param stop  gives up with an error
/// Errors: UsageError "cannot open 'x': …" with one sentence that says what it is not.
OpenedFile recognize_file(const std::string& path, const std::stop_token& stop = {});
/// The same of its bytes. Errors: UsageError without the name.
OpenedFile recognize(const std::string& bytes, const std::stop_token& stop = {});

/// Whether a word of the command line names a file rather than a scenario or a link: those have neither dots
/// nor slashes before the first '?'.
bool names_a_file(const std::string& word);

}  // namespace warplens
