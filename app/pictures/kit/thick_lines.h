#pragma once

#include "app/pictures/kit/picture.h"

namespace warplens {

/// The picture with lines, wires, frames and markers that are thicker, for a room: places and sizes stay.
/// @param factor  1: as it is
Picture with_thick_lines(Picture picture, float factor);

}  // namespace warplens
