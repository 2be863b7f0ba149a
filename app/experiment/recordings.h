#pragma once

#include "app/experiment/measurements.h"
#include "app/measure/recording.h"
#include "app/model/device/device.h"
#include "app/pictures/plot/curve.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// A recording that is open, ready to be drawn.
struct OpenRecording {
    std::string file;  ///< its name without folders
    std::string path;  ///< where it was opened; empty: it is part of the program
    GpuInfo gpu;
    std::vector<RecordedSession> sessions;
    std::string days;        ///< "2026-11-21"
    std::size_t points = 0;  ///< settings in it
    std::string skipped;     ///< what this program does not know of it; empty: nothing
    DeviceFacts device;      ///< of the GPU that was measured
    Measurements measurements;
    int look = 1;              ///< series_look: keeps it as long as it is open
    std::optional<bool> tick;  ///< a person's choice; empty: as the situation suggests

    bool shipped() const { return path.empty(); }
    std::string label() const { return gpu.name + ", recorded " + days; }
};

/// For which GPU the window or the figure is.
struct RecordingView {
    const std::vector<DeviceFacts>* devices = nullptr;
    std::size_t device = 0;  ///< the chosen one
    bool gpu_here = false;   ///< a GPU measures: shipped recordings are not shown by themselves
};

/// All recordings that are open: those that come with the program, and those that a person opened.
class Recordings {
public:
    /// Those of the program (assets/measurements/*.json).
    void add_shipped(const std::vector<DeviceFacts>& devices);

    /// One from a text. Errors: RecordingError.
    /// @param path  empty: it is part of the program.
    OpenRecording& add(std::string_view text, std::string file, std::string path,
                       const std::vector<DeviceFacts>& devices);

    /// One from a file; the same file again takes the place of the first. It is shown at once.
    /// Errors: RecordingError, and nothing has changed then.
    OpenRecording& open(const std::string& path, const std::vector<DeviceFacts>& devices);

    /// The same for a file that was read already, perhaps on another thread. Errors: none.
    OpenRecording& put(ReadRecording&& read, const std::string& path,
                       const std::vector<DeviceFacts>& devices);
    /// Some of others, in that order: with the looks that this order gives them, and none ticked.
    static Recordings of(const std::vector<const OpenRecording*>& picked);

    const std::vector<OpenRecording>& all() const { return all_; }
    void tick(std::size_t index, bool shown) { all_.at(index).tick = shown; }
    void remove(std::size_t index) { all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(index)); }

    /// Whether it is drawn: as ticked; else if it was opened, or if it is of the chosen GPU's model and no
    /// GPU measures.
    bool shown(const OpenRecording& recording, const RecordingView& view) const;

    /// Of all that are shown and have points of this curve.
    std::vector<MeasuredSeries> series(const Scenario& scenario, const Params& params, const Knob& axis,
                                       const RecordingView& view) const;

    /// The recording that is shown of the chosen GPU's model; null: there is none.
    const OpenRecording* of_device(const RecordingView& view) const;

    /// A setting in a recording that is shown, of the chosen GPU's model if there is one.
    std::optional<Observation> find(const Scenario& scenario, const Params& params,
                                    const RecordingView& view) const;

private:
    OpenRecording& insert(ReadRecording&& read, std::string file, std::string path,
                          const std::vector<DeviceFacts>& devices);
    int free_look() const;

    std::vector<OpenRecording> all_;
};

}  // namespace warplens
