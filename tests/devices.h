#pragma once

#include "app/experiment/devices.h"

#include <string_view>

namespace warplens::test {

/// The GPU of the table with such a name.
inline const DeviceFacts& gpu(std::string_view name) {
    return device_table().at(find_device(device_table(), name).value());
}
inline const DeviceFacts& h200() { return gpu("H200"); }

}  // namespace warplens::test
