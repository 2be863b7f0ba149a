#include "app/model/local.h"

#include <algorithm>
#include <array>
#include <bit>

namespace warplens {
namespace {

constexpr std::uint64_t kWord = 4;
constexpr int kSectorLanes = kSectorBytes / static_cast<int>(kWord);

}  // namespace

WarpAccess interleave_local(const WarpAccess& access) {
    WarpAccess placed = access;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        const std::uint64_t word = access.byte_address[lane] / kWord,
                            inside = access.byte_address[lane] % kWord;
        placed.byte_address[lane] = (word * kWarpLanes + static_cast<std::uint64_t>(lane)) * kWord + inside;
    }
    return placed;
}

SectorCount count_local(const WarpAccess& access) {
    if (access.active == 0) return {};
    if (access.bytes_per_lane <= static_cast<int>(kWord)) return count_sectors(interleave_local(access), {});
    std::array<std::uint64_t, 4 * kWarpLanes> sectors;  // of all words, sorted; four of them are a line
    auto end = sectors.begin();
    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint64_t first = access.byte_address[lane] / kWord,
                            words = static_cast<std::uint64_t>(access.bytes_per_lane) / kWord;
        for (std::uint64_t word = first; word < first + words; ++word)
            *end++ = word * kSectorsPerLine + static_cast<std::uint64_t>(lane / kSectorLanes);
    }
    std::sort(sectors.begin(), end);
    end = std::unique(sectors.begin(), end);
    SectorCount count{.requests = 1, .sectors = static_cast<int>(end - sectors.begin())};
    end = std::unique(sectors.begin(), end, [](std::uint64_t a, std::uint64_t b) {
        return a / kSectorsPerLine == b / kSectorsPerLine;
    });
    count.lines = static_cast<int>(end - sectors.begin());
    count.bytes_used = std::popcount(access.active) * access.bytes_per_lane;
    count.ideal_sectors = (count.bytes_used + kSectorBytes - 1) / kSectorBytes;
    count.bytes_moved = count.sectors * kSectorBytes;
    return count;
}

}  // namespace warplens
