#pragma once

#include "app/pictures/kit/palette.h"
#include "app/pictures/kit/picture.h"
#include "app/pictures/kit/shape_geometry.h"
#include "kernels/trace/trace.h"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace warplens {

/// A heat cell with the colour that its value gives it, for pictures without a trace buffer on the GPU.
/// @param words  of the trace buffer
/// @return       nothing for a cell without a value
inline std::optional<Box> lit_cell(const HeatCell& cell, std::span<const std::uint32_t> words) {
    const std::size_t index = cell.value_index;
    if (cell.value_index < 0 || index >= words.size() || words[index] == kTraceInactive) return std::nullopt;
    const Color full = ramp_color(cell.ramp, ramp_position(float(words[index]), cell.first, cell.max));
    Box box{cell.rect, with_alpha(full, cell.opacity)};
    box.rounding = heat_cell_radius(cell.rect, 1.0f);
    return box;
}

/// The picture with every heat cell lit, for painters without a trace buffer. Cells without a value vanish.
inline Picture with_lit_cells(Picture picture, std::span<const std::uint32_t> words) {
    std::vector<Shape> shapes;
    shapes.reserve(picture.shapes.size());
    for (Shape& shape : picture.shapes) {
        const auto* cell = std::get_if<HeatCell>(&shape);
        if (cell == nullptr)
            shapes.push_back(std::move(shape));
        else if (const std::optional<Box> lit = lit_cell(*cell, words))
            shapes.emplace_back(*lit);
    }
    picture.shapes = std::move(shapes);
    picture.moving.clear();  // they count the shapes that were there
    return picture;
}

}  // namespace warplens
