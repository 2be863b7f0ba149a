#pragma once

#include "kernels/host_device.h"
#include "kernels/warp_access.h"

#include <cstdint>

namespace warplens {

/// How shared memory serves one request, as numbers, so that the model and the kernels share one rule.
///
/// The lanes of a request are served group by group. Within a group every lane wants one *chunk*: the word,
/// or for wide accesses the 8 or 16 bytes, that its address lies in. A chunk lies in one *column*: one bank,
/// or the 2 or 4 neighbouring banks that it fills. A column gives one chunk per wavefront, to all lanes that
/// want it. Source: CC 5.0 and later, measured on CC 9.0 (tests/data/h200_warp_accesses.csv); earlier ones
/// from the CUDA Programming Guide's appendix on compute capabilities.
struct BankRules {
    int banks = 32;           ///< each 4 bytes wide
    int lanes_narrow = 32;    ///< lanes of a group for 1, 2 and 4 bytes per lane
    int lanes_8 = 16;         ///< lanes of a group for 8 bytes per lane
    int lanes_16 = 8;         ///< lanes of a group for 16 bytes per lane
    bool merges = true;       ///< wide loads of equal neighbours travel together (CC 7.0 and later)
    bool wide_banks = false;  ///< CC 3.x: 64-bit banks; words i and i+32 of a 64-word segment come together
    bool wide_words = false;  ///< CC 3.x in 8-byte mode: successive 64-bit words lie in successive banks
    /// CC 2.x: trips that a group of 16-byte accesses needs besides those that its addresses ask for
    int extra_16 = 0;
    bool single_broadcast = false;  ///< CC 1.x: only one word per wavefront may go to several lanes
};

/// Where a lane's data lies.
struct BankSlot {
    std::uint64_t chunk = 0;  ///< lanes of a group with equal chunks share a wavefront
    int column = 0;           ///< distinct chunks in one column need a wavefront each
};

/// Bytes that successive banks hold side by side: banks of CC 3.x give 8, but in 4-byte mode not in a row.
WARPLENS_HD constexpr int bank_word_bytes(const BankRules& rules) { return rules.wide_words ? 8 : 4; }

/// How many banks a chunk fills: a column of a wide access is that many banks.
WARPLENS_HD constexpr int banks_per_column(const BankRules& rules, int bytes_per_lane) {
    const int bank_bytes = bank_word_bytes(rules);
    return bytes_per_lane <= bank_bytes ? 1 : bytes_per_lane / bank_bytes;
}

WARPLENS_HD constexpr int lanes_per_group(const BankRules& rules, int bytes_per_lane) {
    return bytes_per_lane <= 4 ? rules.lanes_narrow : bytes_per_lane == 8 ? rules.lanes_8 : rules.lanes_16;
}

/// Where addresses of one width lie, worked out once per request: widths and bank counts are powers of two,
/// so that shifts and masks keep divisions away from the lanes.
struct BankAddressing {
    int chunk_shift = 2;             ///< log2 of the bytes of a chunk
    std::uint64_t column_mask = 31;  ///< columns - 1
    /// CC 3.x in 4-byte mode: words i and i+32 of a 64-word segment (256 bytes) come together, whatever
    /// belongs to one column of a segment is one chunk
    bool paired_words = false;

    WARPLENS_HD constexpr BankSlot slot(std::uint64_t byte_address) const {
        const std::uint64_t chunk = byte_address >> chunk_shift, column = chunk & column_mask;
        return {paired_words ? (byte_address >> 8) * (column_mask + 1) + column : chunk,
                static_cast<int>(column)};
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

/// How many lanes of a wide load travel as one, given which partner distance holds for the whole warp.
///
/// A warp merges when, for x = 1 or for x = 2 and the same x for the whole warp, every active lane i whose
/// partner i^x is active has the partner's address. Then twice as many lanes form a group, for 16 bytes at
/// most 16 lanes.
/// ldmatrix never merges: its groups are the 8 rows of each matrix.
/// @param pairs_equal_1, pairs_equal_2  whether the condition holds for x = 1 and for x = 2.
WARPLENS_HD constexpr int merged_lanes_per_group(const BankRules& rules, int bytes_per_lane, Op op,
                                                 bool pairs_equal_1, bool pairs_equal_2) {
    const int lanes = lanes_per_group(rules, bytes_per_lane);
    const bool may_merge = rules.merges && op == Op::load && bytes_per_lane >= 8;
    return may_merge && (pairs_equal_1 || pairs_equal_2) ? 2 * lanes : lanes;
}

}  // namespace warplens
