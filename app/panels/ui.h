#pragma once

#include "app/boards/board.h"
#include "app/experiment/measurements.h"
#include "app/experiment/pipeline.h"
#include "app/experiment/recordings.h"
#include "app/experiment/state.h"
#include "app/figures/figure_form.h"
#include "app/learn/learn_wish.h"
#include "app/learn/tour.h"
#include "app/measure/worker.h"
#include "app/panels/change_marks.h"
#include "app/panels/panel_style.h"
#include "app/pictures/plot/fit_plot.h"
#include "app/window/messages.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace warplens {

class Learning;

/// How many columns stand side by side; the parts that have no room take each other's place.
enum class Fold { three, two, one };

/// How the window is arranged and what is looked at. Changes no number.
struct View {
    Space space = Space::global;  ///< whose scenarios the menu lists
    ThemeChoice look;
    int focus = 0;                  ///< instruction in the large picture; -1: all of them, small
    int hovered_lane = -1;          ///< highlighted in every picture
    int hovered_instruction = -1;   ///< in whose picture the mouse is; -1: in none
    int scope = 0;                  ///< of the numbers: 0 warp, 1 block, 2 grid, 3 hardware counters
    int tab = 0;                    ///< 0 why, 1 code, 2 lesson
    bool reading = false;           ///< the lesson has the place of the plot; the tabs then show the others
    bool reading_code = false;      ///< what has that place is not the lesson but the code
    std::string lesson;             ///< the one that was shown last
    float left = 252, right = 348;  ///< widths of the side columns [points]
    float plot_share = 0.36f;       ///< share of the middle column's height for the plot
    float reading_share = 0.5f;     ///< the same for the lesson in its place
    float numbers = 400;            ///< height that the table of numbers takes, where there is room [points]
    float numbers_beside_lesson = 230;   ///< the same above a lesson [points]
    Section section = Section::picture;  ///< what a window of one column shows
    Section side = Section::set;         ///< what the side column of two shows: set, numbers or words
    bool plot_alone = false;  ///< a low window of two columns shows the plot instead of the picture
    bool projector = false;   ///< large type and few panels, for a class
    int tour = -1;            ///< which card of the tour is open, from 0; -1: none
    bool help = false;
    bool help_words = false;                          ///< the page of words, not of keys
    bool messages = false;                            ///< the list of messages is open
    bool help_shown = false, messages_shown = false;  ///< ImGui had them open in the last frame
    bool recordings = false;                          ///< the menu of recordings is to be opened
    bool copy_menu = false;                           ///< the choice of what to copy is to be opened
    bool theme_menu = false;                          ///< the choice of themes is to be opened
    ChangeMarks changes = {};                         ///< numbers that have just changed
    std::array<char, 1024> recording_path{};          ///< what is typed into the menu of recordings
    FigureForm figure;                                ///< the dialog of exports, and how pictures are copied
    std::array<char, 1024> export_path{};             ///< where the next figure goes, as typed or proposed
    // The list of worked numbers.
    int claim_verdict = -1;               ///< only those with this verdict; -1: all
    std::array<char, 128> claim_words{};  ///< only those that mention them
    std::string claim_open;               ///< the one that is opened; empty: none
    std::string claim;                    ///< the one whose place the window shows; empty: none
    LearnInputs learn;                    ///< what is typed into courses, predictions and quizzes
};

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

/// Everything the panels show. Filled by the window before the panels are drawn; panels only read it.
struct Frame {
    const State* state = nullptr;
    const Evidence* evidence = nullptr;
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
    std::string drawing;      ///< status bar: "CUDA-OpenGL interop", "copy through the host", "CPU model"
    std::string drawing_why;  ///< tooltip of it
    std::string renderer;     ///< GL renderer
    std::string message;      ///< last thing that happened
    const Messages* messages = nullptr;  ///< all that happened
    Fold fold = Fold::three;
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

/// What a person wants done with the figure that the window shows, or with a setting to compare it with.
enum class FigureAct {
    open_export,
    start_export,  ///< the dialog's button, or Enter; where a file is in the way it asks first
    close_export,  ///< and give up what is running
    copy_picture,
    copy_data,
    copy_command,
    copy_link,
    compare,  ///< keep what is set as A; again: no longer
    swap_sides,
};

/// What a person did in a panel other than the controls; the window carries it out after the panels are
/// drawn.
struct Wishes {
    int hovered_lane = -1;
    int hovered_instruction = -1;
    std::optional<int> focus;
    std::optional<double> axis_value;  ///< a click into the plot
    std::optional<const Knob*> axis;
    std::optional<const Knob*> second_axis;  ///< null: none
    std::optional<HeatmapShow> heatmap_show;
    std::optional<std::size_t> cell;   ///< of the heatmap: its setting
    std::optional<std::size_t> point;  ///< of cycles against wavefronts: its setting
    std::optional<bool> fit;
    bool cancel_measuring = false;
    bool measure_again = false;
    std::optional<bool> log_axes;
    std::optional<bool> cold;
    std::optional<bool> log_colors;  ///< of the heatmap
    std::optional<ColorBy> color_by;
    std::optional<int> only_wavefront;
    std::optional<float> user_scale_factor;  ///< multiply the person's scale
    const BoardInfo* board = nullptr;        ///< another board; null: none was chosen
    bool undo = false, redo = false;
    int present = 0;         ///< 1: the next stop of a talk, -1: the one before
    bool reset_all = false;  ///< the knobs of the scenario, or of the board
    bool toggle_projector = false;
    bool toggle_full_screen = false;
    bool cancel_busy = false;
    std::optional<double> redraw_within;  ///< [s]: something fades, and has its next shade then
    std::optional<int> board_step;        ///< of the player of the board
    std::optional<bool> play_board;       ///< let them go by, or stop
    std::optional<FigureAct> figure;
    std::string link;   ///< a click on something that leads elsewhere (app/experiment/link.h); empty: none
    std::string claim;  ///< the worked number that the link shows; empty: none
    LearnWish learn;    ///< in a course, a prediction or a quiz
    // Of recordings, by their place in the list.
    std::optional<std::string> open_recording;  ///< its path
    std::optional<std::size_t> remove_recording;
    std::optional<std::pair<std::size_t, bool>> tick_recording;  ///< shown or not
};

}  // namespace warplens
