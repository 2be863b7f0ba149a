#include "app/base/errors.h"
#include "app/base/output.h"
#include "app/cli/command.h"
#include "app/cli/command_options.h"
#include "app/cli/measure/measure.h"
#include "app/experiment/typed_kernel.h"

#include <fmt/format.h>

namespace warplens {
namespace {

struct MergeCommand {
    std::vector<std::string> paths;
    std::string output_path;
};

void run_merge(const MergeCommand& command, std::ostream& out) {
    check_output(command.output_path);
    std::vector<NamedRecording> recordings;
    std::string remarks;
    for (const std::string& path : command.paths) {
        ReadRecording read = open_recording(path, open_kernel);
        if (!read.skipped.empty()) remarks += fmt::format("{}: {}\n", path, read.skipped);
        recordings.push_back({path, std::move(read.recording)});
    }
    const MergedRecording merged = merge_recordings(recordings);
    if (merged.recording.series.empty())
        throw UsageError(fmt::format("there is nothing in these recordings to merge{}{}",
                                     remarks.empty() ? "" : ": ",
                                     remarks.substr(0, remarks.find_last_not_of('\n') + 1)));
    write_recording_file(command.output_path, merged.recording, out);
    if (merged.replaced > 0)
        out << fmt::format("{} {} more than once: the later one was kept\n", merged.replaced,
                           merged.replaced == 1 ? "setting was there" : "settings were there");
    out << remarks;
}

}  // namespace

CommandEntry merge_command() {
    const auto declare = [](CLI::App& app, MergeCommand& command) {
        add_value(app, "files", command.paths, "The recordings; of a setting twice the later one counts",
                  "FILE...")
            ->required();
        add_value(app, "--out", command.output_path, "The recording that they become", "FILE")->required();
    };
    return {"merge", "Join recordings of one GPU model", "", options_of<MergeCommand>(declare, run_merge)};
}

}  // namespace warplens
