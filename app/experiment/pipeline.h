#pragma once

#include "app/experiment/evidence.h"
#include "app/pictures/plot/curve.h"

#include <string>
#include <vector>

namespace warplens {

/// The plot of a state, without measured points, which callers add. Its axis is State::axis; without one the
/// curve is empty.
Curve model_curve(const State& state, const std::vector<DeviceFacts>& devices, const Prediction& here);

/// All values of a knob, in the order of an axis.
std::vector<int> axis_values(const Knob& knob, const Params& params);

/// The values at which a plot has a point: all if there are at most 65, otherwise evenly spaced ones.
std::vector<int> plot_values(const Knob& knob, const Params& params);

/// The position of a field's value on the axis: 2^k for powers of two, otherwise the value itself.
double axis_position(const Knob& knob, int field_value);

/// Cycles against wavefronts over every setting of the state's scenario that has been timed by the loop of
/// kernels/timing/shared_time.cuh.
/// @param device          the GPU by whose rules wavefronts are counted: the measured one, if there is one
/// @param measured_on     where the measurements come from
/// @param no_measurement  why there is no measurement. Empty if there is one.
FitPlot bank_fit(const State& state, const Measurements& measurements, const DeviceFacts& device,
                 const MeasuredOn& measured_on, const std::string& no_measurement);

}  // namespace warplens
