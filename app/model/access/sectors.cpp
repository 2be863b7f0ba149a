#include "app/model/access/sectors.h"

#include "app/model/access/progression.h"
#include "app/model/access/small_table.h"

#include <algorithm>

namespace warplens {
namespace {

/// The lines that up to 32 lanes access, with their bytes.
class LineTable {
public:
    /// Count one aligned access.
    void add(std::uint64_t address) {
        bool is_new = false;
        const int slot = lines_.slot_of(address / kLineBytes, is_new);
        if (is_new) first_bytes_[slot] = {};
        // Its first byte identifies an access: accesses of one width that start elsewhere never overlap.
        std::uint32_t& sector = first_bytes_[slot][address % kLineBytes / kSectorBytes];
        const std::uint32_t bit = 1u << address % kSectorBytes;
        line_count_ += is_new;
        sector_count_ += sector == 0;
        address_count_ += (sector & bit) == 0;
        sector |= bit;
    }

    Touched touched() const { return Touched({address_count_, sector_count_, line_count_}); }

private:
    int address_count_ = 0, sector_count_ = 0, line_count_ = 0;
    SmallTable lines_;
    std::array<std::array<std::uint32_t, kSectorsPerLine>, SmallTable::kSlots> first_bytes_;
};

/// Pieces of a power of two bytes that are touched by lanes one step behind the other.
int pieces_by_step(std::uint64_t first, std::uint64_t last, std::uint64_t distance, std::uint64_t bytes) {
    return distance >= bytes ? kWarpLanes : int(last / bytes - first / bytes) + 1;
}

Touched count_scattered(LaneAddresses addresses, std::uint32_t lanes, int bytes_per_lane) {
    std::array<std::uint64_t, kWarpLanes> chosen;
    const std::array<int, 3> sizes = {std::countr_zero(static_cast<unsigned>(bytes_per_lane)),
                                      std::countr_zero(unsigned{kSectorBytes}),
                                      std::countr_zero(unsigned{kLineBytes})};
    const PieceCounts near = count_pieces(addresses_of(addresses, lanes, chosen), sizes);
    if (near.known()) return Touched(near);
    LineTable table;
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
        table.add(addresses[std::countr_zero(rest)]);
    return table.touched();
}

/// Sectors and lines that the chosen lanes touch. Aligned accesses never cross a sector.
Touched count_distinct(const WarpAccess& access, std::uint32_t lanes) {
    if (lanes == 0) return Touched();
    if (const auto step = lanes == kAllLanes ? step_of(access) : std::nullopt) {
        const auto& at = access.byte_address;
        const std::uint64_t first = std::min(at.front(), at.back()), last = std::max(at.front(), at.back()),
                            distance = (last - first) / (kWarpLanes - 1);
        return Touched({distance == 0 ? 1 : kWarpLanes, pieces_by_step(first, last, distance, kSectorBytes),
                        pieces_by_step(first, last, distance, kLineBytes)});
    }
    return count_scattered(access.byte_address, lanes, access.bytes_per_lane);
}

/// CC 1.2 and 1.3: takes the segment of the lowest lane with all lanes in it, and halves it as long as one
/// half contains all of them; then continues with the remaining lanes.
/// @param move  called as move(first byte, bytes, lanes) for each transaction.
template <class Move>
void move_by_segments(const WarpAccess& access, std::uint32_t lanes, Move&& move) {
    const std::uint64_t width = access.bytes_per_lane;
    const std::uint64_t largest = width == 1 ? 32 : width == 2 ? 64 : 128;
    while (lanes != 0) {
        const std::uint64_t segment = access.byte_address[std::countr_zero(lanes)] / largest;
        std::uint64_t low = ~std::uint64_t{0}, high = 0;
        std::uint32_t inside = 0;
        for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            const std::uint64_t address = access.byte_address[lane];
            if (address / largest != segment) continue;
            low = std::min(low, address);
            high = std::max(high, address + width - 1);
            inside |= 1u << lane;
        }
        lanes &= ~inside;
        std::uint64_t size = largest;
        while (size > kSectorBytes && low / (size / 2) == high / (size / 2)) size /= 2;
        move(low / size * size, int(size), inside);
    }
}

/// CC 1.0 and 1.1: one or two transactions for lanes in order in an aligned segment, otherwise one for each
/// lane.
template <class Move>
void move_if_in_order(const WarpAccess& access, std::uint32_t lanes, Move&& move) {
    const std::uint64_t width = access.bytes_per_lane;
    const int first = std::countr_zero(lanes);
    const std::uint64_t start = access.byte_address[first] - static_cast<std::uint64_t>(first % 16) * width;
    bool in_order = width >= 4 && start % (16 * width) == 0;
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        in_order =
            in_order && access.byte_address[lane] == start + static_cast<std::uint64_t>(lane % 16) * width;
    }
    for (std::uint32_t rest = in_order ? 0 : lanes; rest != 0; rest &= rest - 1) {
        const std::uint64_t address = access.byte_address[std::countr_zero(rest)];
        move(address / kSectorBytes * kSectorBytes, kSectorBytes, rest & (~rest + 1));
    }
    if (!in_order) return;
    const std::uint64_t size = std::min<std::uint64_t>(16 * width, kLineBytes);
    for (std::uint64_t at = start; at < start + 16 * width; at += size) {
        const std::uint32_t half = width < 16 ? 0xffffu : at == start ? 0xffu : 0xff00u;
        move(at, int(size), lanes & half << (first / 16 * 16));
    }
}

/// The distinct aligned pieces of one size, in the order of the lanes.
template <class Move>
void move_pieces(const WarpAccess& access, std::uint32_t lanes, int bytes, Move&& move) {
    const auto piece = [&](int lane) { return access.byte_address[lane] / static_cast<unsigned>(bytes); };
    while (lanes != 0) {
        const std::uint64_t first = piece(std::countr_zero(lanes));
        std::uint32_t inside = 0;
        for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            if (piece(lane) == first) inside |= 1u << lane;
        }
        lanes &= ~inside;
        move(first * static_cast<unsigned>(bytes), bytes, inside);
    }
}

/// The lanes that come first in their words: the others have to wait for another turn.
std::uint32_t first_of_words(const WarpAccess& access, std::uint32_t lanes) {
    std::uint32_t first = 0;
    SmallTable words;
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        bool is_new = false;
        words.slot_of(access.byte_address[std::countr_zero(rest)], is_new);
        if (is_new) first |= rest & (~rest + 1);
    }
    return first;
}

/// All transactions of one request.
template <class Move>
void move_request(const WarpAccess& access, std::uint32_t lanes, CoalescingRules rules, Move&& move) {
    if (is_atomic(access.op) && rules == CoalescingRules::sectors) {
        while (lanes != 0) {
            const std::uint32_t turn = first_of_words(access, lanes);
            move_pieces(access, turn, kSectorBytes, move);
            lanes &= ~turn;
        }
        return;
    }
    switch (rules) {
        case CoalescingRules::half_warp_aligned:
            return move_if_in_order(access, lanes, move);
        case CoalescingRules::half_warp_segments:
            return move_by_segments(access, lanes, move);
        case CoalescingRules::whole_lines:
            return move_pieces(access, lanes, kLineBytes, move);
        case CoalescingRules::sectors:
            return move_pieces(access, lanes, kSectorBytes, move);
    }
}

/// The largest transaction.
constexpr int largest_transaction(CoalescingRules rules) {
    return rules == CoalescingRules::sectors ? kSectorBytes : kLineBytes;
}

/// Call visit(lanes) for each request that has an active lane.
template <class Visit>
void for_each_request(const WarpAccess& access, int lanes_each, Visit&& visit) {
    const std::uint32_t all = lanes_each >= kWarpLanes ? kAllLanes : (1u << lanes_each) - 1;
    for (int first = 0; first < kWarpLanes; first += lanes_each) {
        const std::uint32_t lanes = access.active & all << first;
        if (lanes != 0) visit(lanes);
    }
}

int lanes_per_request(const SectorRules& rules, int bytes_per_lane) {
    return rules.lanes_per_request[bytes_per_lane <= 4 ? 0 : bytes_per_lane == 8 ? 1 : 2];
}

constexpr std::uint64_t kWord = 4;
constexpr int kSectorLanes = kSectorBytes / int(kWord);

/// Counts word by word.
SectorCount count_words(const WarpAccess& access, const SectorRules& rules) {
    SectorCount count;
    WarpAccess word = access;
    word.bytes_per_lane = int(kWord);
    for (int part = 0; part < access.bytes_per_lane; part += int(kWord)) {
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

int sectors_in_turns(const WarpAccess& access, std::uint32_t lanes) {
    /// How often the request comes to each piece of one size.
    struct Visits {
        SmallTable pieces;
        std::array<std::uint8_t, SmallTable::kSlots> times;
        int sum = 0;

        int raise(std::uint64_t piece, int to) {
            bool is_new = false;
            const int slot = pieces.slot_of(piece, is_new);
            if (is_new) times[slot] = 0;
            if (to == 0) to = times[slot] + 1;
            if (to <= times[slot]) return times[slot];
            sum += to - times[slot];
            return times[slot] = static_cast<std::uint8_t>(to);
        }
    } words, sectors;
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const std::uint64_t address = access.byte_address[std::countr_zero(rest)];
        const int turn = words.raise(address, 0);
        sectors.raise(address / kSectorBytes, turn);
    }
    return sectors.sum;
}

Touched count_touched(LaneAddresses addresses, std::uint32_t active, int bytes_per_lane) {
    return active == 0 ? Touched() : count_scattered(addresses, active, bytes_per_lane);
}

bool follows_from_touched(const SectorRules& rules) {
    return rules.coalescing == CoalescingRules::sectors &&
           rules.lanes_per_request == SectorRules{}.lanes_per_request;
}

int count_bytes_used(const WarpAccess& access) {
    return count_distinct(access, access.active).addresses() * access.bytes_per_lane;
}

[[gnu::flatten]] SectorCount count_sectors(const WarpAccess& access, const SectorRules& rules) {
    SectorCount count;
    for_each_request(access, lanes_per_request(rules, access.bytes_per_lane), [&](std::uint32_t lanes) {
        const Touched touched = count_distinct(access, lanes);
        const bool in_turns = is_atomic(access.op) && touched.addresses() < std::popcount(lanes);
        int sectors = in_turns ? sectors_in_turns(access, lanes) : touched.sectors();
        int transactions = sectors;
        if (rules.coalescing == CoalescingRules::whole_lines) {
            sectors = touched.lines() * kSectorsPerLine;
            transactions = touched.lines();
        } else if (rules.coalescing != CoalescingRules::sectors) {
            sectors = transactions = 0;
            move_request(access, lanes, rules.coalescing, [&](std::uint64_t, int bytes, std::uint32_t) {
                sectors += bytes / kSectorBytes;
                ++transactions;
            });
        }
        const int bytes = std::popcount(lanes) * access.bytes_per_lane;
        const int largest = largest_transaction(rules.coalescing);
        ++count.requests;
        count.sectors += sectors;
        // Lanes that add to one word could be added up before.
        const int least = in_turns ? touched.sectors() : sectors;
        count.ideal_sectors += std::min((bytes + kSectorBytes - 1) / kSectorBytes, least);
        count.transactions += transactions;
        count.ideal_transactions +=
            std::min((bytes + largest - 1) / largest, in_turns ? least : transactions);
        count.lines += touched.lines();
        count.bytes_used += touched.addresses() * access.bytes_per_lane;
    });
    count.bytes_moved = count.sectors * kSectorBytes;
    return count;
}

SectorReport analyze_sectors(const WarpAccess& access, const SectorRules& rules) {
    SectorReport report{.count = count_sectors(access, rules), .lines = {}, .rules = rules};
    report.lanes_per_request = lanes_per_request(rules, access.bytes_per_lane);
    for_each_request(access, report.lanes_per_request, [&](std::uint32_t lanes) {
        move_request(access, lanes, rules.coalescing, [&](std::uint64_t at, int bytes, std::uint32_t whose) {
            report.transactions.push_back({at, bytes, whose});
        });
    });
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
            report.lines.push_back({line, {}, 0, {}});
        LineUse& use = report.lines.back();
        const std::size_t sector = addresses[i] % kLineBytes / kSectorBytes;
        use.used[sector] |= bytes << (addresses[i] % kSectorBytes);
    }
    for (const Transaction& transaction : report.transactions) {  // none is larger than a line
        const std::uint64_t line = transaction.byte_address / kLineBytes * kLineBytes;
        auto use = std::ranges::lower_bound(report.lines, line, {}, &LineUse::byte_address);
        // CC 1.0 moves 256 bytes for 16-byte accesses even if only one half of the lanes is active.
        if (use == report.lines.end() || use->byte_address != line)
            use = report.lines.insert(use, {line, {}, 0, {}});
        for (int byte = 0; byte < transaction.bytes; byte += kSectorBytes) {
            const std::uint64_t sector =
                (transaction.byte_address + static_cast<unsigned>(byte)) % kLineBytes / kSectorBytes;
            use->sectors |= 1u << sector;
            ++use->times[std::size_t(sector)];
        }
    }
    return report;
}

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
    if (access.bytes_per_lane <= int(kWord)) return count_sectors(interleave_local(access), rules);
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
    SectorCount count{.requests = 1, .sectors = int(end - sectors.begin())};
    end = std::unique(sectors.begin(), end, [](std::uint64_t a, std::uint64_t b) {
        return a / kSectorsPerLine == b / kSectorsPerLine;
    });
    count.lines = int(end - sectors.begin());
    count.bytes_used = std::popcount(access.active) * access.bytes_per_lane;
    count.ideal_sectors = (count.bytes_used + kSectorBytes - 1) / kSectorBytes;
    count.bytes_moved = count.sectors * kSectorBytes;
    count.transactions = count.sectors;
    count.ideal_transactions = count.ideal_sectors;
    return count;
}

}  // namespace warplens
