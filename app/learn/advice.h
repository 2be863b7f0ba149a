#pragma once

#include "app/model/catalogue.h"
#include "app/model/device/device.h"

#include <optional>
#include <string>
#include <vector>

namespace warplens {

/// The knobs that matter most, for a talk and for advice: those in which the scenario's stops differ, then
/// those that a plot goes along. None that only choose what is shown.
std::vector<const Knob*> main_knobs(const Scenario& scenario);

/// One change that makes the accesses of a setting cheaper.
struct Advice {
    std::string text;  ///< "Try Padding 1: 32 to 1 wavefronts"
    Params params;     ///< the setting with that change
};

/// The change of one main knob after which the pictured requests need the fewest wavefronts and sectors
/// beyond the ideal; of equal ones the first knob, and its nearest value, or the choice that
/// is predicted to be fastest. At most 65 values of a knob are tried.
///
/// It is exact where the counts are. A change that asks for less, so that the ideal itself falls, is none,
/// nor is one by which the launch is predicted to become slower.
/// @param cold  as in Setting
/// @return      empty if nothing is beyond the ideal, or no single change helps.
std::optional<Advice> next_to_try(const Scenario& scenario, const Params& params, const DeviceFacts& device,
                                  bool cold);

}  // namespace warplens
