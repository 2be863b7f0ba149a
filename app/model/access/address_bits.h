#pragma once

#include "kernels/bank_rules.h"
#include "kernels/warp_access.h"

#include <array>
#include <cstdint>
#include <vector>

namespace warplens {

/// Some neighbouring bits of an address choose one of these.
enum class BitRole {
    byte,     ///< the byte in a word, or in a sector
    bank,     ///< the bank of shared memory
    pair,     ///< CC 3.x in 4-byte mode: which of the two words that a bank delivers together
    row,      ///< shared memory: which row of all banks
    lane,     ///< local memory: which lane's word in a sector
    sector,   ///< the 32-byte sector; in global and local memory the one of its line
    line,     ///< global, local: the 128-byte line; constant: the 64-byte line
    word,     ///< constant memory: the word in a line
    texel_x,  ///< texture: the column in a sector of 4 x 2 texels
    texel_y,  ///< texture: the row in it
};

/// Neighbouring bits of one meaning. The highest field of an address has no end: its count is that of the
/// bits which are shown.
struct BitField {
    BitRole role = BitRole::byte;
    int first = 0;  ///< the lowest of its bits, counted from 0
    int count = 0;  ///< at least 1

    int end() const { return first + count; }
    std::uint64_t mask() const { return ((std::uint64_t{1} << count) - 1) << first; }
    std::uint64_t value(std::uint64_t address) const { return (address & mask()) >> first; }
};

/// The bits of a request's addresses, cut into fields by the rules of its memory.
struct AddressBits {
    std::vector<BitField>
        fields;  ///< from bit 0 up, without gaps. Empty for registers, which have no address.
    /// Whose bits these are. Local memory: where the words of the lanes really lie (interleave_local).
    /// Texture: the nearest texel, for a lane outside.
    std::array<std::uint64_t, kWarpLanes> address{};
    std::uint32_t active = 0;

    bool empty() const { return fields.empty(); }
    int shown() const { return empty() ? 0 : fields.back().end(); }  ///< bits that the fields have
    /// The part of an address above the fields: not 0 only for addresses too long to be shown.
    std::uint64_t above(int lane) const { return shown() >= 64 ? 0 : address[lane] >> shown(); }
    /// The field with that role. Null if there is none.
    const BitField* find(BitRole role) const;
};

/// At most so many bits have a place in a picture.
inline constexpr int kMostShownBits = 32;

/// Cut the addresses of a request into fields. Every bit that differs between active lanes is shown, up to
/// kMostShownBits; so are all bits that are set, unless that would be more than 20.
/// @param rules  of the device, for shared memory
/// Errors: none. Provenance: as the rules; source of the layouts: kernels/bank_rules.h, sectors.h, constant.h
/// and kernels/texture_layout.h.
AddressBits address_bits(const WarpAccess& access, const BankRules& rules);

/// The bits that are not the same in all of these lanes. 0 for one lane or none.
std::uint64_t differing_bits(const AddressBits& bits, std::uint32_t lanes);

/// How many different values the bits of a mask have in these lanes.
int distinct_values(const AddressBits& bits, std::uint64_t mask, std::uint32_t lanes);

/// An XOR swizzle of element numbers (kernels/swizzle.h), as what happens to the bits of byte addresses: bit
/// `first + i` is XOR-ed with bit `first + i + shift`, for i = 0 to count - 1.
struct BitSwizzle {
    int first = 0;  ///< the lowest bit that changes
    int count = 0;  ///< how many change; 0 for no swizzle
    int shift = 0;  ///< how far above each the bit lies that is XOR-ed in

    std::uint64_t apply(std::uint64_t address) const;
    /// The address before the swizzle: the inverse of apply.
    std::uint64_t undo(std::uint64_t address) const;
};

/// @param bits, base, shift  as xor_swizzle takes them. @param element_bytes  a power of two [bytes]
BitSwizzle bit_swizzle(int bits, int base, int shift, int element_bytes);

}  // namespace warplens
