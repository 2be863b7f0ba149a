#include "app/pictures/pictures.h"

#include <algorithm>

namespace warplens {
namespace {

bool has_knob(const Scenario& scenario, int Params::*field) {
    const auto& knobs = scenario.info->knobs;
    return std::any_of(knobs.begin(), knobs.end(), [field](const Knob& knob) { return knob.field == field; });
}

}  // namespace

// A scenario tells what its tile looks like by the knobs it has, so a new one needs no line here.
TileShape tile_shape(const Scenario& scenario, const Params& params, const Instruction& instruction) {
    if (instruction.space != Space::shared) return {};
    TileShape tile{.element_bytes = instruction.bytes_per_lane};
    if (has_knob(scenario, &Params::tile)) {
        tile.width = tile.height = params.tile;
    } else if (has_knob(scenario, &Params::width) && has_knob(scenario, &Params::height)) {
        tile.width = params.width;
        tile.height = params.height;
    }
    if (tile.width == 0) return tile;
    const bool variants = has_knob(scenario, &Params::variant);
    const bool padded = !variants || params.variant == static_cast<int>(Variant::padded);
    if (padded && has_knob(scenario, &Params::padding)) tile.padding = params.padding;
    if (has_knob(scenario, &Params::swizzle_bits)) {
        tile.swizzle_bits = params.swizzle_bits;
        tile.swizzle_base = params.swizzle_base;
        tile.swizzle_shift = params.swizzle_shift;
    }
    return tile;
}

}  // namespace warplens
