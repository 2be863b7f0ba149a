#pragma once

#include "kernels/warp_access.h"

#include <cstdint>

namespace warplens {

/// What an exchange between lanes does, told by who takes whose value.
struct Exchange {
    int active = 0;        ///< lanes that take part
    int moved = 0;         ///< lanes that take another lane's value
    int sources = 0;       ///< different lanes whose values are taken
    int undefined = 0;     ///< lanes that take the value of a lane that is not active
    int exclusive_or = 0;  ///< above 0: every active lane i takes from i ^ exclusive_or
    int step = 0;          ///< not 0: every lane that takes another's value takes from i + step
    int first_source = 0;  ///< lane whose value the first active lane takes
};
/// The lane whose value a lane takes.
constexpr int source_lane(const WarpAccess& access, int lane) {
    return static_cast<int>(access.byte_address[static_cast<std::size_t>(lane)] / 4 % kWarpLanes);
}
Exchange describe_exchange(const WarpAccess& access);

}  // namespace warplens
