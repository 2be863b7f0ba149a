#pragma once

#include "app/experiment/measurements.h"
#include "app/experiment/state.h"
#include "app/model/device/device.h"
#include "app/pictures/plot/curve.h"

#include <string>
#include <vector>

namespace warplens {

/// Whether a state's plot shows the sectors of a request in place of the speed.
bool plots_sectors(const State& state);
/// Whether a state's plot has two axes.
inline bool has_heatmap(const State& state) { return state.axis != nullptr && state.second_axis != nullptr; }

/// The values at which a plot has a point: all if there are at most 65, otherwise evenly spaced ones.
std::vector<int> plot_values(const Knob& knob, const Params& params);

/// The position of a field's value on the axis: 2^k for powers of two, otherwise the value itself.
double axis_position(const Knob& knob, int field_value);

/// A setting without what does not matter along some axes: their knobs, and those that only choose what is
/// pictured, have their defaults.
Setting along_axes(const Setting& setting, const std::vector<const Knob*>& axes);

/// The question that a plot with one axis answers.
struct AxisQuestion {
    Setting setting;             ///< from along_axes
    const Knob* axis = nullptr;  ///< one of the scenario's
    bool sectors = false;        ///< sectors of a request in place of the speed

    friend bool operator==(const AxisQuestion&, const AxisQuestion&) = default;
};
/// @param state  has an axis
AxisQuestion axis_question(const State& state);

/// The model's answer along an axis.
struct AxisModel {
    std::vector<int> values;         ///< of the axis' field, rising
    std::vector<Prediction> points;  ///< at each value
    std::vector<Prediction> speeds;  ///< at some of the values, if the points are sectors
};
/// The params at a value of the axis.
Params params_at(const Setting& setting, const Knob& axis, int value);
/// Ask the model at these values of the axis' field, of which a typed kernel is executed at each.
AxisModel predict_axis(const AxisQuestion& question, const std::vector<int>& values,
                       const DeviceFacts& device);
/// Some of the values, evenly spread, the ends among them.
std::vector<int> few_of(const std::vector<int>& values);

/// The plot of a state with what the model says of its axis, without measured points. Without an axis it is
/// empty.
/// @param model  null if there is no axis or nothing is known yet
Curve curve_of(const State& state, const AxisModel* model, const Prediction& here, const DeviceFacts& device);

/// The plot of a state, without measured points, which callers add.
Curve model_curve(const State& state, const std::vector<DeviceFacts>& devices, const Prediction& here);

/// Cycles against wavefronts over every setting of the state's scenario that has been timed by the loop of
/// kernels/timing/shared_time.cuh.
/// @param device          the GPU by whose rules wavefronts are counted: the measured one, if there is one
/// @param measured_on     where the measurements come from
/// @param no_measurement  why there is no measurement. Empty if there is one.
FitPlot bank_fit(const State& state, const Measurements& measurements, const DeviceFacts& device,
                 const MeasuredOn& measured_on, const std::string& no_measurement);

}  // namespace warplens
