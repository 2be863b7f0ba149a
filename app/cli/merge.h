#pragma once

#include "app/cli/options.h"

#include <ostream>

namespace warplens {

/// `warplens merge`: recordings of one GPU model become one.
/// Errors: UsageError for files that are no recordings, for different GPUs, for an unwritable file.
void run_merge(const MergeCommand& command, std::ostream& out);

}  // namespace warplens
