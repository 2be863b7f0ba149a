#pragma once

#include "app/cli/report.h"

namespace warplens {

/// Whether a name on the command line is a file with a kernel: it ends in ".cu".
bool is_kernel_file(std::string_view name);

/// `warplens report my.cu`: what the loads and stores of a kernel that somebody wrote do to memory.
/// Errors: UsageError for a file that cannot be read, for what is not in the subset (with line and column),
/// for knobs that the kernel does not have, for a device that does not exist.
void run_typed_report(const ReportCommand& command, std::ostream& out);

}  // namespace warplens
