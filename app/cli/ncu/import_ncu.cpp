#include "app/cli/ncu/import_ncu.h"

#include "app/base/errors.h"
#include "app/base/text.h"
#include "app/cli/analyze.h"
#include "app/cli/command_options.h"
#include "app/experiment/settings.h"

#include <fmt/format.h>

namespace warplens {
namespace {

NcuBasis make_basis(const ImportNcuCommand& command) {
    NcuBasis basis;
    basis.device = command.device;
    basis.accesses_path = command.accesses_path;
    if (command.choice.scenario.empty()) return basis;
    basis.scenario = &require_scenario(command.choice.scenario);
    basis.params = apply_settings(*basis.scenario, command.choice.settings);
    if (const std::string_view why = not_comparable(*basis.scenario, basis.params); !why.empty())
        throw UsageError(fmt::format("{} cannot be compared by counters: {}", command.choice.scenario, why));
    return basis;
}

/// Launches with the scenario's own grid and block: beside the kernel of interest, a program launches others
/// that fill its buffers. All of them where none has that shape.
std::vector<const NcuLaunch*> of_shape(const std::vector<const NcuLaunch*>& launches, const NcuBasis& basis) {
    std::vector<const NcuLaunch*> alike;
    for (const NcuLaunch* launch : launches) {
        if (has_shape_of(*launch, basis)) alike.push_back(launch);
    }
    return alike.empty() ? launches : alike;
}

std::vector<const NcuLaunch*> choose_launches(const NcuFile& file, const ImportNcuCommand& command,
                                              const std::string& name) {
    std::vector<const NcuLaunch*> chosen;
    for (const NcuLaunch& launch : file.launches) {
        const bool fits = has_part(launch.kernel, command.kernel);
        if (fits && (command.launch.empty() || launch.id == command.launch)) chosen.push_back(&launch);
    }
    if (!chosen.empty()) return chosen;
    const NcuLaunch &first = file.launches.front(), &last = file.launches.back();
    throw UsageError(fmt::format(
        "{}: none of its {} launches is asked for{}{}: their IDs are {} to {}, the first "
        "kernel is {}",
        name, file.launches.size(), command.launch.empty() ? "" : " by --launch " + command.launch,
        command.kernel.empty() ? "" : " by --kernel " + command.kernel, first.id, last.id,
        in_quotes(first.kernel)));
}

/// @param device  set: by whose rules the accesses of the first launch were counted
std::string answer(const ImportNcuCommand& command, std::istream& input, std::string& device) {
    make_basis(command);  // mistakes of the command line show at once
    return read_input(command.path, input, [&](std::istream& stream, const std::string& name) {
        return answer_of(read_ncu_csv(stream, name), name, command, device);
    });
}

}  // namespace

std::string answer_of(const NcuFile& file, const std::string& name, const ImportNcuCommand& command,
                      std::string& device) {
    const NcuBasis basis = make_basis(command);
    auto launches = choose_launches(file, command, name);
    if (basis.scenario != nullptr && command.kernel.empty() && command.launch.empty())
        launches = of_shape(launches, basis);
    const NcuAnswer answer{name, &file, &basis, compare_launches(launches, basis, name)};
    device = answer.launches.front().device;
    if (command.format == ReportFormat::json) return ncu_to_json(answer);
    return command.format == ReportFormat::csv ? ncu_to_csv(answer) : ncu_to_text(answer);
}

void add_ncu_options(CLI::App& app, ImportNcuCommand& command) {
    CLI::Option* scenario =
        add_value(app, "--scenario", command.choice.scenario, "Predict as this scenario", "ID");
    add_settings(app, command.choice)
        ->needs(scenario)
        ->description("Set a parameter of the scenario, as in 'report'");
    add_value(app, "--analyze", command.accesses_path,
              "Predict from warp accesses, as 'analyze' takes them: a row is a request", "FILE")
        ->excludes(scenario);
    add_value(app, "--kernel", command.kernel,
              "Only kernels whose name has this part; * stands for any text, ? for one character", "NAME");
    add_value(app, "--launch", command.launch, "Only the launch with this ID", "N");
    add_value(app, "--device", command.device, "Count by the rules of this compute capability or GPU",
              "NAME|CC");
    add_report_format(app, command.format);
    add_output(app, command.output_path);
}

void run_import_ncu(const ImportNcuCommand& command, std::istream& input, std::ostream& out) {
    std::string device;
    if (!command.metrics && names_a_picture(command.output_path)) {
        if (command.accesses_path.empty())
            throw UsageError(fmt::format(
                "import-ncu --out {}: a picture shows the worst recorded request: name their file with --analyze",
                command.output_path));
        out << answer(command, input, device);
        ViewCommand view{.path = command.accesses_path, .device = device};
        view.figure.output_path = command.output_path;
        return run_view(view, input, out);
    }
    write_answer(command.output_path, out,
                 [&] { return command.metrics ? ncu_metric_list() + '\n' : answer(command, input, device); });
}

CommandEntry import_ncu_command() {
    const auto declare = [](CLI::App& app, ImportNcuCommand& command) {
        add_value(app, "file", command.path, "What ncu printed; - is standard input", "FILE");
        add_ncu_options(app, command);
        app.add_flag("--metrics", command.metrics, "Print what to hand to ncu --metrics, and stop");
    };
    const auto check = [](ImportNcuCommand& command) {
        if (command.path.empty() && !command.metrics)
            throw UsageError("import-ncu needs the file that ncu printed; see 'warplens import-ncu --help'");
    };
    return {
        "import-ncu", "Counters of Nsight Compute, explained and beside their prediction",
        "import-ncu counters.csv --scenario transpose         a profiler's counters beside the prediction",
        options_of<ImportNcuCommand>(declare, run_import_ncu, check)};
}

}  // namespace warplens
