#pragma once

// The parts of the picture of address bits share the fields with their colours and columns, and the
// lane whose bits are written out.

#include "app/model/access/address_bits.h"
#include "app/pictures/access/warp_canvas.h"

#include <string>
#include <string_view>

namespace warplens {

/// The word for a role: "bank". Short enough for two columns of bits.
std::string_view role_name(BitRole role);
/// Its number for people: "bank 12", "byte 3".
std::string role_value(const BitField& field, std::uint64_t address);
/// "bit 7", "bits 2 to 6", "bits 3, 5 and 7". Empty for an empty mask.
std::string name_bits(std::uint64_t mask);

/// One of the two things that a bit of a request may be, for a picture: which columns, which colours.
struct BitsCanvas : WarpCanvas {
    const AddressBits& bits;
    BitSwizzle swizzle;
    std::uint64_t differing;  ///< bits that are not the same in all active lanes
    int lane;         ///< whose bits are written out: the one under the mouse, or the first active one
    float x = 0;      ///< left edge of the highest bit's column [points]
    float pitch = 0;  ///< width of a column [points]

    Color color_of(BitRole role) const;
    /// A cell of one bit. @param dim  whether it is the same in all lanes
    Color fill_of(BitRole role, bool set, bool dim) const;
    Rect column(int bit, float y, float h) const {
        return {x + pitch * float(bits.shown() - 1 - bit), y, pitch, h};
    }
    Rect columns(const BitField& field, float y, float h) const {
        const Rect left = column(field.end() - 1, y, h);
        return {left.x, y, pitch * float(field.count), h};
    }
    float right() const { return x + pitch * float(bits.shown()); }
    std::uint64_t address() const { return bits.address[lane]; }
};

/// Names of the fields with a bar each, and the numbers of the bits. @return  y below them
float draw_bit_heads(const BitsCanvas& d, float y);
/// One address, bit by bit. @param name  at its left. @return  y below it
float draw_address(const BitsCanvas& d, std::uint64_t address, std::string_view name, float y);
/// The wires of a swizzle between the address before and the one after. @return  y below them
float draw_swizzle_wires(const BitsCanvas& d, float y);
/// The fields' values in that lane: "bank 12". @return  y below them
float draw_field_values(const BitsCanvas& d, float y);
/// All lanes' bits, a row for each. @param row_height  [points]. @return  y below them
float draw_bit_matrix(const BitsCanvas& d, float y, float row_height);
/// Which bits differ between the lanes. @return  y below the row
float draw_differing(const BitsCanvas& d, float y);

inline constexpr float kBitHeads = 36, kAddressRow = 24, kSwizzleWires = 34, kFieldValues = 20,
                       kDifferingRow = 20;  ///< heights of the parts [points]

/// Lanes down as in the matrix, the places of one field across: where each lane goes. Nothing without room.
/// @param field  such as the bank
void draw_lane_places(const BitsCanvas& d, const BitField& field, Rect room, float row_height);

/// A table of memory by address: the banks of 4- and 8-byte words, or the texels of a sector.
/// @param rules  for banks
void draw_place_table(const BitsCanvas& d, const BankRules& rules, Rect room);
inline constexpr float kPlaceTable = 84;  ///< its height [points]
bool has_place_table(const AddressBits& bits);

}  // namespace warplens
