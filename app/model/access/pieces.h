#pragma once

#include "kernels/warp_access.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace warplens {

/// Distinct aligned pieces of memory among the addresses of a request's lanes, for pieces of three sizes.
/// In one register: made of several parts, the result of a function would be read back from memory across
/// recent writes, which takes as long as half of the counting.
class PieceCounts {
public:
    constexpr PieceCounts() = default;  ///< not known
    constexpr PieceCounts(int smallest, int middle, int largest)
        : packed_(static_cast<std::uint32_t>(smallest | middle << kBits | largest << 2 * kBits)) {}

    constexpr bool known() const { return packed_ != 0; }
    /// @param size  0 for the smallest pieces, to 2
    constexpr int of(int size) const { return int(packed_ >> size * kBits & kMost); }
    constexpr std::uint32_t packed() const { return packed_; }
    friend bool operator==(const PieceCounts&, const PieceCounts&) = default;

private:
    static constexpr int kBits = 8;
    static constexpr std::uint32_t kMost = (1u << kBits) - 1;

    std::uint32_t packed_ = 0;
};

/// Compare each address with all before it, 8 or 16 at a time, without a branch or a table: 20 to 30 ns for a
/// warp.
/// @param addresses   of 1 to 32 lanes, in any order [bytes]
/// @param log2_bytes  the sizes of the pieces, the smallest first, each at most 12. All addresses are
/// multiples of
///                    the smallest.
/// @return            not known if an address lies about 2^30 bytes or more from the first, or if the
/// processor
///                    has no AVX2: then the caller uses a hash table (small_table.h)
PieceCounts count_pieces(std::span<const std::uint64_t> addresses, const std::array<int, 3>& log2_bytes);

/// For each group of neighbouring lanes: pieces of one size are dealt out to columns in turn, and this is the
/// most distinct pieces that one column has.
/// @param lanes_each   lanes of a group: 8, 16 or 32
/// @param column_mask  the number of columns minus 1, at most 31
/// @return             0 for a group without an active lane; nothing if an address is 2^26 or more, or if
///                     the processor has no AVX2
std::optional<std::array<std::uint8_t, 4>> most_pieces_in_a_column(const WarpAccess& access, int lanes_each,
                                                                   int log2_bytes, std::uint32_t column_mask);

using LaneAddresses = std::span<const std::uint64_t, kWarpLanes>;

/// The addresses of the chosen lanes, one after the other.
/// @param lanes   not 0
/// @param chosen  where they are put, unless they are neighbours in the request
inline std::span<const std::uint64_t> addresses_of(LaneAddresses all, std::uint32_t lanes,
                                                   std::array<std::uint64_t, kWarpLanes>& chosen) {
    if (lanes == kAllLanes) return all;
    const int first = std::countr_zero(lanes), count = std::popcount(lanes);
    if (std::countr_one(lanes >> first) == count) return all.subspan(first, count);
    std::size_t at = 0;
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) chosen[at++] = all[std::countr_zero(rest)];
    return std::span(chosen).first(at);
}

}  // namespace warplens
