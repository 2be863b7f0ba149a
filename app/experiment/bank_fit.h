#pragma once

#include "app/experiment/measurements.h"
#include "app/experiment/state.h"
#include "app/model/device/device.h"
#include "app/pictures/plot/curve.h"

#include <string>

namespace warplens {

/// Cycles against wavefronts over every setting of the state's scenario that has been timed by the loop of
/// kernels/timing/shared_time.cuh.
/// @param device          the GPU by whose rules wavefronts are counted: the measured one, if there is one
/// @param measured_on     where the measurements come from
/// @param no_measurement  why there is no measurement. Empty if there is one.
FitPlot bank_fit(const State& state, const Measurements& measurements, const DeviceFacts& device,
                 const MeasuredOn& measured_on, const std::string& no_measurement);

}  // namespace warplens
