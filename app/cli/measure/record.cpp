
#include "app/base/errors.h"
#include "app/base/format.h"
#include "app/base/output.h"
#include "app/base/parse_number.h"
#include "app/base/text.h"
#include "app/base/version.h"
#include "app/cli/measure/measure.h"
#include "app/experiment/evidence.h"
#include "app/experiment/measurements.h"
#include "app/experiment/plot.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <ctime>

namespace warplens {
namespace {

using Clock = std::chrono::steady_clock;

/// On a terminal one line that is written over; in a log file a line for each scenario.
class ProgressLine {
public:
    void show(const RecordProgress& now) {
        const bool another = now.scenario != scenario_;
        scenario_ = now.scenario;
        if (!terminal_ && !another) return;
        const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
        const double left = now.done == 0 ? 0 : seconds / double(now.done) * double(now.all - now.done);
        std::fputs(
            fmt::format("{}{} of {} settings: {}{}{}", terminal_ ? "\r" : "", now.done, now.all,
                        now.scenario->info->id, now.done == 0 ? "" : fmt::format(", {:.0f} s left", left),
                        terminal_ ? "\x1b[K" : "\n")
                .c_str(),
            stderr);
        std::fflush(stderr);
    }
    ~ProgressLine() {
        if (terminal_ && scenario_ != nullptr) std::fputs("\r\x1b[K", stderr);
    }

private:
    const bool terminal_ = ::isatty(STDERR_FILENO) != 0;
    const Clock::time_point start_ = Clock::now();
    const Scenario* scenario_ = nullptr;
};

/// Collects series, and leaves out what is planned already: settings that the measured kernel cannot tell
/// apart are one.
class Plan {
public:
    void add_curve(const Scenario& scenario, const Params& base, const Knob* axis) {
        PlannedSeries series{&scenario, {}};
        add(series, base);
        if (axis != nullptr) {
            for (const int value : plot_values(*axis, base)) {
                add(series, with_knob(scenario, base, *axis, value));
            }
        }
        if (!series.settings.empty()) series_.push_back(std::move(series));
    }
    std::vector<PlannedSeries> take() { return std::move(series_); }

private:
    void add(PlannedSeries& series, const Params& params) {
        if (planned_.find(*series.scenario, params) != nullptr) return;
        planned_.add(*series.scenario, params, Unavailable{});
        series.settings.push_back(params);
    }
    Measurements planned_{1'000'000};
    std::vector<PlannedSeries> series_;
};

void plan_scenario(const Scenario& scenario, Plan& plan) {
    const ScenarioInfo& info = *scenario.info;
    const Knob* first_axis = initial_state(scenario, 0).axis;
    plan.add_curve(scenario, info.defaults, first_axis);
    for (const Knob& knob : info.knobs) {
        if (can_be_axis(scenario, knob)) plan.add_curve(scenario, info.defaults, &knob);
    }
    for (const Preset& preset : info.presets)
        plan.add_curve(scenario, preset_params(scenario, preset), first_axis);
    for (const Knob& knob : info.knobs) {
        if (knob.kind != KnobKind::choice || &knob == first_axis) continue;
        for (const int value : axis_values(knob, info.defaults)) {
            plan.add_curve(scenario, with_knob(scenario, info.defaults, knob, value), first_axis);
        }
    }
}

}  // namespace

std::vector<PlannedSeries> standard_set() {
    Plan plan;
    for (const Scenario& scenario : all_scenarios()) plan_scenario(scenario, plan);
    return plan.take();
}

Part parse_part(std::string_view text) {
    if (text.empty()) return {};
    const auto part = parse_pair<std::size_t>(text, '/');
    if (part && part->first < part->second) return {part->first, part->second};
    throw UsageError(fmt::format(
        "--part {}: expected I/N, with I from 0 to N - 1, such as 0/20 for the first of 20", text));
}

std::vector<PlannedSeries> part_of(std::vector<PlannedSeries> whole, Part part) {
    std::vector<PlannedSeries> result;
    for (std::size_t i = part.index; i < whole.size(); i += part.count) result.push_back(std::move(whole[i]));
    return result;
}

std::size_t count_settings(const std::vector<PlannedSeries>& plan) {
    std::size_t count = 0;
    for (const PlannedSeries& series : plan) count += series.settings.size();
    return count;
}

RecordedSession begin_session(const StopRule& rule, const GpuConditions& conditions,
                              const std::string& note) {
    RecordedSession session;
    session.date = fmt::format("{:%Y-%m-%dT%H:%M:%S}Z", fmt::gmtime(std::time(nullptr)));
    session.program = fmt::format("warplens {}", version());
    session.versions = cuda_versions();
    session.conditions = conditions;
    session.note = note;
    session.rule = rule;
    return session;
}

void require_recordable(const Scenario& scenario) {
    if (scenario.typed == nullptr) return;
    std::string_view rest = scenario.typed->text();
    for (int line = 1; !rest.empty();) {
        const Utf8Character next = first_character(rest);
        if (!next.valid)
            throw UsageError(fmt::format(
                "--record: {}, line {}: expected text in UTF-8, as recordings are: save the file so",
                scenario.info->title, line));
        line += next.code == U'\n' ? 1 : 0;
        rest.remove_prefix(next.bytes);
    }
}

Recording recording_of(const Measurement& measurement, const RecordedSession& session) {
    Recording recording{measurement.gpu, {session}, {}};
    std::vector<RecordedPoint> points;
    for (const MeasuredSetting& setting : measurement.settings) {
        const auto* timing = std::get_if<Timing>(&setting.outcome);
        if (timing == nullptr) continue;
        points.push_back({setting.params, *timing});
        const auto* reading =
            setting.counted ? std::get_if<CounterReading>(&setting.counted->outcome) : nullptr;
        for (std::size_t i = 0; reading != nullptr && i < setting.counted->metrics.size(); ++i) {
            if (reading->values.at(i))
                points.back().counters[setting.counted->metrics[i]] = *reading->values[i];
        }
    }
    add_series(recording, *measurement.scenario, std::move(points));
    return recording;
}

RecordedSet record_plan(const std::vector<PlannedSeries>& plan, const GpuInfo& gpu,
                        const RecordedSession& session, const TimeScenario& time,
                        const std::function<bool(const RecordProgress&)>& progress) {
    RecordedSet set;
    set.recording = {gpu, {session}, {}};
    const std::size_t all = count_settings(plan);
    bool go_on = true;
    for (const PlannedSeries& series : plan) {
        std::vector<RecordedPoint> points;
        for (const Params& params : series.settings) {
            go_on = go_on && progress({series.scenario, set.done, all});
            if (!go_on) break;
            const auto outcome = time(*series.scenario, params);
            ++set.done;
            if (const auto* timing = std::get_if<Timing>(&outcome))
                points.push_back({params, *timing});
            else
                ++set.skipped[fmt::format("{}: {}", series.scenario->info->id,
                                          std::get<Unavailable>(outcome).reason)];
        }
        add_series(set.recording, *series.scenario, std::move(points));
        if (!go_on) break;
    }
    return set;
}

std::string skipped_text(const RecordedSet& set) {
    std::string text;
    for (const auto& [reason, count] : set.skipped)
        text += fmt::format("{} {} left out of {}\n", count, count == 1 ? "setting was" : "settings were",
                            reason);
    return text;
}

void write_recording_file(const std::string& path, const Recording& recording, std::ostream& out) {
    const std::string text = write_recording(recording);
    write_output(path, text);
    const std::size_t points = recording.point_count();
    out << fmt::format("{}: {} {} of {}, {}\n", printable(path), points, points == 1 ? "setting" : "settings",
                       recording.gpu.name, format_bytes(double(text.size())));
}

void run_measure_all(const MeasureCommand& command, std::ostream& out) {
    const auto plan = part_of(standard_set(), parse_part(command.part));  // mistakes show before CUDA starts
    if (plan.empty())
        throw UsageError(
            fmt::format("--part {}: there are only {} parts", command.part, standard_set().size()));
    const GpuInfo gpu = prepare_gpu(command);
    check_output(command.record_path);
    TimedKernels kernels;
    const StopRule rule = rule_of(command);
    RecordedSet set;
    const LateInterrupt interrupt;
    {
        ProgressLine line;
        set = record_plan(
            plan, gpu, begin_session(rule, gpu_conditions(), command.note),
            [&](const Scenario& scenario, const Params& params) {
                return kernels.time(scenario.info->id, params, rule);
            },
            [&](const RecordProgress& now) {
                line.show(now);
                return !interrupt.came();
            });
    }
    const std::string stopped =
        interrupt.came() ? fmt::format("stopped after {} of {} settings", set.done, count_settings(plan))
                         : std::string();
    if (set.recording.series.empty())
        throw Failure(stopped.empty() ? "no setting could be timed: " + set.skipped.begin()->first
                                      : stopped + ": nothing was timed, so nothing is written");
    write_recording_file(command.record_path, set.recording, out);
    out << skipped_text(set);
    if (!stopped.empty())
        throw Failure(fmt::format("{}: {} has those, and 'warplens merge' joins it with the rest", stopped,
                                  printable(command.record_path)));
}

}  // namespace warplens
