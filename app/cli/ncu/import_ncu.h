#pragma once

#include "app/cli/command.h"
#include "app/experiment/ncu/ncu_compare.h"

#include <istream>
#include <ostream>
#include <string>
#include <vector>

namespace warplens {

/// The result of `warplens import-ncu`.
struct NcuAnswer {
    std::string file_name;
    const NcuFile* file = nullptr;
    const NcuBasis* basis = nullptr;
    std::vector<ComparedLaunch> launches;
};

/// For people: a table for each launch, facts, differences, a summary.
std::string ncu_to_text(const NcuAnswer& answer);

/// {"schema":1,"program":…,"file":…,"page":…,"compared_with":…,"launches":[…]}, each launch with
///  "counters":[{"metric":…,"name":…,"predicted":…,"kind":…,"counted":…,
///  "verdict":…,"remark":…},…], "missing":[…], "facts":[…], "differences":[…].
///  What is not predicted is null.
std::string ncu_to_json(const NcuAnswer& answer);

/// launch,process,kernel,metric,name,predicted,kind,counted,verdict,remark: one row for each counter.
std::string ncu_to_csv(const NcuAnswer& answer);

/// Compare a profiler's counters with a prediction.
struct ImportNcuCommand {
    std::string path;           ///< "-" for standard input
    ScenarioChoice choice;      ///< what the counters are compared with; no scenario if with none
    std::string accesses_path;  ///< as AnalyzeCommand::path; empty if there is none
    std::string kernel;         ///< a pattern of has_part; empty for all kernels
    std::string launch;         ///< Nsight Compute's number of the launch; empty for all
    std::string device;         ///< as in choose_device; empty for the one that the file names
    ReportFormat format = ReportFormat::text;
    std::string output_path;  ///< empty for standard output
    bool metrics = false;     ///< only print what `ncu --metrics` is to collect
};

/// The options that say what of a file is shown, and beside what.
void add_ncu_options(CLI::App& app, ImportNcuCommand& command);

/// The text about a file that was read.
/// @param device  set: by whose rules the first launch was counted
/// Errors: as run_import_ncu.
std::string answer_of(const NcuFile& file, const std::string& name, const ImportNcuCommand& command,
                      std::string& device);

/// `warplens import-ncu`: nothing is written unless the whole file is good.
/// @param input  what "-" reads.
/// Errors: UsageError for a file that is none of Nsight Compute's, an unknown scenario, knob, device or
/// launch, a scenario that has no counters to compare, an unwritable output.
void run_import_ncu(const ImportNcuCommand& command, std::istream& input, std::ostream& out);

}  // namespace warplens
