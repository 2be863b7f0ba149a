#pragma once

#include "app/model/catalogue.h"

#include <string_view>
#include <vector>

namespace warplens {

/// A row of settings of one knob, everything else held.
struct Sweep {
    const Knob* knob = nullptr;    ///< null: one setting only
    std::vector<Params> settings;  ///< knobs that depend on the swept one follow into their range
};

inline constexpr std::size_t kMostSettings = 1000;

/// Read "key=a..b:step", "key=a..b" or "key" (its whole range). For powers of two a and b are the numbers
/// themselves and a step is a factor of 2; for named choices a step is one name further. Empty: the one
/// setting. Errors: UsageError for an unknown knob, a value out of range, more than kMostSettings.
Sweep parse_sweep(const Scenario& scenario, const Params& params, std::string_view text);

}  // namespace warplens
