#pragma once

#include "app/cli/measure/measure.h"
#include "app/cli/measure/standard_set.h"
#include "app/figures/measurement_writer.h"
#include "app/measure/recording.h"

#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <variant>
#include <vector>

namespace warplens {

/// A session that begins now.
RecordedSession begin_session(const StopRule& rule, const GpuConditions& conditions, const std::string& note);

/// What `measure` has timed, as a recording; settings that could not be timed are left out.
Recording recording_of(const Measurement& measurement, const RecordedSession& session);

/// Times one setting of a scenario: TimedKernels::time in the program, something predictable in tests.
using TimeScenario = std::function<std::variant<Timing, Unavailable>(const Scenario&, const Params&)>;

/// How far a long run is, before each series.
struct RecordProgress {
    const Scenario* scenario = nullptr;
    std::size_t done = 0, all = 0;  ///< settings
};

struct RecordedSet {
    Recording recording;
    std::map<std::string, std::size_t> skipped;  ///< settings that were not timed, by scenario and reason
};

/// Time a whole plan.
RecordedSet record_plan(const std::vector<PlannedSeries>& plan, const GpuInfo& gpu,
                        const RecordedSession& session, const TimeScenario& time,
                        const std::function<void(const RecordProgress&)>& progress);

/// One line for each reason: "3 settings of global-stride were not timed: …".
std::string skipped_text(const RecordedSet& set);

/// `warplens measure --all --record FILE`. Progress goes to standard error. The file is written at the end,
/// or not at all. Errors: UsageError for a part that does not exist and a file that cannot be written; NoGpu;
/// Failure when nothing could be timed.
void run_measure_all(const MeasureCommand& command, std::ostream& out);

/// Write a recording and say so. Errors: UsageError when the file cannot be written.
void write_recording_file(const std::string& path, const Recording& recording, std::ostream& out);

}  // namespace warplens
