#pragma once

#include "app/boards/board.h"

// All boards, in the order of the strip above the middle of the window: names of the constants that their
// folders define. The first one is shown at the start.
// clang-format off
#define WARPLENS_BOARDS(board) \
    board(kAccessBoard) \
    board(kTrafficBoard) \
    board(kPhasesBoard) \
    board(kHazardsBoard) \
    board(kOccupancyBoard) \
    board(kFlightBoard) \
    board(kTimelineBoard) \
    board(kRooflineBoard) \
    board(kLadderBoard) \
    board(kSpacesBoard) \
    board(kChooseBoard) \
    board(kWorkedBoard) \
    board(kJourneyBoard) \
    board(kProgramBoard)
// clang-format on

namespace warplens {

#define WARPLENS_DECLARE(name) extern const Board name;
WARPLENS_BOARDS(WARPLENS_DECLARE)
#undef WARPLENS_DECLARE

/// The board that a state shows.
const Board& board_of(const Look& look);

}  // namespace warplens
