#pragma once

#include "app/model/catalogue.h"

#include <string>
#include <vector>

namespace warplens {

/// What tells the kernels of a scenario apart, as far as can be said without CUDA: equal for settings that
/// launch the same one (kernels/replay/program.h, and for scenarios with a kernel of their own all their
/// choices). The few that depend on more, such as a footprint, are found by trying: see
/// app/experiment/kernel_table.h.
std::string kernel_key(const Scenario& scenario, const Params& params);

/// Settings that launch each kernel of a scenario at least once: the defaults, the presets, one for each key
/// that some combination of choices leads to, and both ends of every other knob.
std::vector<Params> kernel_settings(const Scenario& scenario);

}  // namespace warplens
