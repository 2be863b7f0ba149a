#pragma once

#include "app/model/catalogue.h"

#include <string>
#include <vector>

namespace warplens {

/// Identifies the kernel that a setting launches, as far as is possible without CUDA: equal for settings that
/// launch the same kernel (kernels/replay/program.h; for scenarios with a kernel written for them, all their
/// choices). The few kernels that depend on more, such as a footprint, are found by trying: see
/// app/experiment/kernel_table.h.
std::string kernel_key(const Scenario& scenario, const Params& params);

/// Settings that launch each kernel of a scenario at least once: the defaults, the presets, one setting for
/// each key that some combination of choices has, and the smallest and largest value of every other knob.
std::vector<Params> kernel_settings(const Scenario& scenario);

}  // namespace warplens
