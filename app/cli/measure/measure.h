#pragma once

#include "app/cli/command.h"
#include "app/figures/measurement_writer.h"
#include "app/measure/recording.h"
#include "app/measure/worker.h"
#include "app/model/catalogue.h"
#include "app/model/counters/agreement.h"

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

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
    bool addresses = false;            ///< count what the addresses of one launch ask for
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

/// Settings in which one knob, or each pair of values of two knobs, varies. All other knobs keep their
/// values.
struct Sweep {
    const Knob* knob = nullptr;  ///< null if there is only one setting
    /// Knobs that depend on a swept one follow into their range. With two knobs the first one moves fastest,
    /// and impossible settings are left out, such as a block of 16 rows of threads in a tile of 8.
    std::vector<Params> settings;
    const Knob* second = nullptr;  ///< null if only one knob varies
};

inline constexpr std::size_t kMostSettings = 1000;

/// Read "key=a..b:step", "key=a..b" or "key" (its whole range). For powers of two a and b are the numbers
/// themselves and a step is a factor of 2; for named choices a step is one name further. An
/// empty text means the one setting. Errors: UsageError for an unknown knob, a value out of range, more than
/// kMostSettings.
Sweep parse_sweep(const Scenario& scenario, const Params& params, std::string_view text);

/// The same for two knobs.
/// @param second  empty if there is no second knob
/// Errors: UsageError as above, for the same knob twice, and for more than kMostSettings in all.
Sweep parse_sweeps(const Scenario& scenario, const Params& params, std::string_view first,
                   std::string_view second);

/// The keys of the knobs that vary: "stride", "stride, element"; empty without a sweep.
std::string swept_keys(const Measurement& measurement);

/// Their values in a setting: "8", "8, 4"; "this setting" without a sweep.
std::string setting_name(const Measurement& measurement, const Params& params);

/// For two knobs what was measured, as a matrix: a row for each value of the second knob and a column for
/// each of the first, with the unit in a line above; "-" where a setting could not be timed or cannot be.
/// Empty with one knob or none.
std::string sweep_matrix(const Measurement& measurement);

/// "fit: cycles = 1.01 x wavefronts + 0.2, R² 0.9998, 33 points\n". Empty if there is no fit.
std::string fit_sentence(const Measurement& measurement);

/// Settings of one scenario that are measured one after the other.
struct PlannedSeries {
    const Scenario* scenario = nullptr;
    std::vector<Params> settings;
};

/// The settings that `measure --all` measures: the curves of every scenario that a person is likely to look
/// at, at the points that plots have. From the defaults: along every axis, and along the first one with each
/// other choice of each knob that has named choices. From every preset: along the first axis. No setting is
/// there twice.
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

/// Errors: UsageError for a typed kernel whose text a recording cannot contain as it is, with the line.
void require_recordable(const Scenario& scenario);

/// The times of `measure` as a recording; settings that could not be timed are left out.
Recording recording_of(const Measurement& measurement, const RecordedSession& session);

/// Times one setting of a scenario: TimedKernels::time in the program, something predictable in tests.
using TimeScenario = std::function<std::variant<Timing, Unavailable>(const Scenario&, const Params&)>;

/// How far a long run is.
struct RecordProgress {
    const Scenario* scenario = nullptr;
    std::size_t done = 0, all = 0;  ///< settings
};

struct RecordedSet {
    Recording recording;
    std::size_t done = 0;                        ///< settings that were tried
    std::map<std::string, std::size_t> skipped;  ///< settings that were not timed, by scenario and reason
};

/// Time a whole plan.
/// @param progress  called before each setting; if it returns false, nothing more is timed
RecordedSet record_plan(const std::vector<PlannedSeries>& plan, const GpuInfo& gpu,
                        const RecordedSession& session, const TimeScenario& time,
                        const std::function<bool(const RecordProgress&)>& progress);

/// One line for each reason: "3 settings of global-stride were not timed: …".
std::string skipped_text(const RecordedSet& set);

/// `warplens measure --all --record FILE`. Progress goes to standard error. The file is written at the end:
/// whole, or with what was timed until Ctrl+C (or TERM, HUP) was pressed, or not at all. Errors: UsageError
/// for a part that does not exist and a file that cannot be written; NoGpu; Failure when nothing could be
/// timed, and after Ctrl+C.
void run_measure_all(const MeasureCommand& command, std::ostream& out);

/// Write a recording and say so. Errors: UsageError when the file cannot be written.
void write_recording_file(const std::string& path, const Recording& recording, std::ostream& out);

struct AgreeCommand {
    std::string scenario;  ///< its id; empty for all scenarios
    int settings = 200;    ///< how many random settings are compared in all
    int typed = 0;         ///< instead so many random kernels, as a person could type them
    unsigned seed = 1;
    std::string json_path;  ///< empty if no file is written
    bool cpu = false;       ///< without the GPU nothing can be counted, so this is an error
};

/// How often a counter of a scenario came out as expected.
struct AgreementRow {
    std::array<std::int64_t, 3> by_verdict{};  ///< how many settings are equal, within, off
    Provenance kind = Provenance::exact;       ///< the weakest of these settings
};

/// One setting whose counter was not as expected.
struct Disagreement {
    std::string scenario, settings;  ///< as the command line takes them
    const CounterWords* counter = nullptr;
    double expected = 0, counted = 0;
    Judgement judgement;
    Provenance kind = Provenance::exact;
    bool may_be_arbitration = false;  ///< see the function of that name
};

struct Agreement {
    /// By scenario and counter, both in the order of their lists.
    std::vector<std::pair<std::pair<std::string_view, const CounterWords*>, AgreementRow>> rows;
    std::vector<Disagreement> differences;  ///< all that are not equal
    int settings = 0;                       ///< or kernels: that were launched and counted
    std::int64_t typed_accesses = 0;        ///< of threads of random kernels, whose addresses were compared
    std::vector<std::string> typed_off;     ///< the kernels that access something else, one sentence each
    std::map<std::string, int> refused;     ///< why settings could not be launched, and how many
    std::int64_t off_exact() const;         ///< counters that should be exact and are not

    AgreementRow& row(std::string_view scenario, const CounterWords* words);
};

/// Count random settings of the scenarios and compare.
/// @param settings  in all, spread evenly over the scenarios that can be compared
/// @param progress  called after each setting with how many are done
Agreement compare_with_counters(const std::vector<const Scenario*>& scenarios, int settings, unsigned seed,
                                const DeviceFacts& device, const ReadCounters& count,
                                const std::function<void(int)>& progress);

/// Whether counters that know addresses alone, not the timing of warps, are as predicted in a setting:
/// `measure --addresses` in another process, something predictable in tests.
using AskAddresses = std::function<bool(std::string_view scenario, const std::string& settings)>;

/// Ask about each setting in which arbitration may explain a difference; where the addresses are as predicted
/// it does, and the counter is within instead of off.
void prove_arbitration(Agreement& agreement, const AskAddresses& ask);

/// A table in Markdown, the differences, and what they mean.
std::string agreement_text(const Agreement& agreement, const GpuInfo& gpu, unsigned seed);
nlohmann::ordered_json agreement_to_json(const Agreement& agreement, const GpuInfo& gpu, unsigned seed);

/// Errors: NoGpu; Failure when counters cannot be read, or one that should be exact is off.
void run_agree(const AgreeCommand& command, std::ostream& out);

}  // namespace warplens
