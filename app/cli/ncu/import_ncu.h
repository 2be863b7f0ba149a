#pragma once

#include "app/cli/command.h"

#include <istream>
#include <ostream>

namespace warplens {

/// Compare a profiler's counters with a prediction.
struct ImportNcuCommand {
    std::string path;           ///< "-" for standard input
    ScenarioChoice choice;      ///< what the counters are compared with; no scenario if with none
    std::string accesses_path;  ///< as AnalyzeCommand::path; empty if there is none
    std::string kernel;         ///< a regular expression; empty for all kernels
    std::string launch;         ///< Nsight Compute's number of the launch; empty for all
    std::string device;         ///< as in choose_device; empty for the one that the file names
    ReportFormat format = ReportFormat::text;
    std::string output_path;  ///< empty for standard output
    bool metrics = false;     ///< only print what `ncu --metrics` is to collect
};

/// `warplens import-ncu`: nothing is written unless the whole file is good.
/// @param input  what "-" reads.
/// Errors: UsageError for a file that is none of Nsight Compute's, an unknown scenario, knob, device or
/// launch, a scenario that has no counters to compare, an unwritable output.
void run_import_ncu(const ImportNcuCommand& command, std::istream& input, std::ostream& out);

}  // namespace warplens
