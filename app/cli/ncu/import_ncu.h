#pragma once

#include "app/cli/options.h"

#include <istream>
#include <ostream>

namespace warplens {

/// `warplens import-ncu`: nothing is written unless the whole file is good.
/// @param input  what "-" reads.
/// Errors: UsageError for a file that is none of Nsight Compute's, an unknown scenario, knob, device or
/// launch, a scenario that has no counters to compare, an unwritable output.
void run_import_ncu(const ImportNcuCommand& command, std::istream& input, std::ostream& out);

}  // namespace warplens
