#pragma once

#include "app/base/errors.h"
#include "app/base/in_steps.h"
#include "app/model/catalogue.h"
#include "kernels/cuda/gpu.h"
#include "kernels/timing/timed.h"

#include <cstddef>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// A mistake in a recording: one sentence that says where, and what was expected.
struct RecordingError : UsageError {
    using UsageError::UsageError;
};

/// One run of `warplens measure --record`.
struct RecordedSession {
    std::string date;          ///< the beginning in UTC, for example "2026-11-21T20:15:50Z"
    std::string program;       ///< for example "warplens 0.1.0"
    CudaVersions versions;     ///< runtime and driver
    GpuConditions conditions;  ///< at the beginning
    std::string note;          ///< a note by the person who recorded it
    StopRule rule;
    std::string day() const { return date.substr(0, 10); }  ///< for example "2026-11-21"
};

/// One setting that was timed.
struct RecordedPoint {
    Params params;
    Timing timing;                                ///< its `gpu` is that of the recording
    bool cold = false;                            ///< the L2 was flushed before each launch
    std::map<std::string, double> counters = {};  ///< by the profiler's metric names, for one launch
};

/// Settings of one scenario that were timed in one session, usually along a knob. Of points of a typed kernel
/// that were read only the knobs count; launched_warps and launched_steps are those of its initial values.
struct RecordedSeries {
    const Scenario* scenario = nullptr;
    std::size_t session = 0;  ///< index into Recording::sessions
    std::vector<RecordedPoint> points;
};

/// Times that were measured earlier on a named GPU, to be shown beside the model elsewhere.
struct Recording {
    GpuInfo gpu;
    std::vector<RecordedSession> sessions;
    std::vector<RecordedSeries> series;

    std::size_t point_count() const;
    std::string days() const;  ///< for example "2026-11-21", or "2026-11-20 to 2026-11-21"
};

/// The contents of a file, and what this program does not know of it.
struct ReadRecording {
    Recording recording;
    /// one sentence that says how many points were left out and why; empty if none were
    std::string skipped;
};

/// Larger files are refused before they are read. A full set of all scenarios has less than 2 MiB.
inline constexpr std::uintmax_t kMostRecordingBytes = 64u << 20;
inline constexpr std::size_t kMostRecordedPoints = 100'000;
/// The most typed kernels in one recording, and the longest text of each [bytes].
inline constexpr std::size_t kMostRecordedKernels = 16, kMostRecordedKernelBytes = 256 * 1024;

/// Significant digits of the stored times: the error is at most 0.005 %, while quartiles differ by 1 % or
/// more.
inline constexpr int kRecordedDigits = 5;

/// The text of a recording: JSON, one series a line.
///
///   {"schema":"warplens recording","version":1,"digits":5,
///    "gpu":{"name":…,"cc":"9.0",…},
///    "sessions":[{"date":…,"program":…,"cuda_driver":…,"conditions":{…},"note":…,"stop_rule":{…}},…],
///    "defaults":{"global-stride":"stride=1,…",…},         what the knobs were that a series does not name
///    "methods":["grid of … # repeats …",…],               # stands for the number of repeats
///    "kernels":[{"name":"my.cu","text":"__global__ …"},…],  if any was typed: its file, and all of its text
///    "series":[{"scenario":"global-stride","session":0,
///               "set":"op=load","swept":["stride"],       knobs that are not at their defaults; that vary
///               "same":{"useful_bytes":134217728,…},      columns with one value for all points
///               "columns":["median_us",…],                of what follows the swept knobs in each point
///               "points":[[1,62.134,61.9,62.4,37],…]},
///              {"scenario":"kernel","kernel":0,…},…]}      of a typed kernel: its index in "kernels"
///
/// Numbers have the units of Timing: microseconds, cycles, bytes. Knobs are written as --set takes them. A
/// column "counter NAME" contains that metric. null means that it was not measured. Readers ignore columns
/// that they do not know.
std::string write_recording(const Recording& recording);

/// How a kernel that a person typed is opened: open_kernel (app/experiment/typed_kernel.h), which lets the
/// model execute it, and no GPU. Errors: UsageError for what is wrong with the text.
using OpenKernel = std::function<const Scenario&(const std::string& text, const std::string& name)>;

/// Read such a text. It may come from anywhere and contain anything.
/// Errors: RecordingError for text that is no such recording, is of a newer version, cut off or damaged.
/// Scenarios, kernels, knobs and values that this program does not have are no errors: they are left out and
/// counted.
/// @param open  for kernels that a person typed; without it they are left out like those above
/// @param stop  gives up with an error
ReadRecording read_recording(std::string_view text, const OpenKernel& open = {},
                             const std::stop_token& stop = {});
/// The same in steps. The text must live as long.
InSteps<ReadRecording> recording_in_steps(std::string_view text, OpenKernel open = {},
                                          std::stop_token stop = {});

/// The same from a file. Errors: RecordingError, which names the file; also if it cannot be read or is too
/// large.
ReadRecording open_recording(const std::string& path, const OpenKernel& open = {},
                             const std::stop_token& stop = {});

/// Recordings to be merged, each with the name of its file.
struct NamedRecording {
    std::string name;
    Recording recording;
};
struct MergedRecording {
    Recording recording;
    std::size_t replaced = 0;  ///< settings that occurred twice; the one of the later session was kept
};

/// Merge recordings of one GPU model: with the same name, compute capability and number of SMs. Sessions are
/// kept with their own dates, drivers and notes. If a setting occurs twice, the later session counts; if the
/// sessions are equally old, the later file.
/// Errors: RecordingError that names both GPUs; also for more than kMostRecordedKernels in all.
MergedRecording merge_recordings(const std::vector<NamedRecording>& recordings);

/// Add points of a scenario to the last session; without points nothing is added. Times are rounded as they
/// are written, so that a recording is the same before writing and after reading.
void add_series(Recording& recording, const Scenario& scenario, std::vector<RecordedPoint> points);

/// A setting as text, for example "global-stride stride=8,op=load". It is the same for equal settings.
std::string recorded_setting(const Scenario& scenario, const Params& params);

}  // namespace warplens
