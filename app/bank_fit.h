#pragma once

#include "app/measurements.h"
#include "app/model/device.h"
#include "app/pictures/fit_plot.h"
#include "app/state.h"

#include <string>

namespace warplens {

/// Cycles against wavefronts over every setting of the state's scenario that has been timed in cycles per
/// request.
/// @param device          whose rules count the wavefronts: the GPU that was measured, if there is one
/// @param measured_gpu    its name; empty: there is none
/// @param no_measurement  why there is none; empty when there is one
FitPlot bank_fit(const State& state, const Measurements& measurements, const DeviceFacts& device,
                 const std::string& measured_gpu, const std::string& no_measurement);

}  // namespace warplens
