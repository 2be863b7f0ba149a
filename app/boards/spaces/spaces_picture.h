#pragma once

#include "app/model/device/spaces.h"
#include "app/pictures/kit/canvas.h"

namespace warplens {

/// The table of memory spaces: a row each, coloured by how far it lies from the arithmetic units, with a bar
/// for its latency on a logarithmic scale. Where there is too little room the least important columns are
/// left out; every row and cell has a tooltip with what the table leaves out, and leads to a scenario.
/// @param style  its size from 600 x 400 points on.
Picture draw_spaces(const SpacesTable& table, const Style& style);

/// Colour of a closeness on this theme's panels; contrast of at least 3 to 1.
Color closeness_color(Closeness closeness, const Theme& theme);

/// Where a latency stands along its bar, 0 to 1: logarithmic from 1 to 1000 cycles.
float latency_position(double cycles);

}  // namespace warplens
