#pragma once

#include "app/cli/measure/measure.h"
#include "app/figures/measurement_writer.h"
#include "app/measure/recording.h"
#include "app/model/catalogue.h"

#include <cstddef>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace warplens {

/// Settings of one scenario that are measured one after the other.
struct PlannedSeries {
    const Scenario* scenario = nullptr;
    std::vector<Params> settings;
};

/// What `measure --all` measures: of every scenario the curves that a person is likely to look at, at the
/// points that plots have. From the defaults: along every axis, and along the first one with each other
/// choice of each knob that has named choices. From every preset: along the first axis. No setting is there
/// twice.
std::vector<PlannedSeries> standard_set();

/// One part of several, for the tasks of an array job.
struct Part {
    std::size_t index = 0;  ///< from 0
    std::size_t count = 1;
};

/// Read "I/N", I from 0 to N - 1. An empty text means the whole. Errors: UsageError.
Part parse_part(std::string_view text);

/// Every N-th series, so that all parts take about as long. Together the parts are the whole.
std::vector<PlannedSeries> part_of(std::vector<PlannedSeries> whole, Part part);

std::size_t count_settings(const std::vector<PlannedSeries>& plan);

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
