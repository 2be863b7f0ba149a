#pragma once

// Plain C++: callers need neither nvcc nor a CUDA header.
#include <string>

namespace warplens {

/// The clocks, temperature and power state of a GPU at the moment, from NVIDIA's management library, which is
/// loaded when it is first needed. They are read, never changed. A number that is not reported is 0, a text
/// empty.
struct GpuConditions {
    double sm_clock_mhz = 0;
    double memory_clock_mhz = 0;
    int power_state = -1;  ///< the P-state, of which 0 is the fastest; -1 if not reported
    double power_watt = 0;
    double temperature_celsius = 0;
    std::string driver;  ///< as in "580.95.05"
};

/// The conditions of the CUDA device that is current on this thread. The call takes a millisecond.
GpuConditions gpu_conditions();

/// Only the SM clock [MHz]; 0 if it is not reported.
double sm_clock_mhz();

}  // namespace warplens
