#include "app/cli/ncu/import_ncu.h"

#include "app/base/errors.h"
#include "app/base/output.h"
#include "app/cli/input.h"
#include "app/cli/ncu/ncu_compare.h"
#include "app/cli/ncu/ncu_words.h"
#include "app/cli/ncu/ncu_write.h"
#include "app/experiment/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

namespace warplens {
namespace {

NcuBasis make_basis(const ImportNcuCommand& command) {
    NcuBasis basis;
    basis.device = command.device;
    basis.accesses_path = command.accesses_path;
    if (command.choice.scenario.empty()) return basis;
    basis.scenario = &require_scenario(command.choice.scenario);
    basis.params = apply_settings(*basis.scenario, command.choice.settings);
    if (const std::string_view why = not_comparable(*basis.scenario); !why.empty())
        throw UsageError(fmt::format("{} cannot be compared by counters: {}", command.choice.scenario, why));
    return basis;
}

std::regex compile(const std::string& pattern) {
    try {
        return std::regex(pattern);
    } catch (const std::regex_error&) {
        throw UsageError(fmt::format(
            "--kernel {}: expected a regular expression (ECMAScript), such as 'transpose.*'", pattern));
    }
}

/// The standard library's regular expressions go one call deeper for each character: so much of a name
/// counts.
constexpr std::size_t kLongestName = 1000;

bool contains(const std::string& name, const std::regex& pattern) {
    try {
        return std::regex_search(name.substr(0, kLongestName), pattern);
    } catch (const std::regex_error&) {
        throw UsageError("--kernel: the regular expression takes too long on the names of this file");
    }
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
    const std::regex pattern = compile(command.kernel);
    for (const NcuLaunch& launch : file.launches) {
        const bool fits = command.kernel.empty() || contains(launch.kernel, pattern);
        if (fits && (command.launch.empty() || launch.id == command.launch)) chosen.push_back(&launch);
    }
    if (!chosen.empty()) return chosen;
    const NcuLaunch &first = file.launches.front(), &last = file.launches.back();
    throw UsageError(fmt::format(
        "{}: none of its {} launches is asked for{}{}: their IDs are {} to {}, the first "
        "kernel is {}",
        name, file.launches.size(), command.launch.empty() ? "" : " by --launch " + command.launch,
        command.kernel.empty() ? "" : " by --kernel " + command.kernel, first.id, last.id,
        shown(first.kernel)));
}

std::string answer(const ImportNcuCommand& command, std::istream& input) {
    const NcuBasis basis = make_basis(command);  // mistakes of the command line show at once
    const std::string name = command.path == "-" ? "standard input" : command.path;
    NcuFile file;
    if (command.path == "-") {
        file = read_ncu_csv(input, name);
    } else {
        std::ifstream stream = open_input(command.path);
        file = read_ncu_csv(stream, name);
    }
    auto launches = choose_launches(file, command, name);
    if (basis.scenario != nullptr && command.kernel.empty() && command.launch.empty())
        launches = of_shape(launches, basis);
    const NcuAnswer answer{name, &file, &basis, compare_launches(launches, basis, name)};
    switch (command.format) {
        case ReportFormat::json:
            return ncu_to_json(answer);
        case ReportFormat::csv:
            return ncu_to_csv(answer);
        case ReportFormat::text:
            break;
    }
    return ncu_to_text(answer);
}

}  // namespace

void run_import_ncu(const ImportNcuCommand& command, std::istream& input, std::ostream& out) {
    if (!command.output_path.empty()) check_output(command.output_path);
    const std::string text = command.metrics ? ncu_metric_list() + '\n' : answer(command, input);
    if (command.output_path.empty())
        out << text;
    else
        write_output(command.output_path, text);
}

}  // namespace warplens
