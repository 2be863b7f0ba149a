#include "app/model/sectors.h"

#include "app/model/small_table.h"

#include <algorithm>
#include <bit>

namespace warplens {
namespace {

struct Distinct {
    int elements = 0, sectors = 0, lines = 0;
};

/// The lines that up to 32 lanes touch, with their bytes.
class LineTable {
public:
    /// Count one aligned access.
    void add(std::uint64_t address, Distinct& distinct) {
        bool is_new = false;
        const int slot = lines_.slot_of(address / kLineBytes, is_new);
        if (is_new) first_bytes_[slot] = {};
        // An access is known by its first byte: accesses of one width that start elsewhere never overlap.
        std::uint32_t& sector = first_bytes_[slot][address % kLineBytes / kSectorBytes];
        const std::uint32_t bit = 1u << address % kSectorBytes;
        distinct.lines += is_new;
        distinct.sectors += sector == 0;
        distinct.elements += (sector & bit) == 0;
        sector |= bit;
    }

private:
    SmallTable lines_;
    std::array<std::array<std::uint32_t, kSectorsPerLine>, SmallTable::kSlots> first_bytes_;
};

/// Distinct addresses, sectors and lines of the chosen lanes. Aligned accesses never cross a sector.
Distinct count_distinct(const WarpAccess& access, std::uint32_t lanes) {
    Distinct distinct;
    bool rising = true;
    std::uint64_t last = 0;
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const std::uint64_t address = access.byte_address[std::countr_zero(rest)];
        const bool first = distinct.elements == 0;
        if (!first && address < last) {
            rising = false;
            break;
        }
        distinct.elements += first || address != last;
        distinct.sectors += first || address / kSectorBytes != last / kSectorBytes;
        distinct.lines += first || address / kLineBytes != last / kLineBytes;
        last = address;
    }
    if (rising) return distinct;
    distinct = {};
    LineTable table;
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        table.add(access.byte_address[std::countr_zero(rest)], distinct);
    }
    return distinct;
}

/// CC 1.2 and 1.3. @return  bytes moved.
int bytes_by_segments(const WarpAccess& access, std::uint32_t lanes) {
    const auto width = static_cast<std::uint64_t>(access.bytes_per_lane);
    const std::uint64_t largest = width == 1 ? 32 : width == 2 ? 64 : 128;
    int bytes = 0;
    while (lanes != 0) {
        const std::uint64_t segment = access.byte_address[std::countr_zero(lanes)] / largest;
        std::uint64_t low = ~std::uint64_t{0}, high = 0;
        for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            const std::uint64_t address = access.byte_address[lane];
            if (address / largest != segment) continue;
            low = std::min(low, address);
            high = std::max(high, address + width - 1);
            lanes &= ~(1u << lane);
        }
        std::uint64_t size = largest;
        while (size > 32 && low / (size / 2) == high / (size / 2)) size /= 2;
        bytes += static_cast<int>(size);
    }
    return bytes;
}

/// CC 1.0 and 1.1. @return  bytes moved.
int bytes_if_in_order(const WarpAccess& access, std::uint32_t lanes) {
    const auto width = static_cast<std::uint64_t>(access.bytes_per_lane);
    const int first = std::countr_zero(lanes);
    const std::uint64_t start = access.byte_address[first] - static_cast<std::uint64_t>(first % 16) * width;
    bool in_order = width >= 4 && start % (16 * width) == 0;
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        in_order =
            in_order && access.byte_address[lane] == start + static_cast<std::uint64_t>(lane % 16) * width;
    }
    return in_order ? static_cast<int>(16 * width) : 32 * std::popcount(lanes);
}

int lanes_per_request(const SectorRules& rules, int bytes_per_lane) {
    return rules.lanes_per_request[bytes_per_lane <= 4 ? 0 : bytes_per_lane == 8 ? 1 : 2];
}

}  // namespace

int count_bytes_used(const WarpAccess& access) {
    return count_distinct(access, access.active).elements * access.bytes_per_lane;
}

SectorCount count_sectors(const WarpAccess& access, const SectorRules& rules) {
    SectorCount count;
    const int lanes = lanes_per_request(rules, access.bytes_per_lane);
    const std::uint32_t all = lanes >= kWarpLanes ? kAllLanes : (1u << lanes) - 1;
    for (int first = 0; first < kWarpLanes; first += lanes) {
        const std::uint32_t members = access.active & all << first;
        if (members == 0) continue;
        const Distinct distinct = count_distinct(access, members);
        int sectors = distinct.sectors;
        if (rules.coalescing == CoalescingRules::whole_lines) sectors = distinct.lines * kSectorsPerLine;
        if (rules.coalescing == CoalescingRules::half_warp_segments) {
            sectors = bytes_by_segments(access, members) / kSectorBytes;
        }
        if (rules.coalescing == CoalescingRules::half_warp_aligned) {
            sectors = bytes_if_in_order(access, members) / kSectorBytes;
        }
        const int packed = (std::popcount(members) * access.bytes_per_lane + kSectorBytes - 1) / kSectorBytes;
        ++count.requests;
        count.sectors += sectors;
        count.ideal_sectors += std::min(packed, sectors);
        count.lines += distinct.lines;
        count.bytes_used += distinct.elements * access.bytes_per_lane;
    }
    count.bytes_moved = count.sectors * kSectorBytes;
    return count;
}

SectorReport analyze_sectors(const WarpAccess& access, const SectorRules& rules) {
    SectorReport report{.count = count_sectors(access, rules), .lines = {}};
    std::array<std::uint64_t, kWarpLanes> addresses;
    int n = 0;
    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
        addresses[n++] = access.byte_address[std::countr_zero(rest)];
    }
    std::sort(addresses.begin(), addresses.begin() + n);
    const std::uint32_t bytes = access.bytes_per_lane >= 32 ? ~0u : (1u << access.bytes_per_lane) - 1;
    for (int i = 0; i < n; ++i) {
        const std::uint64_t line = addresses[i] / kLineBytes * kLineBytes;
        if (report.lines.empty() || report.lines.back().byte_address != line)
            report.lines.push_back({line, {}, 0});
        LineUse& use = report.lines.back();
        const auto sector = static_cast<std::size_t>(addresses[i] % kLineBytes / kSectorBytes);
        use.used[sector] |= bytes << (addresses[i] % kSectorBytes);
        use.sectors |= rules.coalescing == CoalescingRules::whole_lines ? 0xfu : 1u << sector;
    }
    return report;
}

}  // namespace warplens
