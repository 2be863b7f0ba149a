#pragma once

#include "app/base/errors.h"
#include "app/base/input.h"
#include "app/cli/command.h"
#include "app/figures/export_options.h"
#include "kernels/cuda/gpu.h"

#include <fmt/format.h>
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <functional>
#include <string>

namespace warplens {

// Options that several commands have, and what several read, write and measure with. What options are read to
// lives as long as the parsing.

/// An option with the name of its value in the help.
template <class T>
CLI::Option* add_value(CLI::App& app, const char* name, T& value, const char* meaning, const char* type) {
    return app.add_option(name, value, meaning)->type_name(type);
}
/// --set
CLI::Option* add_settings(CLI::App& app, ScenarioChoice& choice);
/// The operand "scenario", and --set.
CLI::Option* add_scenario(CLI::App& app, ScenarioChoice& choice);
/// --device, --bank-mode unless it changes nothing, and --cpu
void add_device(CLI::App& app, DeviceChoice& device, bool bank_mode = true);
/// --cpu
void add_cpu(CLI::App& app, bool& cpu);
/// --json
void add_json(CLI::App& app, bool& json);
/// A command that has no other option: run(json, out).
inline auto json_option(void (*run)(bool json, std::ostream& out)) {
    struct JsonOnly {
        bool json = false;
    };
    return options_of<JsonOnly>([](CLI::App& app, JsonOnly& choice) { add_json(app, choice.json); },
                                [run](const JsonOnly& choice, std::ostream& out) { run(choice.json, out); });
}
/// --json and --csv, one of them at most
void add_report_format(CLI::App& app, ReportFormat& format);
/// --out, in place of standard output
void add_output(CLI::App& app, std::string& path);
/// The options of `export`, or those of them that every figure of `gallery` has.
void add_export_options(CLI::App& app, ExportRequest& request, bool gallery);
/// The one of them with that name, at another command.
CLI::Option* add_export_option(CLI::App& app, ExportRequest& request, std::string_view name);

/// Errors: UsageError "--scale 9: expected 0.5 to 8".
template <class T>
void check_range(const char* option, T value, T least, T most) {
    if (value >= least && value <= most) return;  // also false for NaN
    throw UsageError(fmt::format("{} {}: expected {} to {}", option, value, least, most));
}

/// read(stream, name) of a file, or of `standard` where the path is "-". Errors: as open_input.
template <class Read>
auto read_input(const std::string& path, std::istream& standard, Read read) {
    if (path == "-") return read(standard, std::string("standard input"));
    std::ifstream file = open_input(path);
    return read(file, path);
}

/// Write what `make` returns to a file, or to standard output where the path is empty.
/// Errors: UsageError when the file cannot be written, before anything is made.
void write_answer(const std::string& path, std::ostream& out, const std::function<std::string()>& make);

/// The GPU that a command measures with.
/// @param cpu  whether the person forbade to use a GPU
/// Errors: NoGpu, naming the command.
GpuInfo require_gpu(std::string_view command, bool cpu);

std::string today();  ///< "2026-11-24", in UTC

}  // namespace warplens
