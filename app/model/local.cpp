#include "app/model/local.h"

namespace warplens {

WarpAccess interleave_local(const WarpAccess& access) {
    constexpr std::uint64_t kWord = 4;
    WarpAccess placed = access;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        const std::uint64_t word = access.byte_address[lane] / kWord,
                            inside = access.byte_address[lane] % kWord;
        placed.byte_address[lane] = (word * kWarpLanes + static_cast<std::uint64_t>(lane)) * kWord + inside;
    }
    return placed;
}

}  // namespace warplens
