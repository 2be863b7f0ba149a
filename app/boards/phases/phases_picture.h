#pragma once

#include "app/model/access/tile_phases.h"
#include "app/pictures/kit/canvas.h"

#include <string>

namespace warplens {

/// A small tiled matrix product at one step.
struct PhasesView {
    TileProduct product;
    int step = 0;    ///< 0 to phase_steps - 1
    int thread = 0;  ///< of the block, highlighted: 0 to threads - 1
    PhaseMoment moment;
};

/// @param step, thread  in range: clamp_board (app/experiment/state.h).
PhasesView view_phases(const TileProduct& product, int step, int thread);

/// B above C and A at its left, as in figure 4.5 of Kirk and Hwu (draft of chapter 4), in the free corner
/// what shared memory holds, and the table of their figure 4.6: threads down, steps across. Colours are those
/// of threads: of the one that computes an element of C, and of the one that brought an element of A or B.
///
/// Hits: `lane` is a thread of the block, `link` chooses a thread, a block or a step.
Picture draw_phases(const PhasesView& view, const Style& style);

/// Says what happens in the step, and why, with the numbers in it.
Explanation explain_phases(const PhasesView& view);

/// Colour of a thread of a block: the ramp of lanes, stretched over the block's threads.
Color thread_color(const Theme& theme, int thread, int threads);

// Names as the picture writes them; rows first, counted from 0. Threads and blocks as CUDA counts them: x, y.
std::string element_name(std::string_view matrix, multiply::Cell cell);  ///< "A[1,2]"
std::string thread_name(const TileProduct& product, int thread);         ///< "thread (1, 0)"
std::string block_name(int row, int column);                             ///< "block (0, 1)"
/// "phase 2, threads load".
std::string step_name(const PhaseStep& step);

}  // namespace warplens
