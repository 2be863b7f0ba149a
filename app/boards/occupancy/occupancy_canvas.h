#pragma once

#include "app/boards/occupancy/occupancy_picture.h"

namespace warplens {

// The parts of the board of occupancy, from top to bottom.
struct OccupancyCanvas {
    Canvas& canvas;
    const OccupancySetting& view;
    const Occupancy& now;
    float names = 0;     ///< width of the column of names at the left [points]
    float outcomes = 0;  ///< width of the column at the right of the bars [points]

    const CapabilityFacts& facts() const { return view.facts; }
    float left() const { return canvas.margin() + names; }
    float right() const { return canvas.style.size.x - canvas.margin(); }
    float width() const { return right() - left(); }
    /// Neighbouring blocks differ; none of the colours means good or bad.
    Color block_color(int block) const;
};

/// A bar for each resource, as long as the SM has of it and divided into what each block gets.
void draw_budgets(const OccupancyCanvas& d, float top, float row);
/// Those that count at this compute capability.
std::vector<Resource> counted_resources(const CapabilityFacts& facts);

/// Height below which the curves are left out [points].
inline constexpr float kLeastCurves = 84;

/// Occupancy against threads, registers and shared memory, side by side.
void draw_occupancy_curves(const OccupancyCanvas& d, Rect place);

}  // namespace warplens
