#pragma once

#include "app/cli/command.h"
#include "app/experiment/evidence.h"

#include <ostream>

namespace warplens {

struct ReportCommand {
    ScenarioChoice choice;
    DeviceChoice device;
    ReportFormat format = ReportFormat::text;
    bool map = false;  ///< the grid in cells as well, in text and JSON
};

/// `warplens report`: what a warp, a block and the grid do to memory, and how fast that is predicted to be.
/// Errors: UsageError for a scenario, knob, value or device that does not exist.
void run_report(const ReportCommand& command, std::ostream& out);

/// The same of a setting whose numbers are known already.
void write_report(const Evidence& evidence, const DeviceFacts& device, ReportFormat format,
                  std::ostream& out);

}  // namespace warplens
