#pragma once

#include "app/experiment/evidence.h"
#include "app/experiment/heatmap_cells.h"
#include "app/experiment/recordings.h"
#include "app/measure/recording.h"
#include "app/measure/worker.h"
#include "app/pictures/plot/curve.h"
#include "app/window/saved_state.h"

#include <chrono>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

namespace warplens {

/// What the window measures: the thread that measures, the GPU that it found, and all times and counters of
/// this run.
class Measuring {
public:
    /// @param bench  what measures: the GPU of this machine, or something predictable in tests
    /// @param none   why nothing is measured. Empty to look for a GPU after start().
    Measuring(MeasureBench bench, std::optional<Unavailable> none);

    /// Start the thread. Further calls do nothing.
    /// @param wake  called on that thread whenever there is something to fetch
    void start(const std::function<void()>& wake);

    /// What fetch() found new.
    struct News {
        bool gpu = false;      ///< it is now known whether there is a GPU
        bool results = false;  ///< times or counters arrived
    };
    News fetch();

    const GpuInfo* gpu() const;  ///< the GPU that measures. Null if there is none, or if it is not known yet.
    const Unavailable* no_gpu() const;  ///< why there is none. Null if there is one or it is not known yet.
    /// The GPU's index in the window's table of devices. Only valid if gpu() is not null.
    std::size_t here = 0;

    /// Replace all waiting jobs by these, in order of importance. Does nothing without a GPU.
    void submit(std::vector<MeasureJob> jobs, const StopRule& rule, std::optional<CountJob> counting);
    /// Cancel all unfinished jobs. @return  whether there were any.
    bool stop();
    /// Leave the GPU to another process, as MeasureWorker::release does. May be called on any thread.
    void release() {
        if (worker_) worker_->release();
    }
    bool stopped() const { return stopped_; }  ///< whether stop() has cancelled jobs since the last submit()
    MeasureProgress progress() const { return worker_ ? worker_->progress() : MeasureProgress{}; }
    std::size_t waiting() const { return worker_ ? worker_->waiting() : 0; }

    /// The times of launches that find the L2 as the one before left it, or empty if `cold`.
    const Measurements& times(bool cold) const { return cold ? cold_ : warm_; }
    /// The counters that should be read for a setting. Empty if they are known already, or if none are
    /// predicted.
    std::optional<CountJob> count_job(const Evidence& evidence) const;
    /// What another process has shown for a typed kernel (kernel_run.h).
    /// @param counts  if counters were read
    void add(const Scenario& scenario, const Params& params, bool cold, const Measurements::Outcome& outcome,
             const std::optional<CountResult>& counts);
    /// What the GPU of this machine has shown for a setting.
    /// @param devices  the window's table
    Observed observed(const Setting& setting, const std::vector<DeviceFacts>& devices) const;

private:
    MeasureBench bench_;
    std::unique_ptr<MeasureWorker> worker_;  ///< null before start()
    std::optional<std::variant<GpuInfo, Unavailable>> gpu_;
    Measurements warm_, cold_;
    bool stopped_ = false;
};

/// Whether a state's plot has two axes.
inline bool has_heatmap(const State& state) { return state.axis != nullptr && state.second_axis != nullptr; }

/// The sources of the measured values of a plot.
struct PlotSources {
    const Measuring& measuring;
    const Recordings& recordings;
    RecordingView view;
};

/// What the window's plot shows besides the model's curve: the cells of a heatmap, computed a few at a time,
/// cycles against wavefronts, and everything that was measured. If this machine has a GPU, the measurements
/// are of that GPU, even if the model shows another one.
class PlotData {
public:
    /// Prepare the cells for another state, which has two axes.
    void set(const State& state, const DeviceFacts& device) { cells_.set(state, device); }
    /// Compute cells for about this time. @return  whether some were missing before
    bool fill(const State& state, std::chrono::microseconds time);
    bool complete(const State& state) const { return !has_heatmap(state) || cells_.complete(); }
    const HeatmapCells& cells() const { return cells_; }
    const FitPlot& fit() const { return fit_; }

    /// Update the measured values of the cells, the fit and the curve.
    void refresh_measured(const State& state, const PlotSources& sources, Curve& curve);

private:
    HeatmapCells cells_;
    FitPlot fit_;
};

/// The recordings that a window has open, and the files of all kinds that it is reading or opened recently.
/// Files are read one after the other on a separate thread, because large ones take seconds.
class RecordingShelf {
public:
    /// @param wake  called from any thread when a file has been read
    explicit RecordingShelf(std::function<void()> wake) : wake_(std::move(wake)) {}
    ~RecordingShelf() {  // which waits for the thread
        if (reading_) reading_->stop.request_stop();
    }

    /// Add a file to those that are to be read. advance() reports the result.
    void read(const std::string& path) { to_read_.push_back(path); }
    /// Begin to read the recordings that come with the program.
    /// @param wait  whether the next advance() waits until they are there
    void read_shipped(bool wait);
    /// The result of reading a file.
    struct Outcome {
        std::string path;     ///< Empty for the recordings that come with the program.
        std::string message;  ///< one sentence for a person. Empty if there is nothing to say.
        bool opened = false;  ///< If not, the message says why.
        /// What the session is to be set up like, if it was no recording. It is not opened yet.
        std::optional<FoundFile> found;
    };
    /// Return the files that were read since the last call, and begin with the next ones. Waits at most 80 ms
    /// for each file, so that small ones are there at once.
    std::vector<Outcome> advance(const std::vector<DeviceFacts>& devices);
    /// The file that is being read. Empty if there is none.
    std::string reading() const { return reading_ ? reading_->path : std::string(); }
    /// Give up reading, also of waiting files.
    /// @return  a message for the person
    std::string cancel();

    Recordings recordings;            ///< all that are open
    std::vector<std::string> recent;  ///< files that were opened, the last one first, at most 8
    std::string message;              ///< what happened with the last file. Empty if there was none.

    void remember(const std::string& path);  ///< Add a file to `recent`.

private:
    using Read = std::variant<ReadRecording, FoundFile>;
    struct Reading {
        std::string path;
        std::stop_source stop;
        std::future<Read> read;
    };
    Outcome finish_shipped();
    Outcome finish(Reading done, const std::vector<DeviceFacts>& devices);

    std::function<void()> wake_;
    std::deque<std::string> to_read_;
    std::optional<Reading> reading_;
    std::future<void> shipped_;
    bool wait_for_shipped_ = false;
    std::vector<std::future<Read>> abandoned_;  ///< kept until their threads have ended, which is soon
};

}  // namespace warplens
