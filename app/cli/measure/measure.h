#pragma once

#include "app/cli/command.h"
#include "app/figures/measurement_writer.h"
#include "app/measure/worker.h"

#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <variant>

namespace warplens {

struct MeasureCommand {
    ScenarioChoice choice;
    bool cpu = false;          ///< without the GPU nothing can be measured, so this is an error
    std::string sweep;         ///< "key=a..b:step", "key=a..b" or "key"; empty for a single setting
    std::string second_sweep;  ///< the same for a second knob; empty if there is none
    std::string json_path;     ///< empty if no file is written
    int repeat_limit = 100;
    std::optional<double> time_limit;  ///< for each setting, as typed [s]
    bool once = false;                 ///< launch exactly once, for profilers
    bool cold = false;                 ///< empty the L2 before each timed launch
    bool counters = false;             ///< read hardware counters as well
    std::string record_path;           ///< where a recording is written; empty if none is
    std::string note;                  ///< goes into the recording
    bool all = false;                  ///< the standard set instead of one scenario
    std::string part;                  ///< "I/N" of the standard set; empty for all of it
    int fetch_bytes = 0;               ///< ask the GPU for this L2 fetch granularity [bytes]; 0 to leave it

    /// For each setting [s]. It is smaller with --all, which has thousands of them.
    double seconds_limit() const { return time_limit.value_or(all ? 0.1 : 0.25); }
};

/// Times one setting: TimedKernels::time in the program, something predictable in tests.
using TimeSetting = std::function<std::variant<Timing, Unavailable>(const Params&)>;

/// Time all settings of a command, in order, and predict each for the GPU.
/// Errors: UsageError for what does not exist.
/// @param count  reads counters, if the command asks for them
Measurement measure_settings(const MeasureCommand& command, const GpuInfo& gpu, const TimeSetting& time,
                             const ReadCounters& count = nullptr);

/// When to stop repeating, as a command says.
StopRule rule_of(const MeasureCommand& command);

/// The GPU that a command measures, set up as it says.
/// Errors: NoGpu without one; Failure when it cannot be set up so.
GpuInfo prepare_gpu(const MeasureCommand& command);

/// A table with medians, quartiles and predictions side by side.
std::string measurement_text(const Measurement& measurement);

/// `warplens measure`.
/// Errors: UsageError as above; NoGpu without a GPU; Failure when no setting could be timed.
void run_measure(const MeasureCommand& command, std::ostream& out);

}  // namespace warplens
