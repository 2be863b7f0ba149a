#pragma once

// The folder app/window/ contains a running window apart from what draws it: the Session with its parts, the
// Actions that change it, the table of keys, and the Frame that panels read. It knows neither Dear ImGui nor
// GLFW: app/panels/shell.h draws a session and passes on what a person does.

#include "app/experiment/history.h"
#include "app/learn/learning.h"
#include "app/window/host.h"
#include "app/window/measuring.h"
#include "app/window/messages.h"
#include "app/window/plot_data.h"
#include "app/window/recording_shelf.h"
#include "app/window/saved_state.h"
#include "app/window/side.h"
#include "app/window/step_player.h"
#include "app/window/window_figures.h"
#include "app/window/window_options.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace warplens {

/// One run of the window: what is set, what follows from it, what has been measured. `apply` (apply.h) and
/// what it is made of (apply_parts.h) change its parts and say so by one of the three
/// *_changed functions; panels see its Frame and its View only.
class Session {
public:
    /// @param host   the window that shows it, with a GL context that is current; outlives the session
    /// @param start  scenario, knobs and device to begin with; knobs are in range
    /// @param bench  what measures: the GPU that is here, or something predictable in tests
    Session(Host& host, const State& start, std::vector<DeviceFacts> devices, const WindowOptions& options,
            MeasureBench bench = gpu_bench());

    /// Once before each drawn frame: what was measured or read since, the next step of a player, the next
    /// cells of a heatmap, the next piece of a figure. Does nothing where nothing is under way.
    void advance();
    /// What panels show now. Made anew only when something changed since the last call, together with the
    /// evidence; always the same object.
    const Frame& frame();
    /// What a person has finished doing becomes a step that can be taken back. Not to be called in the
    /// middle of a drag: that is one step, not a hundred.
    void record_step() { history.record(b.state); }

    /// Take up what was kept the last time.
    /// @param with_place  scenario, knobs and device as well; else only how the window is arranged
    void restore(const SavedState& saved, bool with_place);
    /// What is worth keeping for the next time.
    SavedState saved() const;

    /// Something that a person should know, or something that went wrong. Nothing happens for an empty text.
    void say(const std::string& message);
    void complain(const std::string& message);

    // How often something was made, for tests and benchmarks.
    std::size_t gathered() const { return evidence_.gathered(); }  ///< the model was asked
    std::size_t frames_made() const { return frames_made_; }

    // For apply and the functions beside it: what changed.
    void state_changed();  ///< evidence and frame are to be made anew
    void look_changed();   ///< only pictures and frame
    void frame_changed();  ///< only the frame
    /// Bring the evidence up to date now, where something is still to be read from it.
    void refresh();
    void refresh_measured();  ///< the same after times or recordings changed
    /// Measure what the plot shows. @param again  also what has been measured; old values stay on screen
    /// until new ones take their place
    void measure(bool again);

    FigureDesk figure_desk();
    RecordingView recording_view() const;
    State& state() { return b.state; }
    DeviceFacts& device() { return b.devices[b.state.device]; }
    LayoutMode mode() const;

    Host& host;
    Side b;                   ///< what is set
    std::unique_ptr<Side> a;  ///< what is kept beside it; null: nothing is compared
    View view;
    History history;
    std::map<const Scenario*, State> remembered;  ///< each scenario keeps its knobs when it is left
    Learning learning;
    Measuring measuring;
    RecordingShelf shelf;
    PlotData plots;
    StepPlayer player;  ///< of the board
    WindowFigures figures;
    Messages messages;
    bool keep_device;               ///< a person chose it: the GPU that is found here does not take its place
    bool reset_knob = false;        ///< in the next frame the knob with the focus goes back to its default
    bool filled_for_class = false;  ///< the full screen is projector mode's, and ends with it
    std::string missing;            ///< what a file that was opened refers to and is not here; empty: nothing

private:
    void meet_gpu(const GpuInfo& gpu);
    void load_shipped_recordings();
    void refresh_other();
    void continue_player();
    void check_goal();
    void follow_tour();
    Frame make_frame();
    Frame frame_of_a(const Frame& frame);
    std::string drawing() const;
    std::string busy() const;

    bool cpu_;              ///< never touch CUDA
    bool list_shipped_;     ///< the recordings of the program are still to be opened
    bool linked_;           ///< the command line has a link, which goes before what was kept
    bool started_ = false;  ///< advance() was called before
    bool evidence_is_old_ = true, frame_is_old_ = true;
    std::uint64_t generation_ = 0;  ///< Frame::generation
    std::size_t frames_made_ = 0;
    double compute_ms_ = 0;
    EvidenceStore evidence_;
    Frame frame_, frame_a_;
};

}  // namespace warplens
