#pragma once

#include "app/boards/board.h"

namespace warplens {

/// Whether more resident warps would make a launch faster.
enum class MoreWarps {
    help,           ///< it waits, and an SM has room
    no_room,        ///< it waits, and an SM holds no more warps of this kernel
    not_the_limit,  ///< something else takes the time
};

/// Asks the limiter of the prediction, and the room that the registers and the shared memory of this kernel
/// leave in an SM. It is approximate, as the prediction is.
MoreWarps more_warps(const BoardInput& input);

/// "would help", "would help, but an SM has no room for more blocks of this size", "would not help: the limit
/// is DRAM".
std::string more_warps_words(const BoardInput& input);

/// Says what makes room for them where there is none, as Occupancy advises: " Blocks of 128 instead of 64
/// threads give 16 blocks: 64 of 64 warps, 100 %." Empty if nothing does, or nothing has to.
std::string room_for_warps(const BoardInput& input);

/// The row "more warps would help".
Quantity more_warps_quantity(const BoardInput& input);

}  // namespace warplens
