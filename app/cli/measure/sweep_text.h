#pragma once

#include "app/figures/measurement_writer.h"

#include <string>

namespace warplens {

/// What the settings of a sweep are told apart by: "stride", "stride, element"; empty without a sweep.
std::string swept_keys(const Measurement& measurement);

/// One of them: "8", "8, 4"; "this setting" without a sweep.
std::string setting_name(const Measurement& measurement, const Params& params);

/// Two knobs: what was measured as a matrix, a row for each value of the second knob and a column for each of
/// the first, with the unit in a line above; "-" where a setting could not be timed or cannot be. Empty with
/// one knob or none.
std::string sweep_matrix(const Measurement& measurement);

/// "fit: cycles = 1.01 x wavefronts + 0.2, R² 0.9998, 33 points\n"; empty: there is none.
std::string fit_sentence(const Measurement& measurement);

}  // namespace warplens
