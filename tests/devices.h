#pragma once

#include "app/experiment/devices.h"

#include <vector>

namespace warplens::test {

/// The GPUs that the program knows, read once.
inline const std::vector<DeviceFacts>& table() {
    static const std::vector<DeviceFacts> devices = device_table();
    return devices;
}

}  // namespace warplens::test
