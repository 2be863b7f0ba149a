#pragma once

#include "app/boards/board.h"
#include "app/code/code_page.h"
#include "app/experiment/evidence.h"
#include "app/experiment/measurements.h"
#include "app/experiment/ncu/compared_page.h"
#include "app/experiment/recordings.h"
#include "app/experiment/state.h"
#include "app/figures/figure_form.h"
#include "app/learn/fixes.h"
#include "app/measure/accesses/access_list.h"
#include "app/measure/worker.h"
#include "app/pictures/plot/curve.h"
#include "app/window/typing.h"
#include "app/window/view.h"

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warplens {

struct CompiledKernel;

/// Something that happened, in words for a person.
struct Message {
    enum class Severity { info, error };
    Severity severity = Severity::info;
    std::string text;  ///< one sentence. Empty if there is no message.
    std::string time;  ///< time of day, for example "14:03:59"
    int repeats = 1;   ///< how often it came in a row
};

/// Everything that the person was told in this run of the window, the latest message last.
class Messages {
public:
    static constexpr std::size_t kMost = 50;  ///< older ones are forgotten

    /// The same text again counts as a repeat. Nothing happens for an empty text.
    /// @param time  time of day, as it is to be shown
    void add(Message::Severity severity, const std::string& text, const std::string& time) {
        if (text.empty()) return;
        if (last().text == text && last().severity == severity) {
            ++all_.back().repeats;
            all_.back().time = time;
            return;
        }
        all_.push_back({severity, text, time});
        if (all_.size() > kMost) all_.pop_front();
    }

    const std::deque<Message>& all() const { return all_; }
    /// The latest message. Its text is empty if there is none.
    const Message& last() const {
        static const Message none;
        return all_.empty() ? none : all_.back();
    }

private:
    std::deque<Message> all_;
};

/// The time of day here: "14:03:59".
std::string time_of_day();

class Learning;

/// The dialog of exports while it is open.
struct ExportView {
    std::vector<FigurePart> parts;  ///< that can be written now. Empty if there are none; `problem` says why.
    FigurePart part = FigurePart::all;
    bool has_steps = false;  ///< whether it has steps that can be played
    bool can_play = false;   ///< whether bytes travel in them
    std::string no_pdf;      ///< why this build writes no PDF. Empty if it does.
    std::string no_gif;      ///< the same for GIF
    std::string problem;     ///< why nothing can be written or was written. Empty if there is no problem.
    bool exists = false;     ///< whether the file exists already
    bool asks = false;       ///< whether the dialog asks if the file may be overwritten
    bool running = false;    ///< whether figures are being made
    std::size_t done = 0, total = 1;  ///< number of figures
    float drawn = 0;                  ///< how much of the present figure is drawn, 0 to 1
    float packed = 0;                 ///< the same of its file, which is made once it is drawn
    unsigned preview = 0;             ///< GL texture of the figure. 0 if there is none.
    Vec2 preview_size;                ///< of the figure [points]
    std::string preview_text;         ///< the first lines, for CSV and JSON
};

/// A file of recorded requests that is open, and what is known of the chosen one.
struct RequestsView {
    Ready<AccessList> list;    ///< Null if none is open.
    std::size_t chosen = 0;    ///< in its groups
    Ready<Evidence> evidence;  ///< of the chosen one's worst request, as the only instruction
};

/// A page of Nsight Compute that is open.
struct CountersView {
    Ready<ComparedPage> page;  ///< Null if none is open.
    std::size_t chosen = 0;    ///< in its launches
};

/// Everything that the panels show. Session::frame makes it once after each change; panels only read it.
struct Frame {
    std::shared_ptr<const void> answers;  ///< all that is shown: another object if any of it is another
    const State* state = nullptr;
    const Evidence* evidence = nullptr;
    const Curve* curve = nullptr;  ///< the plot against one parameter
    const std::vector<DeviceFacts>* devices = nullptr;
    const BoardWords* board_words = nullptr;  ///< of the chosen board
    const CodePage* code = nullptr;           ///< the program of the setting. Null if it is not shown.
    const Fixes* fixes = nullptr;             ///< what would fix the setting. Null while it is searched for.
    const FixChoice* fix_choice = nullptr;    ///< what may change for it
    bool can_undo = false, can_redo = false;
    std::string gpu;                                   ///< the GPU that measures. Empty if there is none.
    const Recordings* recordings = nullptr;            ///< all that are open
    RequestsView requests;                             ///< a file of recorded requests
    CountersView counters;                             ///< a page of Nsight Compute
    const std::vector<std::string>* recent = nullptr;  ///< recordings that were opened, the last one first
    RecordingView recording_view;                      ///< which of them are shown
    std::string recording_message;                     ///< what happened when the last one was opened
    const Typing* typing = nullptr;                    ///< a kernel of the person's own
    bool kernel_runs = false;                          ///< whether it is being launched or compiled
    const CompiledKernel* compiled = nullptr;          ///< what became of it; null if that is not known
    const Learning* learning = nullptr;                ///< courses, predictions and the quiz
    bool counts_hidden = false;                        ///< whether the person has to guess them first
    std::string no_gpu;  ///< why there is no GPU. Empty if there is one, or if it is not known yet.
    std::size_t jobs_waiting = 0;
    MeasureProgress progress;          ///< of the sweep that is being measured, or of the last one
    bool sweep_stopped = false;        ///< a person cancelled it
    bool playing = false;              ///< whether the player goes through steps
    bool motion = false;               ///< whether pictures glide from setting to setting
    const Heatmap* heatmap = nullptr;  ///< null if the plot has one axis only
    const GridMap* grid_map =
        nullptr;                   ///< of the shown instruction, or all. Null while it is counted, and of A.
    const FitPlot* fit = nullptr;  ///< null if it is not chosen
    bool has_fit = false;          ///< whether the present setting is timed in cycles per request
    std::string renderer;          ///< what draws the window, as OpenGL calls it
    std::string drawing;      ///< status bar: "CUDA-OpenGL interop", "copy through the host", "CPU model"
    std::string drawing_why;  ///< its tooltip
    const Messages* messages = nullptr;  ///< all that happened
    LayoutMode mode = LayoutMode::three;
    bool reset_knob = false;           ///< whether to reset the knob with the focus or under the mouse
    const Knob* focus_knob = nullptr;  ///< the one that gets the keyboard now. Null if none does.
    bool full_screen = false;
    std::string busy;       ///< work in the background that can be cancelled. Empty if there is none.
    double compute_ms = 0;  ///< how long it took to compute what the last change requires [ms]
    unsigned trace_texture = 0;
    unsigned image_texture = 0;             ///< 0 if no image was drawn yet
    const Frame* other = nullptr;           ///< A of a comparison, if this is B. Null if nothing is compared.
    bool is_other = false;                  ///< whether this is A
    const ExportView* exporting = nullptr;  ///< null if the dialog is closed
};

/// The input from which the boards are drawn.
inline BoardInput board_input(const Frame& frame) { return {*frame.state, *frame.devices, *frame.evidence}; }

/// How many columns have room in a window.
/// @param width  width of the window [points]
LayoutMode layout_mode(float width);

// Widths that columns need at least, and the gap between panels [points].
inline constexpr float kLeastLeft = 220, kLeastRight = 270, kLeastMiddle = 400, kGap = 8;

/// The parts between which a narrow window switches: all parts with one column, those of the side column with
/// two.
/// @param card  whether a course or a quiz is open
std::vector<Section> switched_sections(LayoutMode mode, const BoardInfo& board, bool card);

/// Bring a part of the window into view, if it is not visible.
void show_section(View& view, Section section);

/// Switch to the next of these parts, or by `by` parts. Does nothing with three columns.
void next_section(View& view, LayoutMode mode, const BoardInfo& board, bool card, int by);

}  // namespace warplens
