#include "app/base/errors.h"
#include "app/base/output.h"
#include "app/cli/command_options.h"
#include "app/cli/measure/measure.h"
#include "app/cli/text_table.h"
#include "app/experiment/timelines.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <ctime>

namespace warplens {
namespace {

/// The options of `warplens timeline`.
struct TimelineCommand {
    bool measure = false;     ///< on this GPU, instead of what was recorded
    std::string record_path;  ///< also write what was measured there
};

/// Errors: NoGpu, Failure.
TimelineRecording measure_here() {
    const GpuInfo gpu = require_gpu("timeline --measure", false);
    TimelineRecording recording{.gpu = gpu.name, .date = today(), .runs = {}};
    for (int stages = 1; stages <= StagedProduct::kMostStages; ++stages) {
        auto outcome = measure_timeline(stages);
        if (const auto* why = std::get_if<Unavailable>(&outcome)) throw Failure(why->reason);
        recording.runs.push_back(std::move(std::get<Timeline>(outcome)));
        if (!recording.runs.back().right)
            throw Failure(fmt::format("the product with {} is wrong: samples differ from the CPU's",
                                      counted(stages, "stage")));
    }
    return recording;
}

std::string text_of(const TimelineRecording& recording, Provenance kind) {
    TextTable table({"stages", "cycles for a pair of tiles", "waited", "multiplied", "copies issued",
                     "barrier tested", "latency", "block"});
    for (const Timeline& run : recording.runs) {
        const TimelineMeans means = means_of(run);
        const auto whole = [](double cycles) { return fmt::format("{:.0f}", cycles); };
        table.add({std::to_string(run.stages), whole(means.period), whole(means.wait), whole(means.multiply),
                   whole(means.issue), whole(means.test), whole(means.latency), std::to_string(run.cycles)});
    }
    return fmt::format("{} {} on {}, {}\n{}", provenance_mark(kind), provenance_name(kind), recording.gpu,
                       recording.date, table.text());
}

void run_timeline(const TimelineCommand& command, std::ostream& out) {
    if (!command.measure) {
        for (const TimelineRecording& recording : shipped_timelines())
            out << text_of(recording, Provenance::recorded);
        return;
    }
    if (!command.record_path.empty()) check_output(command.record_path);
    const TimelineRecording recording = measure_here();
    out << text_of(recording, Provenance::measured);
    if (!command.record_path.empty()) write_output(command.record_path, write_timelines({&recording, 1}));
}

}  // namespace

CommandEntry timeline_command() {
    return {"timeline", "When one SM fetches, waits for and uses tiles", "",
            options_of<TimelineCommand>(
                [](CLI::App& app, TimelineCommand& command) {
                    CLI::Option* measure =
                        app.add_flag("--measure", command.measure, "On this GPU; without: as recorded");
                    app.add_option("--record", command.record_path, "Write what was measured to a file")
                        ->needs(measure);
                },
                run_timeline)};
}

}  // namespace warplens
