#include "app/pictures/access/access_picture.h"
#include "kernels/scenarios/shared_matrix_load.h"

#include <algorithm>

namespace warplens {
namespace {

bool has_knob(const Scenario& scenario, int Params::*field) {
    const auto& knobs = scenario.info->knobs;
    return std::any_of(knobs.begin(), knobs.end(), [field](const Knob& knob) { return knob.field == field; });
}

/// ldmatrix moves chunks of 16 bytes, so its tile is counted in chunks, not in elements.
TileShape chunks_of_tile(const Params& p) {
    return {.width = SharedMatrixLoad::row_chunks(p),
            .height = SharedMatrixLoad::kRows,
            .padding = p.padding,
            .element_bytes = SharedMatrixLoad::kChunkBytes,
            .swizzle_bits = p.swizzle_bits,
            .swizzle_base = 0,
            .swizzle_shift = SharedMatrixLoad::swizzle_shift(p)};
}

bool is_made_without_padding(const Scenario& scenario, Params params, const Instruction& instruction) {
    params.padding = 0;
    for (int i = 0; i < scenario.instruction_count(params); ++i) {
        if (scenario.instruction(params, i).label == instruction.label) return true;
    }
    return false;
}

}  // namespace

// A scenario tells what its tile looks like by the knobs it has, so most need no line here.
TileShape tile_shape(const Scenario& scenario, const Params& params, const Instruction& instruction) {
    if (instruction.space != Space::shared) return {};
    if (instruction.op == Op::load_matrix) return chunks_of_tile(params);
    TileShape tile{.element_bytes = instruction.bytes_per_lane / instruction.joined,
                   .made_without_padding = is_made_without_padding(scenario, params, instruction)};
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
