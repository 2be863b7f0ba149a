#pragma once

#include "app/experiment/state.h"
#include "app/model/access/tile_phases.h"

namespace warplens {

// The knobs of the board of tile phases. Those that others depend on come first.
inline constexpr BoardKnob kPhasesMatrix{.key = "phases.matrix",
                                         .label = "Matrix",
                                         .unit = "rows",
                                         .tooltip = "Rows and columns of the matrices.",
                                         .min = 2,
                                         .max = 16,
                                         .usual = 4};
inline constexpr BoardKnob kPhasesTile{
    .key = "phases.tile",
    .label = "Tile",
    .unit = "rows",
    .tooltip = "Rows and columns of a tile: a block has as many threads each way. It divides the matrix.",
    .min = 1,
    .max = 8,
    .usual = 2,
    .allows = [](const BoardValues& values, int tile) { return values[kPhasesMatrix] % tile == 0; },
    .idle = "No larger tile divides the matrix."};
inline int last_phases_block(const BoardValues& values) {
    return values[kPhasesMatrix] / values[kPhasesTile] - 1;
}
inline constexpr BoardKnob kPhasesRow{.key = "phases.row",
                                      .label = "Block row",
                                      .tooltip = "Row of the pictured block.",
                                      .min = 0,
                                      .max = 15,
                                      .limit = last_phases_block,
                                      .idle = "One block computes the whole matrix."};
inline constexpr BoardKnob kPhasesColumn{.key = "phases.column",
                                         .label = "Block column",
                                         .tooltip = "Column of the pictured block.",
                                         .min = 0,
                                         .max = 15,
                                         .limit = last_phases_block,
                                         .idle = "One block computes the whole matrix."};
/// The product that is set.
inline TileProduct phases_product(const BoardValues& values) {
    return {.matrix = values[kPhasesMatrix],
            .tile = values[kPhasesTile],
            .block_row = values[kPhasesRow],
            .block_column = values[kPhasesColumn]};
}
inline constexpr BoardKnob kPhasesStep{
    .key = "phases.step",
    .label = "Step",
    .tooltip = "What the player shows.",
    .min = 0,
    .max = 1023,
    .limit = [](const BoardValues& values) { return phase_steps(phases_product(values)) - 1; },
    .on_board = true,
    .played = true};
inline constexpr BoardKnob kPhasesThread{
    .key = "phases.thread",
    .label = "Thread",
    .tooltip = "The thread of the block that is highlighted.",
    .min = 0,
    .max = 63,
    .limit = [](const BoardValues& values) { return phases_product(values).threads() - 1; },
    .idle = "The block has a single thread."};
inline constexpr const BoardKnob* kPhasesKnobs[] = {&kPhasesMatrix, &kPhasesTile, &kPhasesRow,
                                                    &kPhasesColumn, &kPhasesStep, &kPhasesThread};

}  // namespace warplens
