#pragma once

// The folder app/window/ contains a window without its drawing: the Session with its parts, the Actions that
// change it, the keys, the Frame that panels read. No Dear ImGui, no GLFW: app/panels/shell.h draws it.

#include "app/experiment/state.h"
#include "app/learn/learning.h"
#include "app/window/counters.h"
#include "app/window/fixing.h"
#include "app/window/frame.h"
#include "app/window/host.h"
#include "app/window/kernel_run.h"
#include "app/window/measuring.h"
#include "app/window/quiz_making.h"
#include "app/window/requests.h"
#include "app/window/saved_state.h"
#include "app/window/side.h"
#include "app/window/step_player.h"
#include "app/window/typing.h"
#include "app/window/window_figures.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace warplens {

/// One run of the window: what is set, what follows from it, and what has been measured. `apply` (action.h)
/// and the functions that it calls (apply_parts.h) change its parts, and report it by one of the three
/// *_changed functions. Panels see only its Frame and its View.
class Session {
public:
    /// @param host   the window that shows it, with a GL context that is current; outlives the session
    /// @param start  scenario, knobs and device to begin with; knobs are in range
    /// @param bench  what measures: the GPU that is here, or something predictable in tests
    Session(Host& host, const State& start, std::vector<DeviceFacts> devices, const WindowOptions& options,
            MeasureBench bench = gpu_bench());

    /// Must be called once before each drawn frame. Fetches what was measured or read since, and continues
    /// players, heatmaps and figures. Does nothing if nothing is in progress.
    void advance();
    /// What panels show now: always the same object, made again with the evidence only if something has
    /// changed since the last call.
    const Frame& frame();
    /// Record a finished change as a step that can be undone. Must not be called in the middle of a drag,
    /// which is one step and not a hundred.
    void record_step();

    /// Restore what was saved by an earlier run.
    /// @param with_place  whether to restore scenario, knobs and device as well, and not only the arrangement
    void restore(const SavedState& saved, bool with_place);
    /// What the next run should restore.
    SavedState saved() const;
    bool keeps_state() const { return keeps_state_; }  ///< whether somebody will write `saved` to a file

    /// Add a message, or with `complain` an error. An empty text is ignored.
    void say(const std::string& message) { tell(Message::Severity::info, message); }
    void complain(const std::string& message) { tell(Message::Severity::error, message); }

    // How often something was made, for tests and benchmarks.
    std::size_t gathered() const { return evidence_.gathered(); }  ///< how often the model was asked
    std::size_t frames_made() const { return frames_made_; }

    // For `apply` and the functions that it calls: report what has changed.
    void state_changed();       ///< evidence, pictures and frame must be made again
    void look_changed();        ///< only pictures and frame must be made again
    void frame_changed();       ///< only the frame must be made again
    void fix_choice_changed();  ///< what may change to fix the setting
    void refresh();             ///< bring the evidence up to date, before it is read
    void refresh_measured();    ///< the same after times or recordings have changed
    /// Measure what the plot shows; `again` also what is known, which stays until there are new values.
    void measure(bool again);

    /// What a page of Nsight Compute is compared with: the open file of requests, or else the setting.
    NcuBasis counters_basis() const;
    FigureDesk figure_desk();
    RecordingView recording_view() const;
    State& state() { return b.state; }
    DeviceFacts& device() { return b.devices[b.state.device]; }
    LayoutMode mode() const;

    Host& host;
    Side b;                   ///< the present setting
    std::unique_ptr<Side> a;  ///< the setting that it is compared with. Null if there is none.
    View view;
    History history;
    std::map<const Scenario*, State> remembered;  ///< the last state of each scenario, to return to
    Learning learning;
    Measuring measuring;
    RecordingShelf shelf;
    RequestDesk requests;  ///< a file of recorded requests
    CounterDesk counters;  ///< a page of Nsight Compute
    PlotData plots;
    Fixing fixing;
    QuizMaking quiz_making;
    Typing typing;      ///< a kernel of the person's own
    KernelRun run;      ///< launches it
    StepPlayer player;  ///< plays the steps of the board, or of the pictures of instructions
    WindowFigures figures;
    Messages messages;
    bool keep_device;  ///< whether a person chose the device, so that a GPU found here does not replace it
    bool reset_knob = false;                 ///< whether the next frame resets the knob with the focus
    bool full_screen_for_projector = false;  ///< whether projector mode turned the full screen on
    /// The picture that projector mode chose, and the one to return to: View::focus.
    struct ProjectorFocus {
        const Scenario* scenario = nullptr;
        int chosen = 0, before = 0;
    } projector_focus;

private:
    void tell(Message::Severity severity, const std::string& message);
    void meet_gpu(const GpuInfo& gpu);
    void refresh_other();
    void continue_player();
    void play_accesses();
    void check_goal();
    void follow_requests();
    void follow_counters();
    void follow_file(const std::optional<FileOutcome>& outcome, bool counted, const std::string& busy);
    void follow_tour();
    void fill_by_kernels();
    void look_for_fixes();
    void follow_typing();
    void follow_run();
    void follow_quiz();
    Frame make_frame();
    Frame frame_of_a(const Frame& frame);
    std::string drawing() const;
    std::string busy() const;

    bool cpu_;             ///< never touch CUDA
    bool list_shipped_;    ///< whether the program's recordings must still be read
    bool may_move_;        ///< whether pictures may glide
    bool counted_frames_;  ///< A counted number of frames, for a screenshot, shows everything.
    bool keeps_state_;
    std::string unsaved_kernel_;  ///< of an earlier run, kept for the next one that has no place of its own
    bool linked_;  ///< whether the command line has a link, which takes precedence over the saved state
    bool started_ = false;  ///< advance() was called before
    bool evidence_is_old_ = true, frame_is_old_ = true;
    double fixes_at_ = 0;    ///< when fixes are searched for, by the host's clock [s]; 0 for never
    double kernels_at_ = 0;  ///< when the kernels fill the heat cells, by the host's clock [s]; 0 for never
    std::uint64_t generation_ = 0;  ///< Frame::generation
    std::size_t frames_made_ = 0;
    double compute_ms_ = 0;
    EvidenceStore evidence_;
    Frame frame_, frame_a_;
};

}  // namespace warplens
