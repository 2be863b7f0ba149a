#pragma once

#include "app/experiment/bank_fit.h"
#include "app/experiment/heatmap_cells.h"
#include "app/experiment/history.h"
#include "app/experiment/link.h"
#include "app/experiment/recordings.h"
#include "app/gl/window.h"
#include "app/interop/image_texture.h"
#include "app/interop/trace_buffer.h"
#include "app/learn/learning.h"
#include "app/measure/recording.h"
#include "app/measure/worker.h"
#include "app/panels/picture_panel.h"
#include "app/window/apply.h"
#include "app/window/frame.h"
#include "app/window/keys.h"
#include "app/window/messages.h"
#include "app/window/saved_state.h"
#include "app/window/step_player.h"
#include "app/window/window_app.h"
#include "app/window/window_compare.h"
#include "app/window/window_figures.h"

#include <deque>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace warplens {

inline constexpr float kGap = 8;  ///< between the window's panels [points]

/// One run of the window: what is set, what follows from it, what has been measured. The window calls
/// show_frame.
class WindowSession {
public:
    /// @param bench  what measures: the GPU that is here, or something predictable in tests
    WindowSession(Window& window, const State& start, std::vector<DeviceFacts> devices,
                  const WindowOptions& options, MeasureBench bench = gpu_bench());

    /// One frame, in reading order: fetch what arrived, read keys, controls, compute if changed, draw, apply
    /// actions.
    void show_frame();

    /// Turn the knobs of a scenario, as a person would; for benchmarks.
    void turn_knobs(const Scenario& scenario, const Params& params);
    /// Whether the panels show hardware counters of the present setting; for benchmarks.
    bool shows_counters() const;

    /// Take up what was kept the last time.
    /// @param with_place  scenario, knobs and device as well; else only how the window is arranged
    void restore(const SavedState& saved, bool with_place);
    /// What is worth keeping for the next time.
    SavedState saved() const;
    /// Something that a person should know, or something that went wrong.
    void say(const std::string& message) { messages_.add(Message::Severity::info, message, time_of_day()); }
    void complain(const std::string& message) {
        messages_.add(Message::Severity::error, message, time_of_day());
    }
    /// Show the tour from its card `first`, counted from 0.
    void start_tour(int first) { apply(*this, action::ShowTour{first}); }

    /// What the panels show at present; valid until the next frame.
    Frame frame() { return make_frame(); }

    /// What the plot shows, and the last message; for tests.
    /// How often the model was asked for all that it says of a setting.
    std::size_t gathered() const { return evidence_store_.gathered(); }
    const Curve& curve() const { return curve_; }
    const std::string& message() const { return messages_.last().text; }
    const Messages& messages() const { return messages_; }
    const View& view() const { return view_; }

private:
    friend struct Apply;
    friend void apply(WindowSession& session, Action action);
    void fetch_results();
    void meet_gpu(const GpuInfo& gpu);
    void load_shipped_recordings();
    void open_recording(const std::string& path);
    struct Loading {
        std::string path;
        std::future<ReadRecording> read;
    };
    void continue_loading();
    void finish_loading(Loading& done);
    void cancel_loading();
    void cancel_busy();
    // Files and figures, in window_files.cpp:
    bool open_file(const std::string& path);
    void open_figure(const ExportRequest& command);
    void open_saved(const SavedState& saved);
    std::size_t device_like(const DeviceFacts& wanted);
    FigureDesk figure_desk();
    void act(action::Do what);
    // A comparison, in window_compare.cpp:
    void toggle_compare();
    void swap_sides();
    void recompute_other();
    const Frame* other_frame(const Frame& frame);
    void show_sides(const Frame& frame, const Rect& place, Actions& actions);  // [pixels]
    // The keyboard, in window_keys.cpp:
    void read_keys();
    void leave();
    void show_toured_part();
    void step_player(int by);
    void step_wavefront(int by);
    void go_to(const Scenario& scenario);
    void follow(const std::string& link);
    void go_to_place(const Place& place);
    void arrange(const SavedState& saved);
    void restore(const std::optional<State>& there);
    void record_step();
    void remember_recent(const std::string& path);
    void state_changed();
    void recompute();
    void refresh_points();
    std::optional<CountJob> count_job() const;
    void add_measured_points(const GpuInfo& gpu);
    // Where the parts stand, in window_layout.cpp and window_folded.cpp:
    void show_columns(Actions& actions);
    void show_three(const Frame& frame, const Rect& place, Actions& actions);                     // [pixels]
    void show_two(const Frame& frame, const Rect& place, Actions& actions);                       // [pixels]
    void show_one(const Frame& frame, const Rect& place, Actions& actions);                       // [pixels]
    void show_section(const Frame& frame, Section section, const Rect& place, Actions& actions);  // [pixels]
    void show_knobs(const Frame& frame, const Rect& place, Actions& actions);                     // [pixels]
    LayoutMode mode() const;
    std::vector<Section> sections(LayoutMode mode) const;
    void turn_to(Section section);
    void turn_section(int by);
    // Projector mode, in window_projector.cpp:
    void show_projector(Actions& actions);
    void toggle_projector();
    void leave_projector();
    void present_in_full();
    void fit_projector();
    void present(int direction);
    void reset_all();
    void show_middle(const Frame& frame, const Rect& place, Actions& actions);           // [pixels]
    void show_plot_switch(const Rect& place, Actions& actions);                          // [pixels]
    void show_right(const Frame& frame, const Rect& place, Actions& actions);            // [pixels]
    void show_right_with_card(const Frame& frame, const Rect& place, Actions& actions);  // [pixels]
    void splitter(const char* id, float x, float y, float w, float h, float& value, float sign, float least,
                  float most);
    void change(State to);
    void look_changed();
    // The plot, in window_plot.cpp:
    void submit_jobs(bool again);
    void stop_measuring();
    void refresh_plot();
    void continue_heatmap();
    bool has_heatmap() const { return state_.axis != nullptr && state_.second_axis != nullptr; }
    bool has_gpu() const { return worker_ && gpu_ && std::holds_alternative<GpuInfo>(*gpu_); }
    RecordingView recording_view() const;
    // The player of the board, in window_board_player.cpp:
    void show_board_step(int step);
    void step_board(int by);
    void play_board(bool play);
    void continue_board();
    // Courses, predictions and the quiz, in window_learn.cpp:
    void learning_changed(bool forward);
    void start_quiz(const action::StartQuiz& wanted);
    void answer(const std::string& text);
    void go_to_course_step(int step);
    void set_up_step();
    void set_up_question(std::size_t setting);
    void check_goal();
    void write_answers(const std::string& path);
    void put_learning_into(Frame& frame) const;
    PanelStyle style() const;
    Frame make_frame();
    void put_board_into_words(Frame& frame);
    bool has_image() const { return evidence_.report.shape.image.x > 0; }
    void write_ui_trace(const Frame& frame);

    Window& window_;
    std::vector<DeviceFacts> devices_;
    State state_;
    View view_;
    History history_;
    std::map<const Scenario*, State>
        remembered_;       ///< each scenario keeps its knobs when a person comes back to it
    bool cpu_;             ///< never touch CUDA
    bool keep_device_;     ///< a person chose the device: the GPU that is found here does not take its place
    bool changed_ = true;  ///< the evidence is older than the state
    EvidenceStore evidence_store_;
    Evidence evidence_;
    Curve curve_;
    HeatmapCells heatmap_;  ///< of the present state, where it has two axes
    FitPlot fit_;           ///< of the present state, where it is asked for
    bool sweep_stopped_ = false;
    StepPlayer step_player_;  ///< of the board
    PictureCache pictures_;
    Learning learning_;
    BoardWords board_words_;
    std::optional<std::pair<State, std::uint64_t>> board_words_of_;  ///< state and generation of pictures
    Measurements warm_, cold_;  ///< launches after each other, and each from an empty L2
    const Measurements& measured() const { return state_.cold ? cold_ : warm_; }
    Observed observed(const Setting& setting) const;
    Recordings recordings_;
    bool list_shipped_, shipped_loaded_ = false;
    std::string recording_message_;
    std::unique_ptr<TraceBuffer> trace_;
    std::unique_ptr<ImageTexture> image_;
    MeasureBench bench_;
    std::unique_ptr<MeasureWorker> worker_;  ///< none with --cpu
    std::optional<std::variant<GpuInfo, Unavailable>> gpu_;
    std::size_t here_ = 0;  ///< index of the GPU that measures, once there is one
    Messages messages_;
    bool linked_ = false;              ///< the command line has a link, which goes before what was kept
    bool reset_knob_ = false;          ///< this frame's knob with the focus goes back to its default
    bool filled_for_class_ = false;    ///< the full screen is projector mode's, and ends with it
    std::deque<std::string> to_open_;  ///< recordings that wait for the one that is being read
    std::optional<Loading> loading_;
    std::vector<std::future<ReadRecording>> abandoned_;
    std::vector<std::string> recent_;  ///< files that were opened, the last one first
    std::unique_ptr<ComparedSide> a_;  ///< null: nothing is compared
    WindowFigures figures_;
    std::string missing_;   ///< what a file that was opened refers to and is not here; empty: nothing
    Vec2 size_{1280, 800};  ///< of the window [screen coordinates]
    double compute_ms_ = 0;
    std::string ui_trace_path_, ui_trace_written_;
};

}  // namespace warplens
