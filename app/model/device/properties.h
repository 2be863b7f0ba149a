#pragma once

#include "app/model/device/capability.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// A field of cudaDeviceProp, which cudaGetDeviceProperties fills: what this GPU has there, and what it
/// limits.
struct DeviceProperty {
    std::string_view field;   ///< "sharedMemPerBlockOptin"
    std::string value;        ///< as a person reads it: "227 KiB", "1 024"
    std::int64_t number = 0;  ///< as the field has it; 0 for lists
    std::string_view unit;    ///< "bytes", or empty
    std::string_view limits;  ///< one sentence
    std::string_view space;   ///< the row of the table of spaces that it is about ("shared"), or empty
};

/// The fields that limit what a program can ask for, of any GPU of the table. Fields whose value is not known
/// are left out. totalGlobalMem is as the GPU is sold: a driver reports a little less.
/// @param rules  of its compute capability, or null if they are not known.
std::vector<DeviceProperty> device_properties(const DeviceFacts& device, const CapabilityFacts* rules);

}  // namespace warplens
