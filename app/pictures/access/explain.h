#pragma once

#include "app/pictures/access/access_picture.h"
#include "kernels/warp_access.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace warplens {

/// Facts about one warp's addresses that need no rule of the hardware.
struct AccessFacts {
    int active = 0;               ///< lanes that take part
    int distinct = 0;             ///< different addresses
    std::uint64_t lowest = 0;     ///< smallest byte address; 0 when no lane is active
    std::uint64_t end = 0;        ///< one past the last byte
    bool even_step = false;       ///< all active lanes lie at first + lane * step, with at least two of them
    std::int64_t step_bytes = 0;  ///< from each lane to the next, where even_step [bytes]; may be negative
    bool contiguous = false;      ///< the lanes' bytes leave no hole
};

AccessFacts describe_access(const WarpAccess& access);

/// One element that some lanes request. Addresses are multiples of the element size, so elements never
/// overlap.
struct WantedElement {
    std::uint64_t byte_address = 0;
    std::uint32_t lanes = 0;  ///< bit i is set if lane i wants it
};

/// All wanted elements, or words, by rising address.
struct WantedElements {
    std::array<WantedElement, kWarpLanes> items{};
    int count = 0;
    const WantedElement* begin() const { return items.data(); }
    const WantedElement* end() const { return items.data() + count; }
};
/// @param lanes    only these are looked at.
/// @param granule  addresses are rounded down to a multiple of it [bytes]: 4 joins the bytes of one word.
WantedElements collect_elements(const WarpAccess& access, std::uint32_t lanes = kAllLanes, int granule = 1);

/// An exchange between lanes, told by who takes whose value.
struct Exchange {
    int active = 0;        ///< lanes that take part
    int moved = 0;         ///< lanes that take another lane's value
    int sources = 0;       ///< different lanes whose values are taken
    int undefined = 0;     ///< lanes that take the value of a lane that is not active
    int exclusive_or = 0;  ///< if above 0, every active lane i takes from i ^ exclusive_or
    int step = 0;          ///< if not 0, every lane i that takes another's value takes from i + step
    int first_source = 0;  ///< lane whose value the first active lane takes
};
/// The lane whose value a lane takes.
constexpr int source_lane(const WarpAccess& access, int lane) {
    return int(access.byte_address[lane] / 4 % kWarpLanes);
}
Exchange describe_exchange(const WarpAccess& access);

Explanation explain_sectors(const InstructionView& view);
Explanation explain_banks(const InstructionView& view, const TileShape& tile);
Explanation explain_constant(const InstructionView& view);
Explanation explain_texture(const InstructionView& view);
Explanation explain_filter(const InstructionView& view);
Explanation explain_local(const InstructionView& view);
Explanation explain_registers(const InstructionView& view);
Explanation explain_cluster(const InstructionView& view);

/// The same verdict, and why it is so in terms of the address bits that differ between the lanes.
Explanation explain_bits(const InstructionView& view, const TileShape& tile);
/// The cost of the request beside its ideal, for one line: "32 wavefronts, ideal 1".
std::string first_cost(const InstructionView& view);

/// The pieces that travel between memory and the SM, by their name on such a GPU: sectors, lines (CC 2.x) or
/// transactions (CC 1.x).
struct Travelling {
    std::string_view name;  ///< of one
    int count = 0, ideal = 0;
    bool good() const { return count <= ideal; }
};
Travelling travelling(const SectorReport& report);
/// CC 1.x and 2.x, whose memory moves segments and lines.
Explanation explain_transactions(const InstructionView& view);

constexpr std::string_view op_name(Op op) {
    return is_atomic(op) ? "atomic operation" : is_load(op) ? "load" : "store";
}
/// The word for what lanes do to memory: "request", "write" or "add to".
constexpr std::string_view lanes_verb(Op op) {
    return is_atomic(op) ? "add to" : is_load(op) ? "request" : "write";
}
/// The lanes of the word that most lanes want.
int most_at_a_word(const WarpAccess& access);
/// The name of an instruction without how it walks: "load tile" of "load tile, by columns".
std::string short_name(const Instruction& instruction);
/// The verb for the bytes of such an instruction: "fetched" or "sent".
constexpr std::string_view moved_word(Op op) { return is_load(op) ? "fetched" : "sent"; }
/// "24 of the 32 bytes fetched are used, 75 % of them"
std::string used_of_moved(const SectorCount& count, std::string_view moved);
/// "1 wavefront, ideal 1"
std::string cost_text(int count, std::string_view noun, int ideal);
inline std::string cost_text(const BankCount& count) {
    return cost_text(count.wavefronts, "wavefront", count.ideal);
}
inline std::string cost_text(const Travelling& pieces) {
    return cost_text(pieces.count, pieces.name, pieces.ideal);
}
/// "All 32 lanes", "The 7 active lanes", "The one active lane".
std::string lanes_phrase(int active);

}  // namespace warplens
