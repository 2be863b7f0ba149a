#pragma once

#include "app/base/errors.h"
#include "app/cli/command.h"
#include "app/figures/export_options.h"

#include <fmt/format.h>
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <string>

namespace warplens {

// Options that several commands have. What they write to lives as long as the parsing.

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

/// Write to a file, or to standard output where the path is empty.
/// Errors: UsageError when the file cannot be written.
void write_answer(const std::string& path, const std::string& answer, std::ostream& out);

}  // namespace warplens
