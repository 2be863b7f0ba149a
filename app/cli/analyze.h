#pragma once

#include "app/cli/command.h"
#include "app/model/device/device.h"

#include <istream>
#include <ostream>
#include <string>

namespace warplens {

struct AnalyzeCommand {
    std::string path;         ///< "-" for standard input
    std::string device;       ///< as in choose_device; empty for compute capability 9.0
    std::string output_path;  ///< empty for standard output
};

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
