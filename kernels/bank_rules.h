#pragma once

#include "kernels/host_device.h"
#include "kernels/warp_access.h"

#include <cstdint>

namespace warplens {

/// How shared memory serves one request, as numbers, so that the model and the kernels apply one rule.
///
/// The lanes of a request are served in groups. Within a group every lane requests one *chunk*: the word that
/// its address lies in, or for wide accesses the 8 or 16 bytes. A chunk lies in one *column*: one bank, or
/// the 2 or 4 neighbouring banks that it fills. In each wavefront a column delivers one chunk, to all lanes
/// that request it. Only atomic operations take every lane on its own, whichever word it wants of the column
/// (shares_words); measured on CC 9.0, 87 patterns for each operation.
/// Source: for CC 5.0 and later, measurements on CC 9.0 (tests/data/h200_warp_accesses.csv); for earlier
/// ones, the appendix on compute capabilities of the CUDA Programming Guide.
struct BankRules {
    int banks = 32;         ///< Each bank is 4 bytes wide.
    int lanes_narrow = 32;  ///< Lanes in a group when each accesses 1, 2 or 4 bytes.
    int lanes_8 = 16;       ///< Lanes in a group when each accesses 8 bytes.
    int lanes_16 = 8;       ///< Lanes in a group when each accesses 16 bytes.
    bool merges = true;     ///< Wide loads of equal neighbours are merged into one (CC 7.0 and later).
    /// CC 3.x has 64-bit banks: words i and i+32 of a 64-word segment are delivered together.
    bool wide_banks = false;
    bool wide_words = false;  ///< CC 3.x in 8-byte mode: successive 64-bit words lie in successive banks.
    /// CC 2.x: wavefronts that a group of 16-byte accesses needs in addition to those that its addresses
    /// require, which the guide counts as conflicts.
    int extra_16 = 0;
    /// CC 1.x: only one word per wavefront can be delivered to several lanes.
    bool single_broadcast = false;

    friend bool operator==(const BankRules&, const BankRules&) = default;
};

/// The place of one lane's data.
struct BankSlot {
    std::uint64_t chunk = 0;  ///< Lanes of one group with equal chunks share a wavefront.
    int column = 0;           ///< Each distinct chunk in one column needs a wavefront of its own.
};

/// The bytes that successive banks hold side by side. Banks of CC 3.x deliver 8, but in 4-byte mode these are
/// not adjacent.
WARPLENS_HD constexpr int bank_word_bytes(const BankRules& rules) { return rules.wide_words ? 8 : 4; }

/// How many banks a chunk fills; a column of a wide access consists of that many banks.
WARPLENS_HD constexpr int banks_per_column(const BankRules& rules, int bytes_per_lane) {
    const int bank_bytes = bank_word_bytes(rules);
    return bytes_per_lane <= bank_bytes ? 1 : bytes_per_lane / bank_bytes;
}

WARPLENS_HD constexpr int lanes_per_group(const BankRules& rules, int bytes_per_lane) {
    return bytes_per_lane <= 4 ? rules.lanes_narrow : bytes_per_lane == 8 ? rules.lanes_8 : rules.lanes_16;
}

/// Banks of addresses of one width, computed once per request. Widths and bank counts are powers of two, so
/// that the lanes need shifts and masks only, no divisions.
struct BankAddressing {
    int chunk_shift = 2;             ///< log2 of the bytes of a chunk
    std::uint64_t column_mask = 31;  ///< The number of columns minus 1.
    /// CC 3.x in 4-byte mode: words i and i+32 of a 64-word segment (256 bytes) are delivered together, so
    /// everything in one column of a segment is one chunk.
    bool paired_words = false;

    WARPLENS_HD constexpr BankSlot slot(std::uint64_t byte_address) const {
        const std::uint64_t chunk = byte_address >> chunk_shift, column = chunk & column_mask;
        return {paired_words ? (byte_address >> 8) * (column_mask + 1) + column : chunk, int(column)};
    }
};

WARPLENS_HD constexpr BankAddressing bank_addressing(const BankRules& rules, int bytes_per_lane) {
    const int columns = rules.banks / banks_per_column(rules, bytes_per_lane);
    const int chunk_bytes = bytes_per_lane > bank_word_bytes(rules) ? bytes_per_lane : bank_word_bytes(rules);
    return {chunk_bytes == 4   ? 2
            : chunk_bytes == 8 ? 3
                               : 4,
            static_cast<std::uint64_t>(columns - 1), rules.wide_banks && !rules.wide_words};
}

WARPLENS_HD constexpr BankSlot bank_slot(const BankRules& rules, int bytes_per_lane,
                                         std::uint64_t byte_address) {
    return bank_addressing(rules, bytes_per_lane).slot(byte_address);
}

/// How many lanes form a group, after wide loads of equal neighbours have been merged.
///
/// A warp merges if, for x = 1 or for x = 2 and the same x for the whole warp, every active lane i whose
/// partner i^x is active has the partner's address. Then a group has twice as many lanes, which for 16 bytes
/// is at most 16. ldmatrix never merges: its groups are the 8 rows of each matrix.
/// @param pairs_equal_1, pairs_equal_2  whether the condition holds for x = 1 and for x = 2.
WARPLENS_HD constexpr int merged_lanes_per_group(const BankRules& rules, int bytes_per_lane, Op op,
                                                 bool pairs_equal_1, bool pairs_equal_2) {
    const int lanes = lanes_per_group(rules, bytes_per_lane);
    const bool may_merge = rules.merges && op == Op::load && bytes_per_lane >= 8;
    return may_merge && (pairs_equal_1 || pairs_equal_2) ? 2 * lanes : lanes;
}

}  // namespace warplens
