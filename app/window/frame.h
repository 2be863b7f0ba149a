#pragma once

#include "app/boards/board.h"
#include "app/experiment/measurements.h"
#include "app/experiment/pipeline.h"
#include "app/experiment/recordings.h"
#include "app/experiment/state.h"
#include "app/figures/figure_form.h"
#include "app/measure/worker.h"
#include "app/pictures/plot/fit_plot.h"
#include "app/window/messages.h"
#include "app/window/view.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warplens {

class Learning;

/// What stands beside the picture of a board.
struct BoardWords {
    std::vector<Quantity> numbers;
    Explanation explanation;
};

/// The dialog of exports while it is open.
struct ExportView {
    std::vector<FigurePart> parts;  ///< that can be written now; empty: none, and `problem` says why
    FigurePart part = FigurePart::all;
    bool has_steps = false;           ///< there is something to play
    std::string no_pdf;               ///< why this build writes none; empty: it does
    std::string problem;              ///< why nothing can be, or was, written; empty: all is well
    bool exists = false;              ///< there is such a file
    bool asks = false;                ///< whether to write over it
    bool running = false;             ///< figures are being made
    std::size_t done = 0, total = 1;  ///< of them
    float drawn = 0;                  ///< of the one that is being made, 0 to 1; then it is compressed
    unsigned preview = 0;             ///< GL texture of the figure; 0: there is none
    Vec2 preview_size;                ///< of the figure [points]
    std::string preview_text;         ///< of formats that are numbers: the first lines
};

/// Everything the panels show: made by Session::frame once after each change; panels only read it.
struct Frame {
    std::uint64_t generation = 0;  ///< of pictures: another one whenever state or evidence changed
    const State* state = nullptr;
    const Evidence* evidence = nullptr;
    const Curve* curve = nullptr;  ///< the plot against one parameter
    const std::vector<DeviceFacts>* devices = nullptr;
    const BoardWords* board_words = nullptr;  ///< of the chosen board
    bool can_undo = false, can_redo = false;
    std::string gpu;                                   ///< the GPU that measures; empty: none
    const Recordings* recordings = nullptr;            ///< all that are open
    const std::vector<std::string>* recent = nullptr;  ///< recordings that were opened, the last one first
    RecordingView recording_view;                      ///< which of them are shown
    std::string recording_message;                     ///< what became of the last one that was opened
    const Learning* learning = nullptr;                ///< courses, predictions and the quiz
    bool counts_hidden = false;                        ///< until a person has guessed them
    std::string no_gpu;  ///< why there is none; empty: there is one, or it is still being looked for
    std::size_t jobs_waiting = 0;
    MeasureProgress progress;          ///< of the sweep that is being measured, or of the last one
    bool sweep_stopped = false;        ///< a person cancelled it
    bool playing = false;              ///< the steps of the board go by on their own
    const Heatmap* heatmap = nullptr;  ///< null: the plot has one axis
    const FitPlot* fit = nullptr;      ///< null: not chosen
    bool has_fit = false;              ///< the present setting is timed in cycles per request
    std::string renderer;              ///< what draws the window, as OpenGL names it
    std::string drawing;      ///< status bar: "CUDA-OpenGL interop", "copy through the host", "CPU model"
    std::string drawing_why;  ///< tooltip of it
    const Messages* messages = nullptr;  ///< all that happened
    LayoutMode mode = LayoutMode::three;
    bool reset_knob = false;  ///< the knob with the focus, or under the mouse, goes back to its default
    bool full_screen = false;
    std::string busy;       ///< what is going on beside the window and can be cancelled; empty: nothing
    double compute_ms = 0;  ///< model and pictures of the last change [ms]
    unsigned trace_texture = 0;
    unsigned image_texture = 0;             ///< 0: no image was drawn yet
    const Frame* other = nullptr;           ///< A, while this is B of a comparison
    bool is_other = false;                  ///< this is A
    const ExportView* exporting = nullptr;  ///< null: the dialog is closed
};

/// What the boards are drawn from.
inline BoardInput board_input(const Frame& frame) { return {*frame.state, *frame.devices, *frame.evidence}; }

}  // namespace warplens
