#pragma once

#include "app/cli/options.h"

#include <ostream>

namespace warplens {

/// `warplens scenarios`: all scenarios with their knobs, units, ranges, defaults and meanings.
void run_scenarios(const ScenariosCommand& command, std::ostream& out);

}  // namespace warplens
