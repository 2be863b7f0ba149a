#pragma once

#include "app/answers/file_work.h"
#include "app/experiment/evidence.h"
#include "app/experiment/recordings.h"
#include "app/measure/recording.h"
#include "app/measure/worker.h"
#include "app/window/kernel_run.h"
#include "app/window/saved_state.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
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
    Measuring& operator=(Measuring&&) = delete;

    KernelRun run;  ///< launches typed kernels, in another process, which has the GPU for itself

    /// Start the thread. Further calls do nothing.
    /// @param wake  called on that thread whenever there is something to fetch
    void start(const std::function<void()>& wake);

    /// The news that fetch() found.
    struct News {
        bool gpu = false;      ///< it is now known whether there is a GPU
        bool results = false;  ///< times or counters arrived
    };
    News fetch();

    const GpuInfo* gpu() const;  ///< the GPU that measures. Null if there is none, or if it is not known yet.
    const Unavailable* no_gpu() const;  ///< why there is none. Null if there is one or it is not known yet.
    /// The GPU's index in the window's table of devices. Only valid if gpu() is not null.
    std::size_t here() const { return here_; }
    void found_at(std::size_t index) { here_ = index; }
    std::uint64_t changes() const { return changes_; }  ///< how often it has got to know something

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
    std::size_t here_ = 0;
    std::uint64_t changes_ = 0;
    bool stopped_ = false;
};

/// The recordings that the window shows beside a setting.
RecordingView recording_view(const Measuring& measuring, const std::vector<DeviceFacts>& devices,
                             const Setting& setting);

/// A file of any kind that a person opened.
using AnyFile = std::variant<ReadRecording, FoundFile>;
struct AnyFileKey {
    FileAsked file;
    friend bool operator==(const AnyFileKey&, const AnyFileKey&) = default;
};
Work<AnyFile> answer(const AnyFileKey& key, Store&);
std::size_t bytes_of(const AnyFile& file);

/// The recordings that come with the program, read once (shipped_recordings).
struct ShippedKey {
    friend bool operator==(const ShippedKey&, const ShippedKey&) = default;
};
Work<bool> answer(const ShippedKey&, Store&);

/// The recordings that a window has open, and the files of all kinds that it is reading or opened recently.
/// Files are read one after the other in the background, because large ones take seconds.
class RecordingShelf {
public:
    /// Add a file to those that are to be read. advance() reports the result.
    void read(const std::string& path) { to_read_.push_back({{path, ++asked_}}); }
    /// Begin to read the recordings that come with the program.
    void read_shipped() { reads_shipped_ = true; }
    /// The result of reading a file.
    struct Outcome {
        std::string path;     ///< Empty for the recordings that come with the program.
        std::string message;  ///< one sentence for a person. Empty if there is nothing to say.
        bool opened = false;  ///< If not, the message says why.
        /// What the session is to be set up like, if it was no recording. It is not opened yet.
        std::optional<FoundFile> found;
    };
    /// Must be called once per frame. @return  the files that were read since the last call
    std::vector<Outcome> advance(Store& store, const std::vector<DeviceFacts>& devices);
    /// The file that is being read. Empty if there is none.
    std::string reading() const { return to_read_.empty() ? std::string() : to_read_.front().file.path; }
    /// Give up reading, also of waiting files.
    /// @return  a message for the person
    std::string cancel();

    Recordings recordings;            ///< all that are open
    std::vector<std::string> recent;  ///< files that were opened, the last one first, at most 8
    std::string message;              ///< what happened with the last file. Empty if there was none.

    void remember(const std::string& path);  ///< Add a file to `recent`.

private:
    Outcome finish_shipped(const Answer<bool>& read);
    Outcome finish(const std::string& path, const Answer<AnyFile>& read,
                   const std::vector<DeviceFacts>& devices);

    std::deque<AnyFileKey> to_read_;
    std::uint64_t asked_ = 0;
    bool reads_shipped_ = false;
};

}  // namespace warplens
