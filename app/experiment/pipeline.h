#pragma once

#include "app/experiment/evidence.h"
#include "app/pictures/plot/curve.h"

#include <string>
#include <vector>

namespace warplens {

/// The plot of a state, without measured points: they come from outside. Its axis is State::axis; without one
/// the curve is empty.
Curve model_curve(const State& state, const std::vector<DeviceFacts>& devices, const Prediction& here);

/// Values of a knob in the order of an axis: every setting, all choices, all powers.
std::vector<int> axis_values(const Knob& knob, const Params& params);

/// Those at which a plot has a point: all up to 65 of them, of more an even choice.
std::vector<int> plot_values(const Knob& knob, const Params& params);

/// A value of the field as the axis shows it: 2^k for powers.
double axis_position(const Knob& knob, int field_value);

/// The knobs that are not at their defaults, as a command line would set them: "stride=8, op=load". Empty if
/// all are.
std::string describe_settings(const Scenario& scenario, const Params& params,
                              std::string_view separator = ", ");

}  // namespace warplens
