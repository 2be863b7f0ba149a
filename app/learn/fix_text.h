#pragma once

#include "app/base/in_steps.h"
#include "app/learn/fix_numbers.h"

#include <vector>

namespace warplens {

/// Tries changes of a typed kernel's text, and counts what they bring.
/// @param devices  with the bank mode of the setting
/// @param now      what the setting takes
/// @return         the change of each part that brings most, and all of them together, the best first
InSteps<std::vector<FixAnswer>> fix_text(Setting setting, std::vector<DeviceFacts> devices, SettingCost now,
                                         Provenance kind);

}  // namespace warplens
