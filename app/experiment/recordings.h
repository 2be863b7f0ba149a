#pragma once

#include "app/experiment/measurements.h"
#include "app/measure/recording.h"
#include "app/model/device/device.h"
#include "app/pictures/plot/curve.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// A recording that is open, ready to be drawn.
struct OpenRecording {
    std::string file;  ///< its name without folders
    std::string path;  ///< path of the file. Empty if it is part of the program.
    GpuInfo gpu;
    std::vector<RecordedSession> sessions;
    std::string days;        ///< "2026-11-21"
    std::size_t points = 0;  ///< settings in it
    std::string skipped;     ///< what this program does not know of it. Empty if there is nothing.
    DeviceFacts device;      ///< the GPU that was measured
    std::shared_ptr<const Measurements> measurements;  ///< shared by all copies. Never null.
    std::vector<const Scenario*> kernels;              ///< those of its kernels that persons typed
    int look = 1;              ///< the argument of series_look, constant as long as it is open
    std::optional<bool> tick;  ///< whether the person shows or hides it. Empty if `shown` decides.

    bool shipped() const { return path.empty(); }
    std::string label() const { return gpu.name + ", recorded " + days; }
};

/// The GPU that the window or the figure is about.
struct RecordingView {
    const std::vector<DeviceFacts>* devices = nullptr;
    std::size_t device = 0;  ///< the chosen one
    bool gpu_here = false;   ///< whether a GPU measures, so that shipped recordings are not shown by default
    bool cold = false;       ///< whether launches find an empty L2; `find` gives only what was timed so
};

/// All recordings that are open: those that come with the program, and those that a person opened.
class Recordings {
public:
    /// Add those that come with the program. Errors: as shipped_recordings().
    void add_shipped();

    /// Add one from a text. Errors: RecordingError.
    /// @param path  Empty if it is part of the program.
    OpenRecording& add(std::string_view text, std::string file, std::string path,
                       const std::vector<DeviceFacts>& devices);

    /// Add one from a file, and show it. If the file is already open, it is replaced.
    /// Errors: RecordingError; nothing has changed then.
    OpenRecording& open(const std::string& path, const std::vector<DeviceFacts>& devices);

    /// The same for a file that was already read, perhaps on another thread. Errors: none.
    OpenRecording& put(ReadRecording&& read, const std::string& path,
                       const std::vector<DeviceFacts>& devices);
    /// A copy of some recordings, in this order. Their looks follow from the order, and nothing is ticked.
    static Recordings of(const std::vector<const OpenRecording*>& picked);

    const std::vector<OpenRecording>& all() const { return all_; }
    /// The one that has this look. Null if none has it, perhaps no longer.
    const OpenRecording* with_look(int look) const;
    void tick(int look, bool shown);  ///< does nothing if none has this look
    void remove(int look);            ///< does nothing if none has this look

    /// Whether a recording is drawn. If it is not ticked either way: it is if a person opened it, or if it is
    /// of the chosen GPU's model and no GPU measures.
    bool shown(const OpenRecording& recording, const RecordingView& view) const;

    /// The points of a curve, from all recordings that are shown and have some.
    std::vector<MeasuredSeries> series(const Scenario& scenario, const Params& params, const Knob& axis,
                                       const RecordingView& view) const;

    /// The first recording that is shown and is of the chosen GPU's model. Null if there is none.
    const OpenRecording* of_device(const RecordingView& view) const;

    /// A setting in a recording that is shown, preferably one of the chosen GPU's model.
    std::optional<Observation> find(const Scenario& scenario, const Params& params,
                                    const RecordingView& view) const;

    /// How often they were changed.
    std::uint64_t changes() const { return changes_; }

private:
    friend const Recordings& shipped_recordings();
    /// @param measurements  those of the recording, if they are known
    OpenRecording& insert(ReadRecording&& read, std::string file, std::string path,
                          const std::vector<DeviceFacts>& devices,
                          std::shared_ptr<const Measurements> measurements = nullptr);
    int free_look() const;

    std::vector<OpenRecording> all_;
    std::uint64_t changes_ = 0;
};

/// A recording that comes with the program.
struct ShippedRecording {
    ReadRecording read;
    std::shared_ptr<const Measurements> measurements;
};
/// One of them, by its path (assets/measurements/*.json). Each is kept from when it was first asked for, by
/// any thread. Errors: RecordingError.
const ShippedRecording& shipped_recording(std::string_view path);
InSteps<const ShippedRecording*> shipped_recording_in_steps(std::string_view path);
inline constexpr std::string_view kShippedFolder = "assets/measurements/";

/// All of them. They are read as well when first asked for, by any thread; the window lets a thread of its
/// own ask. Errors: RecordingError.
const Recordings& shipped_recordings();

/// The time of a setting in a recording, with a warm L2. Null if it has none.
const Timing* find_timing(const OpenRecording& recording, const Scenario& scenario, const Params& params);

}  // namespace warplens
