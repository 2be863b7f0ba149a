#pragma once

#include "app/cli/options.h"

#include <istream>
#include <ostream>
#include <string>

namespace warplens {

/// Count every row of a file of warp accesses.
/// @param name  of the input, for messages.
/// @return      the whole CSV answer.
/// Errors: UsageError at the first malformed row.
std::string analyze_rows(std::istream& input, const std::string& name, const DeviceFacts& device);

/// `warplens analyze`: nothing is written unless every row is good.
/// @param input  what "-" reads.
/// Errors: UsageError for a malformed or unreadable file, an unknown device, an unwritable output.
void run_analyze(const AnalyzeCommand& command, std::istream& input, std::ostream& out);

}  // namespace warplens
