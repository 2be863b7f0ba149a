#include "app/model/access/local.h"

#include <algorithm>
#include <array>
#include <bit>

namespace warplens {
namespace {

constexpr std::uint64_t kWord = 4;
constexpr int kSectorLanes = kSectorBytes / static_cast<int>(kWord);

/// Counts word by word.
SectorCount count_words(const WarpAccess& access, const SectorRules& rules) {
    SectorCount count;
    WarpAccess word = access;
    word.bytes_per_lane = static_cast<int>(kWord);
    for (int part = 0; part < access.bytes_per_lane; part += static_cast<int>(kWord)) {
        const SectorCount one = count_sectors(interleave_local(word), rules);
        count.requests += one.requests;
        count.sectors += one.sectors;
        count.ideal_sectors += one.ideal_sectors;
        count.transactions += one.transactions;
        count.ideal_transactions += one.ideal_transactions;
        count.lines += one.lines;
        count.bytes_used += one.bytes_used;
        count.bytes_moved += one.bytes_moved;
        for (std::uint64_t& address : word.byte_address) address += kWord;
    }
    return count;
}

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

SectorCount count_local(const WarpAccess& access, const SectorRules& rules) {
    if (access.active == 0) return {};
    if (access.bytes_per_lane <= static_cast<int>(kWord))
        return count_sectors(interleave_local(access), rules);
    if (rules.coalescing != CoalescingRules::sectors) return count_words(access, rules);
    std::array<std::uint64_t, 4 * kWarpLanes> sectors;  // of all words, sorted; four of them form a line
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
    count.transactions = count.sectors;
    count.ideal_transactions = count.ideal_sectors;
    return count;
}

}  // namespace warplens
