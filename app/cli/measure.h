#pragma once

#include "app/cli/options.h"
#include "app/figures/measurement_writer.h"
#include "app/measure/worker.h"

#include <functional>
#include <ostream>
#include <string>
#include <variant>

namespace warplens {

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
