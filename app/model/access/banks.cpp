#include "app/model/access/banks.h"

#include "app/model/access/pieces.h"
#include "app/model/access/progression.h"
#include "app/model/access/small_table.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <span>

namespace warplens {
namespace {

/// The distinct chunks of one group of lanes, numbered within their columns in the order of the lanes.
class Columns {
public:
    /// Returns the number of the slot's chunk in its column, and counts the chunk if it is new.
    int add(const BankSlot& slot) {
        bool is_new = false;
        const int place = chunks_.slot_of(slot.chunk, is_new);
        if (is_new) numbers_[place] = counts_[slot.column]++;
        return numbers_[place];
    }
    std::uint8_t count(int column) const { return counts_[column]; }

private:
    SmallTable chunks_;
    std::array<std::uint8_t, SmallTable::kSlots> numbers_;
    std::array<std::uint8_t, kMaxBanks> counts_{};
};

bool pairs_equal(const WarpAccess& access, int distance) {
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        const int partner = lane ^ distance;
        const bool both = (access.active >> lane & access.active >> partner & 1u) != 0;
        if (both && access.byte_address[lane] != access.byte_address[partner]) return false;
    }
    return true;
}

int group_size(const WarpAccess& access, const BankRules& rules) {
    const bool wide_load = access.bytes_per_lane >= 8 && access.op == Op::load && rules.merges;
    return merged_lanes_per_group(rules, access.bytes_per_lane, access.op,
                                  wide_load && pairs_equal(access, 1), wide_load && pairs_equal(access, 2));
}

/// CC 1.x: each step serves one broadcast word to all lanes that request it, and one lane per other bank.
/// Which word is broadcast is not documented, so that of the lowest waiting lane is taken. Wide accesses are
/// served 4 bytes at a time.
int count_single_broadcast(const WarpAccess& access, std::uint32_t lanes, int banks,
                           std::array<std::uint8_t, kWarpLanes>* wavefront, int first_wavefront) {
    int steps = 0;
    for (int part = 0; part < access.bytes_per_lane; part += 4) {
        for (std::uint32_t waiting = lanes; waiting != 0; ++steps) {
            const std::uint64_t shared = (access.byte_address[std::countr_zero(waiting)] + part) / 4;
            std::uint32_t busy = 1u << (shared % banks);
            std::uint32_t served = 0;
            for (std::uint32_t rest = waiting; rest != 0; rest &= rest - 1) {
                const int lane = std::countr_zero(rest);
                const std::uint64_t word = (access.byte_address[lane] + part) / 4;
                const std::uint32_t bank = 1u << (word % banks);
                if (word != shared && (busy & bank) != 0) continue;
                busy |= bank;
                served |= 1u << lane;
                if (wavefront != nullptr && part == 0) {
                    (*wavefront)[lane] = static_cast<std::uint8_t>(std::min(first_wavefront + steps, 254));
                }
            }
            waiting &= ~served;
        }
    }
    return steps;
}

/// What is counted in a column: its chunk, or the lane itself where each has a turn of its own.
BankSlot slot_of(const WarpAccess& access, const BankSlot& place, int lane) {
    return shares_words(access.op) ? place : BankSlot{static_cast<std::uint64_t>(lane), place.column};
}

/// The most lanes that meet in a column.
int most_lanes(const WarpAccess& access, const BankAddressing& addressing, std::uint32_t lanes) {
    std::array<int, kMaxBanks> meet{};
    int most = 0;
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
        most = std::max(most, ++meet[addressing.slot(access.byte_address[std::countr_zero(rest)]).column]);
    return most;
}

/// The most distinct chunks that a column has for these lanes.
int most_chunks(const WarpAccess& access, const BankAddressing& addressing, std::uint32_t lanes) {
    std::array<std::uint64_t, kWarpLanes> chosen;
    const std::span<const std::uint64_t> addresses = addresses_of(access.byte_address, lanes, chosen);
    Columns columns;
    int most = 0;
    for (const std::uint64_t address : addresses)
        most = std::max(most, columns.add(addressing.slot(address)) + 1);
    return most;
}

/// The same for lanes that lie one step behind the other, in a group of so many. Nothing where chunks do not
/// follow from the step alone.
std::optional<int> chunks_by_step(std::int64_t step, const BankAddressing& addressing, int lanes) {
    if (addressing.paired_words) return std::nullopt;
    const std::uint64_t distance = step < 0 ? -step : step;
    if (distance >> addressing.chunk_shift == 0) return 1;  // neighbouring chunks, or one
    if ((distance & ((std::uint64_t{1} << addressing.chunk_shift) - 1)) != 0) return std::nullopt;
    const std::uint64_t chunks = distance >> addressing.chunk_shift, all = addressing.column_mask + 1;
    // A step of an odd number times 2^k chunks comes to each 2^k-th column.
    const auto used = int(all / std::min(all, chunks & (~chunks + 1)));
    return (lanes + used - 1) / used;
}

/// CC 1.x serves wide accesses 4 bytes at a time.
constexpr int rounds_of(const WarpAccess& access, const BankRules& rules) {
    return rules.single_broadcast ? std::max(1, access.bytes_per_lane / 4) : 1;
}

constexpr int extra_trips(const WarpAccess& access, const BankRules& rules) {
    return access.bytes_per_lane == 16 ? rules.extra_16 : 0;
}

constexpr std::uint32_t lanes_of_group(int group, int lanes) {
    const std::uint32_t all = lanes >= kWarpLanes ? kAllLanes : (1u << lanes) - 1;
    return all << (group * lanes % kWarpLanes);
}

}  // namespace

[[gnu::flatten]] BankCount count_banks(const WarpAccess& access, const BankRules& rules) {
    const int lanes = group_size(access, rules);
    const BankAddressing addressing = bank_addressing(rules, access.bytes_per_lane);
    const bool shares = shares_words(access.op);
    const std::optional<std::int64_t> step = shares ? step_of(access) : std::nullopt;
    const std::optional<int> by_step = step ? chunks_by_step(*step, addressing, lanes) : std::nullopt;
    const bool by_lane = shares && !by_step && !addressing.paired_words && !rules.single_broadcast;
    const auto most = by_lane ? most_pieces_in_a_column(access, lanes, addressing.chunk_shift,
                                                        static_cast<std::uint32_t>(addressing.column_mask))
                              : std::nullopt;
    BankCount count;
    for (int group = 0; group < kWarpLanes / lanes; ++group) {
        const std::uint32_t members = access.active & lanes_of_group(group, lanes);
        if (members == 0) continue;
        count.ideal += rounds_of(access, rules);
        if (rules.single_broadcast) {
            count.wavefronts += count_single_broadcast(access, members, rules.banks, nullptr, 0);
            continue;
        }
        const int degree = by_step   ? *by_step
                           : most    ? (*most)[group]
                           : !shares ? most_lanes(access, addressing, members)
                                     : most_chunks(access, addressing, members);
        count.wavefronts += degree + extra_trips(access, rules);
    }
    return count;
}

BankReport analyze_banks(const WarpAccess& access, const BankRules& rules) {
    BankReport report{.count = count_banks(access, rules), .lanes_per_group = group_size(access, rules)};
    report.merged = report.lanes_per_group > lanes_per_group(rules, access.bytes_per_lane);
    report.banks = rules.banks;
    report.rounds = rounds_of(access, rules);
    report.groups = kWarpLanes / report.lanes_per_group;
    report.wavefront.fill(kNotServed);
    const int banks_each = banks_per_column(rules, access.bytes_per_lane);
    int before = 0;
    for (int group = 0; group < report.groups; ++group) {
        const std::uint32_t members = access.active & lanes_of_group(group, report.lanes_per_group);
        Columns columns;
        int degree = 0;
        for (std::uint32_t rest = members; rest != 0; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            const int number = columns.add(
                slot_of(access, bank_slot(rules, access.bytes_per_lane, access.byte_address[lane]), lane));
            report.wavefront[lane] = static_cast<std::uint8_t>(before + number);
            degree = std::max(degree, number + 1);
        }
        if (rules.single_broadcast && members != 0) {
            degree = count_single_broadcast(access, members, rules.banks, &report.wavefront, before);
        }
        for (int bank = 0; bank < rules.banks; ++bank) {
            report.words[group][bank] = columns.count(bank / banks_each);
        }
        if (members != 0) degree += extra_trips(access, rules);
        report.group_wavefronts[group] = degree;
        before += degree;
    }
    return report;
}

}  // namespace warplens
