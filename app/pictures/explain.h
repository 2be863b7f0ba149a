#pragma once

#include "app/pictures/access_facts.h"
#include "app/pictures/pictures.h"

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

/// "1 sector", "1 024 sectors".
std::string counted(std::int64_t count, std::string_view singular);
/// "load" or "store".
constexpr std::string_view op_name(Op op) { return is_load(op) ? "load" : "store"; }
/// "All 32 lanes", "The 7 active lanes", "The one active lane".
std::string lanes_phrase(int active);

}  // namespace warplens
