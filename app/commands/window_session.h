#pragma once

#include "app/gl/window.h"
#include "app/interop/image_texture.h"
#include "app/interop/trace_buffer.h"
#include "app/measure/worker.h"
#include "app/panels/numbers.h"
#include "app/panels/picture_panel.h"
#include "app/panels/ui.h"
#include "app/recordings.h"
#include "app/window_app.h"

#include <map>
#include <memory>
#include <string>

namespace warplens {

/// One run of the window: what is set, what follows from it, what has been measured. The window calls
/// show_frame.
class WindowSession {
public:
    WindowSession(Window& window, const State& start, std::vector<DeviceFacts> devices,
                  const WindowOptions& options);

    /// One frame, in reading order: fetch what arrived, read keys, controls, compute if changed, draw, carry
    /// out wishes.
    void show_frame();

    /// Turn the knobs of a scenario, as a person would; for benchmarks.
    void turn_knobs(const Scenario& scenario, const Params& params);

    /// What the plot shows, and the last message; for tests.
    const Curve& curve() const { return analysis_.curve; }
    const std::string& message() const { return message_; }

private:
    void fetch_results();
    void meet_gpu(const GpuInfo& gpu);
    void load_shipped_recordings();
    bool open_recording(const std::string& path);
    void change_recordings(const Wishes& wishes);
    void read_keys();
    void step_wavefront(int by);
    void go_to(const Scenario& scenario);
    void state_changed();
    void recompute();
    void refresh_points();
    void add_measured_points(const GpuInfo& gpu);
    void show_columns(Wishes& wishes);
    void splitter(const char* id, float x, float y, float w, float h, float& value, float sign, float least,
                  float most);
    void carry_out(const Wishes& wishes);
    RecordingView recording_view() const;
    Frame make_frame();
    bool has_image() const { return analysis_.report.shape.image.x > 0; }
    void write_ui_trace(const Frame& frame);

    Window& window_;
    std::vector<DeviceFacts> devices_;
    State state_;
    View view_;
    std::map<const Scenario*, State>
        remembered_;       ///< each scenario keeps its knobs when a person comes back to it
    bool keep_device_;     ///< a person chose the device: the GPU that is found here does not take its place
    bool changed_ = true;  ///< the analysis is older than the state
    Analysis analysis_;
    PictureCache pictures_;
    Measurements measurements_;
    Recordings recordings_;
    bool list_shipped_, shipped_loaded_ = false;
    std::string recording_message_;
    std::unique_ptr<TraceBuffer> trace_;
    std::unique_ptr<ImageTexture> image_;
    std::unique_ptr<MeasureWorker> worker_;  ///< none with --cpu
    std::optional<std::variant<GpuInfo, Unavailable>> gpu_;
    std::size_t here_ = 0;                        ///< index of the GPU that measures, once there is one
    std::optional<MeasuredPoint> measured_here_;  ///< of the present setting
    std::string message_;
    double compute_ms_ = 0;
    std::string ui_trace_path_, ui_trace_written_;
};

}  // namespace warplens
