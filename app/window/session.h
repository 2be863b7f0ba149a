#pragma once

// The folder app/window/ contains a window without its drawing: the Session with its desks, the Actions that
// change it, the keys, the Frame that panels read. No Dear ImGui, no GLFW: app/panels/shell.h draws it.

#include "app/answers/setting_keys.h"
#include "app/code/compiled_code.h"
#include "app/experiment/state.h"
#include "app/learn/learning.h"
#include "app/window/counters.h"
#include "app/window/frame.h"
#include "app/window/host.h"
#include "app/window/measuring.h"
#include "app/window/plot_keys.h"
#include "app/window/requests.h"
#include "app/window/saved_state.h"
#include "app/window/side.h"
#include "app/window/step_player.h"
#include "app/window/typing.h"
#include "app/window/window_figures.h"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warplens {

/// What a person did and chose before, to return to.
struct Past {
    History history;                                  ///< the steps that can be undone
    std::map<const Scenario*, State> scenarios = {};  ///< the last state of each
    std::map<const Scenario*, FixChoice> fixes = {};  ///< what may change to fix a setting
    bool device_chosen = false;  ///< by a person, so that a GPU found here does not replace it
    /// The picture that projector mode chose, and the one to return to: View::focus.
    struct ProjectorFocus {
        const Scenario* scenario = nullptr;
        int chosen = 0, before = 0;
    } projector_focus = {};
    bool read_for_typing = false;            ///< whether the editor opened View::reading
    bool full_screen_for_projector = false;  ///< whether projector mode turned the full screen on
};

/// The files that a window has open.
struct FileDesk {
    RecordingShelf shelf;
    RequestDesk requests;  ///< a file of recorded requests
    CounterDesk counters;  ///< a page of Nsight Compute
};

/// One run of the window: what is set, and what has been measured and read. All that follows from it are
/// answers of the store, asked for anew in each frame. `apply` (action.h) and the functions that it calls
/// (apply_parts.h) change its parts. Panels see only its Frame and its View.
class Session {
public:
    /// @param host   the window that shows it, with a GL context that is current; outlives the session
    /// @param start  scenario, knobs and device to begin with; knobs are in range
    /// @param bench  what measures: the GPU that is here, or something predictable in tests
    Session(Host& host, const State& start, std::vector<DeviceFacts> devices, const WindowOptions& options,
            MeasureBench bench = gpu_bench());

    /// Must be called once before each drawn frame. Fetches what was measured or read since, and continues
    /// players and figures.
    void advance();
    /// What panels show now. It is valid until the next call after something was applied.
    const Frame& frame();
    /// Record a finished change as a step that can be undone. Must not be called in the middle of a drag,
    /// which is one step and not a hundred.
    void record_step() { past.history.record(state_); }
    /// Something was applied: the frame is made again.
    void applied() { frame_.reset(); }

    /// Restore what was saved by an earlier run.
    /// @param with_place  whether to restore scenario, knobs and device as well, and not only the arrangement
    void restore(const SavedState& saved, bool with_place);
    /// What the next run should restore.
    SavedState saved() const;
    bool keeps_state() const { return keeps_state_; }  ///< whether somebody will write `saved` to a file

    /// Add a message, or with `complain` an error. An empty text is ignored.
    void say(const std::string& message) { tell(Message::Severity::info, message); }
    void complain(const std::string& message) { tell(Message::Severity::error, message); }
    const Messages& messages() const { return messages_; }

    State& state() { return state_; }
    const State& state() const { return state_; }
    /// Keep the state of the present scenario, to return to.
    void remember_state();
    /// The table of devices with the state's bank mode, and the chosen one.
    const Devices& devices() { return *devices_of(state_); }
    const DeviceFacts& device() { return devices()[state_.device]; }
    /// What the model says of the present setting.
    Ready<Evidence> evidence() { return evidence_of(store, state_, table_); }
    const Ready<Devices>& table() const { return table_; }
    /// Add a GPU to the table. @return  its index
    std::size_t add_device(const DeviceFacts& device);
    /// What a page of Nsight Compute is compared with: the open file of requests, or else the setting.
    NcuBasis counters_basis() const;
    /// The link to what is shown, as people pass it on: with WindowOptions::web_address, the page that opens
    /// it.
    std::string shared_link();
    FigureDesk figure_desk();
    LayoutMode mode() const;
    /// Measure what the plot shows; `again` also what is known, which stays until there are new values.
    void measure(bool again);

    Host& host;
    View view;
    Past past;
    Learning learning;
    FileDesk files;
    Measuring measuring;
    Typing typing;      ///< the kernels of the person's own
    StepPlayer player;  ///< plays the steps of the board, or of the pictures of instructions
    WindowFigures figures;
    Store store;  ///< last, because its jobs use the others

private:
    /// What is measured for a setting.
    struct Measured {
        Setting setting;
        const Knob* axis = nullptr;
        const Knob* second_axis = nullptr;
        bool possible = false;
        friend bool operator==(const Measured&, const Measured&) = default;
    };
    /// A state with the answers that are shown of it.
    struct Shown {
        State state;
        Ready<Devices> devices;
        Ready<Evidence> model, evidence;  ///< without and with what GPUs showed
        Ready<Curve> curve;
        Ready<BoardWords> words;
        friend bool operator==(const Shown&, const Shown&) = default;
    };
    /// All answers that a frame shows: it refers to them.
    struct Answers {
        Shown b;
        std::optional<Shown> a;
        Ready<Heatmap> heatmap;
        Ready<GridMap> grid_map;
        Ready<FitPlot> fit;
        Ready<CodePage> code;
        Ready<Fixes> fixes;
        Ready<Evidence> request;  ///< of the page of recorded requests
        int focus = 0;
        bool counts_hidden = false;
        friend bool operator==(const Answers&, const Answers&) = default;
    };

    void tell(Message::Severity severity, const std::string& message);
    Ready<Devices> devices_of(const Setting& setting) {
        return store.get(DevicesKey{table_, setting.bank_mode});
    }
    RecordingView recording_view();
    void meet_gpu(const GpuInfo& gpu);
    void settle();
    void continue_player();
    void play_accesses();
    void check_goal();
    void follow_shelf();
    void follow_requests();
    void follow_counters();
    void follow_file(const std::optional<FileOutcome>& outcome, bool counted, const std::string& busy);
    void follow_tour();
    void follow_typing();
    void follow_run();
    void follow_quiz();
    void follow_rest();
    PlotSource plot_source(const State& state);
    Shown shown_of(const State& state, const Ready<Curve>& other);
    Ready<CodePage> code();
    Answers answers();
    Frame make_frame();
    Frame frame_of_a(const Frame& frame);
    std::string drawing() const;
    std::string busy() const;

    State state_;
    Ready<Devices> table_;
    Messages messages_;
    bool cpu_;             ///< never touch CUDA
    bool list_shipped_;    ///< whether the program's recordings must still be read
    bool may_move_;        ///< whether pictures may glide
    bool counted_frames_;  ///< A counted number of frames, for a screenshot, shows everything.
    bool keeps_state_;
    std::string web_address_;
    bool linked_;  ///< whether the command line has a link, which takes precedence over the saved state
    bool started_ = false;   ///< advance() was called before
    Measured measured_;      ///< what was measured last
    double changed_at_ = 0;  ///< when the setting changed, by the host's clock [s]
    bool rested_ = false;    ///< whether nothing has changed for a moment
    double compute_ms_ = 0;
    SideTextures textures_;
    std::unique_ptr<SideTextures> textures_a_;  ///< Null if nothing is compared.
    std::shared_ptr<const Answers> answers_;    ///< what the frame refers to; another object if it differs
    const Knob* focused_ = nullptr;             ///< View::focus_knob, as the last frame showed it
    std::optional<Frame> frame_;                ///< nothing if it has to be made
    Frame frame_a_;
};

}  // namespace warplens
