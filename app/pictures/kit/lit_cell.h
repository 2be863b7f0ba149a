#pragma once

#include "app/pictures/kit/palette.h"
#include "app/pictures/kit/picture.h"
#include "app/pictures/kit/shape_geometry.h"
#include "kernels/trace/trace.h"

#include <cstdint>
#include <optional>
#include <span>

namespace warplens {

/// A heat cell with the colour that its value gives it, for pictures without a trace buffer on the GPU.
/// @param words  of the trace buffer
/// @return       nothing for a cell without a value
inline std::optional<Box> lit_cell(const HeatCell& cell, std::span<const std::uint32_t> words) {
    const auto index = static_cast<std::size_t>(cell.value_index);
    if (cell.value_index < 0 || index >= words.size() || words[index] == kTraceInactive) return std::nullopt;
    const Color full =
        ramp_color(cell.ramp, ramp_position(static_cast<float>(words[index]), cell.first, cell.max));
    Box box{cell.rect, with_alpha(full, cell.opacity)};
    box.rounding = heat_cell_radius(cell.rect, 1.0f);
    return box;
}

}  // namespace warplens
