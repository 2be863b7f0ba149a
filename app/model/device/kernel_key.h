#pragma once

#include "app/model/catalogue.h"

#include <string>
#include <vector>

namespace warplens {

/// Identifies the kernel that a setting launches, without CUDA: equal for settings with the same instructions
/// and the same ScenarioInfo::instance, or the same choices.
std::string kernel_key(const Scenario& scenario, const Params& params);

/// Settings that launch each kernel of a scenario at least once: the defaults, the presets, and one setting
/// for each key that some combination of choices, with any value of one further knob, has.
std::vector<Params> kernel_settings(const Scenario& scenario);

}  // namespace warplens
