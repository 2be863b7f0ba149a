#pragma once

#include "app/figures/measurement_writer.h"
#include "app/model/catalogue.h"

#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// Settings in which one knob, or each pair of values of two knobs, varies. All other knobs keep their
/// values.
struct Sweep {
    const Knob* knob = nullptr;  ///< null if there is only one setting
    /// Knobs that depend on a swept one follow into their range. With two knobs the first one moves fastest,
    /// and impossible settings are left out, such as a block of 16 rows of threads in a tile of 8.
    std::vector<Params> settings;
    const Knob* second = nullptr;  ///< null if only one knob varies
};

inline constexpr std::size_t kMostSettings = 1000;

/// Read "key=a..b:step", "key=a..b" or "key" (its whole range). For powers of two a and b are the numbers
/// themselves and a step is a factor of 2; for named choices a step is one name further. An
/// empty text means the one setting. Errors: UsageError for an unknown knob, a value out of range, more than
/// kMostSettings.
Sweep parse_sweep(const Scenario& scenario, const Params& params, std::string_view text);

/// The same for two knobs.
/// @param second  empty if there is no second knob
/// Errors: UsageError as above, for the same knob twice, and for more than kMostSettings in all.
Sweep parse_sweeps(const Scenario& scenario, const Params& params, std::string_view first,
                   std::string_view second);

/// The keys of the knobs that vary: "stride", "stride, element"; empty without a sweep.
std::string swept_keys(const Measurement& measurement);

/// Their values in a setting: "8", "8, 4"; "this setting" without a sweep.
std::string setting_name(const Measurement& measurement, const Params& params);

/// For two knobs what was measured, as a matrix: a row for each value of the second knob and a column for
/// each of the first, with the unit in a line above; "-" where a setting could not be timed or cannot be.
/// Empty with one knob or none.
std::string sweep_matrix(const Measurement& measurement);

/// "fit: cycles = 1.01 x wavefronts + 0.2, R² 0.9998, 33 points\n". Empty if there is no fit.
std::string fit_sentence(const Measurement& measurement);

}  // namespace warplens
