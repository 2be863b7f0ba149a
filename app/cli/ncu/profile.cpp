#include "app/base/errors.h"
#include "app/base/process.h"
#include "app/base/temporary_folder.h"
#include "app/cli/command_options.h"
#include "app/cli/ncu/import_ncu.h"
#include "app/cli/run.h"

#include <fmt/format.h>

#include <unistd.h>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace warplens {
namespace {

namespace fs = std::filesystem;

/// The options of `warplens profile`.
struct ProfileCommand {
    std::string program;
    std::vector<std::string> arguments;
    int launches = 100;  ///< that are profiled at most
    std::string keep;    ///< where what ncu printed is kept; empty for nowhere
    bool window = false;
    ImportNcuCommand shown;
};

/// A profiled program takes as long as it takes.
constexpr std::chrono::hours kAtMost{24 * 365};

std::string require_ncu() {
    std::string ncu = find_program("ncu", {"/usr/local/cuda/bin", "/opt/nvidia/nsight-compute"});
    if (ncu.empty())
        throw Failure(
            "ncu is not found on the PATH: it is NVIDIA's Nsight Compute and comes with the CUDA toolkit or from "
            "developer.nvidia.com/nsight-compute; what it printed on another machine is read by 'warplens import-ncu'");
    return ncu;
}

/// A file that can be executed. One without a folder is the one here before one on the PATH, as people mean
/// it.
std::string require_program(const std::string& name) {
    std::error_code ignored;
    std::string path = fs::is_regular_file(name, ignored) ? fs::absolute(name).string() : find_program(name);
    if (!fs::is_regular_file(path, ignored) || access(path.c_str(), X_OK) != 0)
        throw UsageError(fmt::format("profile {}: there is no program of this name that can be run", name));
    return path;
}

/// @return  the file with the table: ncu's own, or, where it did not begin one, all that was printed
std::string profile(const ProfileCommand& command, const std::string& folder) {
    const std::string table = folder + "/counters.csv", said = folder + "/said.txt";
    const std::string program = require_program(command.program);  // before ncu: it is nearer to the person
    std::vector<std::string> words{require_ncu()};
    // At the clocks at which the program runs alone, as times are predicted.
    for (const char* option : {"--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none"})
        words.emplace_back(option);
    const std::string launches = std::to_string(command.launches);
    words.insert(words.end(), {"--launch-count", launches, "--metrics", ncu_metric_list()});
    words.insert(words.end(), {"--log-file", table, program});
    words.insert(words.end(), command.arguments.begin(), command.arguments.end());
    run_program(words, said, kAtMost, {}, false);
    std::error_code ignored;
    return fs::exists(table, ignored) && !fs::is_empty(table, ignored) ? table : said;
}

void open_table(const ProfileCommand& command, const std::string& table, std::ostream& out) {
    std::vector<std::string> words{table};
    if (!command.shown.device.empty()) words.insert(words.end(), {"--device", command.shown.device});
    if (!command.shown.accesses_path.empty())
        words.insert(words.end(), {"--beside", command.shown.accesses_path});
    std::istringstream none;
    parse_command_line(words).run(none, out);
}

void run_profile(const ProfileCommand& command, std::istream&, std::ostream& out) {
    for (const std::string& path : {command.keep, command.shown.output_path})
        if (!path.empty()) check_output(path);
    const TemporaryFolder folder;
    const std::string table = profile(command, folder.path());
    const std::string name = fs::path(command.program).filename().string();
    try {
        std::ifstream input = open_input(table);
        const NcuFile file = read_ncu_csv(input, name);
        if (!command.keep.empty()) write_output(command.keep, contents_of(table));
        if (command.window) return open_table(command, table, out);
        std::string device;
        write_answer(command.shown.output_path, out,
                     [&] { return answer_of(file, name, command.shown, device); });
    } catch (const UsageError& problem) {
        if (table.ends_with(".csv")) throw;
        throw Failure(problem.what());
    }
}

}  // namespace

CommandEntry profile_command() {
    const auto declare = [](CLI::App& app, ProfileCommand& command) {
        add_value(app, "program", command.program, "The program whose kernels are profiled", "FILE")
            ->required();
        app.add_option("arguments", command.arguments, "Its arguments, behind --");
        add_value(app, "--launches", command.launches, "Profile so many launches at most (default 100)", "N");
        add_value(app, "--keep", command.keep, "Keep what ncu printed there, for 'import-ncu'", "FILE");
        app.add_flag("--window", command.window, "Open the window with the counters");
        add_ncu_options(app, command.shown);
    };
    const auto check = [](ProfileCommand& command) { check_range("--launches", command.launches, 1, 10000); };
    return {"profile", "Run a program under Nsight Compute and show its counters",
            "profile ./a.out -- 4096                              counters of a program of your own",
            options_of<ProfileCommand>(declare, run_profile, check)};
}

}  // namespace warplens
