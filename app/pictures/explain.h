#pragma once

#include "app/pictures/access_facts.h"
#include "app/pictures/pictures.h"

#include <string>
#include <string_view>

namespace warplens {

Explanation explain_sectors(const InstructionView& view);
Explanation explain_banks(const InstructionView& view, const TileShape& tile);

/// "1 sector", "1 024 sectors".
std::string counted(std::int64_t count, std::string_view singular);
/// "load" or "store".
constexpr std::string_view op_name(Op op) { return op == Op::load ? "load" : "store"; }
/// "All 32 lanes", "The 7 active lanes", "The one active lane".
std::string lanes_phrase(int active);

}  // namespace warplens
