#pragma once

#include "app/cli/command.h"

#include <istream>
#include <ostream>

namespace warplens {

/// Lay a profiler's counters beside a prediction.
struct ImportNcuCommand {
    std::string path;           ///< "-": standard input
    ScenarioChoice choice;      ///< its scenario empty: no prediction of one
    std::string accesses_path;  ///< as AnalyzeCommand::path; empty: none
    std::string kernel;         ///< regular expression; empty: all kernels
    std::string launch;         ///< Nsight Compute's number of the launch; empty: all
    std::string device;         ///< as in choose_device; empty: as the file says
    ReportFormat format = ReportFormat::text;
    std::string output_path;  ///< empty: standard output
    bool metrics = false;     ///< only print what `ncu --metrics` is to collect
};

/// `warplens import-ncu`: nothing is written unless the whole file is good.
/// @param input  what "-" reads.
/// Errors: UsageError for a file that is none of Nsight Compute's, an unknown scenario, knob, device or
/// launch, a scenario that has no counters to compare, an unwritable output.
void run_import_ncu(const ImportNcuCommand& command, std::istream& input, std::ostream& out);

}  // namespace warplens
