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

/// "load" or "store".
constexpr std::string_view op_name(Op op) { return is_load(op) ? "load" : "store"; }
/// "All 32 lanes", "The 7 active lanes", "The one active lane".
std::string lanes_phrase(int active);

}  // namespace warplens
