#pragma once

// Plain C++: callers need neither nvcc nor a CUDA header.
#include <string>

namespace warplens {

/// Under which conditions a GPU works at the moment, by NVIDIA's management library, which is loaded when it
/// is first needed. Read, never changed. 0 or empty: not told.
struct GpuConditions {
    double sm_clock_mhz = 0;
    double memory_clock_mhz = 0;
    int power_state = -1;  ///< P-state: 0 is the fastest; -1: not told
    double power_watt = 0;
    double temperature_celsius = 0;
    std::string driver;  ///< "580.95.05"
};

/// Of the CUDA device that is current on this thread. Takes a millisecond.
GpuConditions gpu_conditions();

/// Only the SM clock [MHz]; 0: not told.
double sm_clock_mhz();

}  // namespace warplens
