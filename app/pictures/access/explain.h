#pragma once

#include "app/pictures/access/access_facts.h"
#include "app/pictures/access/access_picture.h"

#include <string>
#include <string_view>

namespace warplens {

Explanation explain_sectors(const InstructionView& view);
Explanation explain_banks(const InstructionView& view, const TileShape& tile);
Explanation explain_constant(const InstructionView& view);
Explanation explain_texture(const InstructionView& view);
Explanation explain_filter(const InstructionView& view);
Explanation explain_local(const InstructionView& view);
Explanation explain_registers(const InstructionView& view);
Explanation explain_cluster(const InstructionView& view);

/// What travels between memory and the SM, by its name on such a GPU: sectors, lines (CC 2.x) or
/// transactions (CC 1.x).
struct Travelling {
    std::string_view name;  ///< of one
    int count = 0, ideal = 0;
    bool good() const { return count <= ideal; }
};
Travelling travelling(const SectorReport& report);
/// CC 1.x and 2.x, whose memory moves segments and lines.
Explanation explain_transactions(const InstructionView& view);

constexpr std::string_view op_name(Op op) { return is_load(op) ? "load" : "store"; }
/// What such an instruction does to the bytes: "fetched" or "sent".
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
