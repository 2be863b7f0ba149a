#pragma once

#include "app/model/device/spaces.h"

namespace warplens {

/// The table of memory spaces of one GPU, from the files that are part of the program.
SpacesTable spaces_of(const DeviceFacts& device);

}  // namespace warplens
