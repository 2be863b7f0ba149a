#include "app/cli/measure/measure.h"

#include "app/base/errors.h"
#include "app/base/format.h"
#include "app/base/output.h"
#include "app/base/version.h"
#include "app/cli/command_options.h"
#include "app/cli/text_table.h"
#include "app/experiment/evidence.h"
#include "app/experiment/measurements.h"
#include "app/experiment/settings.h"
#include "app/experiment/typed_kernel.h"
#include "app/model/time/bank_loop.h"
#include "app/typed/on_gpu.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace warplens {
namespace {

CountedLaunch count_launch(const Scenario& scenario, const Params& params, const DeviceFacts& device,
                           const ReadCounters& count) {
    if (scenario.typed != nullptr) scenario.typed->count_all(params, device).done();  // what the GPU counts
    CountedLaunch counted{
        .expected = expect_counters(scenario, params, device), .metrics = {}, .outcome = {}};
    counted.metrics = metrics_of(counted.expected, CounterSet::all);
    counted.outcome =
        counted.metrics.empty()
            ? Unavailable{fmt::format("there is nothing to compare: {}", not_comparable(scenario, params))}
            : count({{std::string(scenario.info->id), params}, counted.metrics});
    return counted;
}

TextTable counter_table() { return TextTable({"counter", "expected", "counted", "", ""}); }

void add_counter(TextTable& table, const ExpectedCounter& counter, double counted,
                 const Judgement& judgement) {
    table.add({counter.words->name(),
               fmt::format("{} {:.0f}", provenance_mark(counter.kind), counter.expected),
               fmt::format("{} {:.0f}", provenance_mark(Provenance::measured), counted),
               std::string(verdict_name(judgement.verdict)), std::string(judgement.reason)});
}

/// Each counter beside what is expected of it, and why they differ.
std::string counters_text(const CountedLaunch& counted) {
    if (const auto* why = std::get_if<Unavailable>(&counted.outcome))
        return fmt::format("\nno counters: {}\n", why->reason);
    const auto& reading = std::get<CounterReading>(counted.outcome);
    TextTable table = counter_table();
    for (std::size_t i = 0; i < counted.metrics.size(); ++i) {
        const ExpectedCounter* counter = counted.expected.find(counted.metrics[i]);
        if (counter == nullptr || !reading.values.at(i)) continue;
        add_counter(table, *counter, *reading.values[i],
                    judge_counter(counted.expected, *counter, *reading.values[i]));
    }
    return fmt::format("\n{}counted from a cold L2 in {} passes, {:.0f} ms\n", table.text(), reading.passes,
                       reading.elapsed_ms);
}

/// A kernel that was counted as it is written, beside what the compiler makes of it: that joins accesses,
/// drops or repeats them.
std::string as_compiled_text(const CountedLaunch& counted,
                             const std::variant<CounterReading, Unavailable>& outcome) {
    const auto* written = std::get_if<CounterReading>(&counted.outcome);
    const auto* compiled = std::get_if<CounterReading>(&outcome);
    if (written == nullptr || compiled == nullptr) return {};
    TextTable table({"counter", "as written", "as compiled"});
    bool same = true;
    for (std::size_t i = 0; i < counted.metrics.size(); ++i) {
        const ExpectedCounter* counter = counted.expected.find(counted.metrics[i]);
        const bool exact = counter != nullptr && counter->kind == Provenance::exact;
        if (!exact || !written->values.at(i) || !compiled->values.at(i)) continue;
        if (*written->values[i] == *compiled->values[i]) continue;
        same = false;
        table.add({counter->words->name(), fmt::format("{:.0f}", *written->values[i]),
                   fmt::format("{:.0f}", *compiled->values[i])});
    }
    if (same) return "what the compiler makes of it makes the same accesses\n";
    return "\n" + table.text() + "the compiler joins accesses, drops or repeats them\n";
}

std::string or_dash(double value, std::string text) { return value > 0 ? std::move(text) : std::string("-"); }

std::vector<std::string> timing_cells(const MeasuredSetting& setting, const Timing& timing, bool cycles) {
    const PlottedTiming plotted = plotted_timing(timing, setting.predicted.speed_unit);
    std::vector<std::string> cells{
        fmt::format("{:.2f}", timing.median_us),
        fmt::format("{:.2f}-{:.2f}", timing.lower_us, timing.upper_us),
        fmt::format("{}", timing.repeats),
        or_dash(plotted.median, fmt::format("{:.1f}", plotted.median)),
        or_dash(plotted.median, fmt::format("{:.1f}-{:.1f}", plotted.lower, plotted.upper)),
        or_dash(setting.predicted.value, fmt::format("{:.1f}", setting.predicted.value))};
    if (!cycles) return cells;
    const double measured = timing.bank_cycles;
    cells.push_back(or_dash(measured, fmt::format("{:.2f}", measured)));
    cells.push_back(
        or_dash(measured, fmt::format("{:.2f}-{:.2f}", timing.bank_cycles_lower, timing.bank_cycles_upper)));
    cells.push_back(or_dash(setting.predicted_cycles, fmt::format("{:.2f}", setting.predicted_cycles)));
    return cells;
}

/// In the order of the settings, each once: how it was timed, and why some were not.
std::string remarks(const Measurement& measurement) {
    std::string text;
    bool in_cache = false, method = false;
    for (const MeasuredSetting& setting : measurement.settings) {
        const auto* timing = std::get_if<Timing>(&setting.outcome);
        if (timing == nullptr) continue;
        in_cache = in_cache || (timing->fits_l2 && !timing->cold);
        if (!method && timing->library_us > 0) {
            const bool computes = timing->flop > 0;
            text += fmt::format("{} {} needs {:.2f} us for the same: {:.1f} {}\n",
                                provenance_mark(Provenance::measured), timing->library, timing->library_us,
                                (computes ? timing->flop : timing->useful_bytes) / timing->library_us * 1e-3,
                                computes ? "GFLOP/s" : "GB/s");
        }
        if (!method && !timing->method.empty()) text += timing->method + '\n';
        method = true;
    }
    if (in_cache) text += "*: the footprint fits in the L2, so this measured the cache\n";
    return text;
}

void launch_once(const Scenario& scenario, const Params& params, std::ostream& out) {
    const auto outcome = scenario.typed != nullptr ? typed::GpuKernels().launch_once(scenario, params)
                                                   : TimedKernels().launch_once(scenario.info->id, params);
    if (const auto* none = std::get_if<Unavailable>(&outcome)) throw Failure(none->reason);
    out << fmt::format("{} launched once: {}\n", scenario.info->id, launch_words(scenario, params));
}

/// The copy stores the bytes, so that no request of the warp does; see matrix_ladder.h.
bool copies_asynchronously(const Scenario& scenario, const Params& params) {
    for (int i = 0; i < scenario.instruction_count(params); ++i) {
        const Instruction instruction = scenario.instruction(params, i);
        if (instruction.space == Space::shared && instruction.operand) return true;
    }
    return false;
}

/// Whether a typed kernel accesses on the GPU what the model says. Errors: Failure if it does not.
void compare_addresses(const Scenario& scenario, const Params& params, std::ostream& out) {
    const auto outcome = typed::GpuKernels().compare(scenario, params, 64);
    if (const auto* none = std::get_if<Unavailable>(&outcome)) throw Failure(none->reason);
    const auto& compared = std::get<typed::ComparedAddresses>(outcome);
    out << fmt::format("{} accesses of threads in {}: {} differ between the model and the compiled kernel\n",
                       compared.accesses, counted(compared.blocks, "block"), compared.off);
    if (compared.off > 0) throw Failure(compared.first);
}

/// Prints the counts that CUPTI makes of the addresses of one launch, beside the expected ones.
/// Errors: Failure if nothing could be counted, or if it is not as expected.
void count_addresses(const Scenario& scenario, const Params& params, const GpuInfo& gpu, std::ostream& out) {
    if (scenario.typed != nullptr) return compare_addresses(scenario, params, out);
    if (copies_asynchronously(scenario, params))
        throw Failure(
            fmt::format("the addresses of {} in this setting cannot be counted: CUPTI counts asynchronous "
                        "copies by other rules than loads and stores; measure --counters counts them",
                        scenario.info->id));
    auto devices = device_table();
    const DeviceFacts& device = devices[add_gpu_here(devices, gpu)];
    std::vector<ExpectedCounter> expected = expect_address_counters(scenario, params, device);
    std::erase_if(expected, [](const ExpectedCounter& one) { return sass_metric(*one.words).empty(); });
    if (expected.empty())
        throw Failure(fmt::format("{} has no loads or stores that can be counted alone", scenario.info->id));
    std::vector<std::string> metrics;
    for (const ExpectedCounter& one : expected) metrics.emplace_back(sass_metric(*one.words));
    TimedKernels kernels;
    const auto outcome = kernels.count_addresses(scenario.info->id, params, metrics);
    if (const auto* none = std::get_if<Unavailable>(&outcome)) throw Failure(none->reason);
    TextTable table = counter_table();
    int off = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double counted = std::get<CounterReading>(outcome).values.at(i).value_or(0);
        const Judgement judgement = judge_address_counter(expected[i], counted);
        off += judgement.verdict == Verdict::off;
        add_counter(table, expected[i], counted, judgement);
    }
    out << table.text();
    if (off > 0) throw Failure(fmt::format("{} of {} counters are off", off, expected.size()));
}

/// Refuses to launch a typed kernel that is wrong, or that could not be recorded as asked.
/// Errors: UsageError for what cannot be recorded; Failure for what is wrong with the launch.
void check_typed(const Scenario& scenario, const Params& params, const MeasureCommand& command) {
    if (!command.record_path.empty()) require_recordable(scenario);
    scenario.typed->count_all(params, {}).done();  // all blocks, so that none is launched that does wrong
    if (const std::string problem = scenario.typed->problem(params); !problem.empty()) throw Failure(problem);
}

void add_measure_options(CLI::App& app, MeasureCommand& command) {
    CLI::Option* scenario = add_scenario(app, command.choice);
    add_cpu(app, command.cpu);
    const auto read_sweeps = [&command](const std::vector<std::string>& sweeps) {
        if (sweeps.size() > 2)
            throw UsageError(fmt::format("--sweep {}: at most two parameters can be swept", sweeps[2]));
        command.sweep = sweeps[0];
        if (sweeps.size() > 1) command.second_sweep = sweeps[1];
    };
    CLI::Option* sweep =
        app.add_option_function<std::vector<std::string>>(
               "--sweep", read_sweeps,
               "Time a row of settings of one parameter; without a range: all. Twice, for two: all "
               "with all")
            ->type_name("NAME[=A..B[:STEP]]")
            ->allow_extra_args(false)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    CLI::Option* json = add_value(app, "--json", command.json_path, "Write the results there, too", "FILE");
    add_value(app, "--repeat-limit", command.repeat_limit,
              "At most so many repeats per setting (default 100)", "N");
    add_value(app, "--time-limit", command.time_limit,
              "At most so long per setting (default 0.25, with --all 0.1)", "SECONDS");
    app.add_flag(fmt::format("--{}", kColdKey), command.cold,
                 "Empty the L2 before each timed launch (else each finds what the one before left)");
    add_value(app, "--fetch-granularity", command.fetch_bytes,
              "Bytes that DRAM is asked for when a sector is missing: 32, 64 or 128 (default: as it is)",
              "BYTES");
    CLI::Option* counters = app.add_flag(
        "--counters", command.counters,
        "Read the GPU's hardware counters as well, and lay them beside what is expected of them");
    CLI::Option* once =
        app.add_flag("--once", command.once, "Launch the kernel exactly once and time nothing: for profilers")
            ->excludes(sweep)
            ->excludes(counters);
    CLI::Option* addresses =
        app.add_flag("--addresses", command.addresses,
                     "Count what the addresses of one launch ask for, whatever the warps' timing; exit code "
                     "1 if not all of it is as predicted")
            ->excludes(sweep)
            ->excludes(json)
            ->excludes(counters)
            ->excludes(once);
    CLI::Option* record = add_value(app, "--record", command.record_path,
                                    "Write a recording: a file that the window opens on any machine", "FILE")
                              ->excludes(once)
                              ->excludes(addresses);
    add_value(app, "--note", command.note, "A few words that go into the recording", "TEXT")->needs(record);
    CLI::Option* all = app.add_flag("--all", command.all,
                                    "Record every scenario: defaults, presets and all axes, in some minutes")
                           ->needs(record);
    for (CLI::Option* one : {scenario, sweep, json, once, addresses, counters, app.get_option("--set")})
        all->excludes(one);
    add_value(app, "--part", command.part,
              "Only part I of N, I from 0 to N-1: for array jobs; then 'warplens merge'", "I/N")
        ->needs(all);
}

void check_measure(MeasureCommand& command) {
    check_range("--repeat-limit", command.repeat_limit, 1, 1000000);
    const int fetch = command.fetch_bytes;
    if (fetch != 0 && fetch != 32 && fetch != 64 && fetch != 128)
        throw UsageError(fmt::format("--fetch-granularity {}: expected 32, 64 or 128", fetch));
    check_range("--time-limit", command.seconds_limit(), 0.001, 3600.0);
    if (command.choice.scenario.empty() && !command.all)
        throw UsageError("measure: expected a scenario, or --all; see 'warplens measure --help'");
}

}  // namespace

StopRule rule_of(const MeasureCommand& command) {
    StopRule rule;
    rule.max_repeats = command.repeat_limit;
    rule.min_repeats = std::min(rule.min_repeats, rule.max_repeats);
    rule.max_seconds = command.seconds_limit();
    rule.cold = command.cold;
    return rule;
}

GpuInfo prepare_gpu(const MeasureCommand& command) {
    GpuInfo gpu = require_gpu("measure", command.cpu);
    if (command.fetch_bytes > 0) {
        if (const auto why = set_l2_fetch_granularity(command.fetch_bytes)) throw Failure(why->reason);
        gpu.l2_fetch_granularity_bytes = command.fetch_bytes;
    }
    return gpu;
}

Measurement measure_settings(const MeasureCommand& command, const GpuInfo& gpu, const TimeSetting& time,
                             const ReadCounters& count) {
    const Scenario& scenario = require_kernel(command.choice.scenario, command.choice.kernel);
    const Sweep sweep = parse_sweeps(scenario, apply_settings(scenario, command.choice.settings),
                                     command.sweep, command.second_sweep);
    auto devices = device_table();
    const DeviceFacts device = devices[add_gpu_here(devices, gpu)];
    Measurement measurement{
        &scenario, sweep.knob,  gpu, cuda_versions(), rule_of(command), fmt::format("warplens {}", version()),
        {},        sweep.second};
    for (const Params& params : sweep.settings) {
        measurement.settings.push_back({params, time(params), predict(scenario, params, device, command.cold),
                                        wavefronts_per_request(scenario, params, device)});
        if (command.counters)
            measurement.settings.back().counted = count_launch(scenario, params, device, count);
    }
    return measurement;
}

std::string measurement_text(const Measurement& measurement) {
    const std::string measured(provenance_mark(Provenance::measured)),
        approximate(provenance_mark(Provenance::approximate));
    const bool cycles = std::ranges::any_of(measurement.settings,
                                            [](const MeasuredSetting& s) { return s.predicted_cycles > 0; });
    const std::string_view quantity =
        speed_words(measurement.settings.empty() ? SpeedUnit::gb_per_s
                                                 : measurement.settings.front().predicted.speed_unit)
            .row;
    std::vector<std::string> header{swept_keys(measurement),
                                    measured + " time us",
                                    "quartiles",
                                    "repeats",
                                    fmt::format("{} {}", measured, quantity),
                                    "quartiles",
                                    approximate + " predicted"};
    if (cycles)
        header.insert(header.end(), {measured + " cycles/request", "quartiles", approximate + " predicted"});
    TextTable table(header);
    std::string failed;
    for (const MeasuredSetting& setting : measurement.settings) {
        const std::string name = setting_name(measurement, setting.params);
        if (const auto* timing = std::get_if<Timing>(&setting.outcome)) {
            std::vector<std::string> row{name + (timing->fits_l2 && !timing->cold ? "*" : "")};
            for (std::string& cell : timing_cells(setting, *timing, cycles)) row.push_back(std::move(cell));
            table.add(std::move(row));
        } else {
            failed += fmt::format("{}: not timed: {}\n", name, std::get<Unavailable>(setting.outcome).reason);
        }
    }
    return fmt::format("{} ({}) on {}\n\n{}{}{}{}\n{}", measurement.scenario->info->title,
                       measurement.scenario->info->id, measurement.gpu.name, sweep_matrix(measurement),
                       table.text(), failed, fit_sentence(measurement), remarks(measurement)) +
           fmt::format("{} measured here, now: median   {} approximate: by a formula\n", measured,
                       approximate);
}

void run_measure(const MeasureCommand& command, std::ostream& out) {
    if (command.all) return run_measure_all(command, out);
    const Scenario& scenario = require_kernel(command.choice.scenario, command.choice.kernel);
    const Params params = apply_settings(scenario, command.choice.settings);
    parse_sweeps(scenario, params, command.sweep,
                 command.second_sweep);  // mistakes show before a GPU is started
    if (scenario.typed != nullptr) check_typed(scenario, params, command);
    const GpuInfo gpu = prepare_gpu(command);
    if (command.once) {
        launch_once(scenario, params, out);
        return;
    }
    if (command.addresses) {
        count_addresses(scenario, params, gpu, out);
        return;
    }
    for (const std::string& path : {command.json_path, command.record_path}) {
        if (!path.empty()) check_output(path);
    }
    TimedKernels kernels;
    typed::GpuKernels typed;
    const StopRule rule = rule_of(command);
    const RecordedSession session = begin_session(rule, gpu_conditions(), command.note);
    const bool is_typed = scenario.typed != nullptr;
    Measurement measurement = measure_settings(
        command, gpu,
        [&](const Params& setting) {
            return is_typed ? typed.time(scenario, setting, rule)
                            : kernels.time(scenario.info->id, setting, rule);
        },
        [&](const CountJob& job) {
            return is_typed ? typed.count(scenario, job.setting.params, job.metrics)
                            : kernels.count(job.setting.scenario, job.setting.params, job.metrics);
        });
    for (MeasuredSetting& setting : measurement.settings) {
        if (!is_typed) break;
        const auto kernel = typed.resources(scenario, setting.params);
        if (const auto* known = std::get_if<KernelResources>(&kernel)) setting.kernel = *known;
    }
    if (!command.json_path.empty())
        write_output(command.json_path, measurement_to_json(measurement).dump(2) + '\n');
    out << measurement_text(measurement);
    for (const MeasuredSetting& setting : measurement.settings) {
        if (setting.kernel)
            out << fmt::format("{} registers a thread, {} bytes of local memory, {} blocks on an SM\n",
                               setting.kernel->registers, setting.kernel->local,
                               setting.kernel->blocks_per_sm);
        if (!setting.counted) continue;
        if (measurement.swept != nullptr) out << '\n' << describe_settings(scenario, setting.params);
        out << counters_text(*setting.counted);
        if (is_typed)
            out << as_compiled_text(*setting.counted,
                                    typed.count(scenario, setting.params, setting.counted->metrics, true));
    }
    if (std::ranges::none_of(measurement.settings, [](const MeasuredSetting& s) {
            return std::holds_alternative<Timing>(s.outcome);
        }))
        throw Failure("no setting could be timed: " +
                      std::get<Unavailable>(measurement.settings.front().outcome).reason);
    if (!command.record_path.empty())
        write_recording_file(command.record_path, recording_of(measurement, session), out);
}

CommandEntry measure_command() {
    return {
        "measure", "Time the scenario's kernel on this GPU",
        "measure global-stride --sweep stride=1..32           time it on this GPU\n"
        "  warplens measure --all --record h200.json                     record it for machines without a GPU",
        options_of<MeasureCommand>(add_measure_options, run_measure, check_measure)};
}

}  // namespace warplens
