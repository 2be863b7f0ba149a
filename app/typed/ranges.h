#pragma once

#include "kernels/typed/code.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace warplens::typed {

/// Numbers from `least` to `most`.
struct CodeRange {
    std::int64_t least = 0, most = 0;

    friend bool operator==(const CodeRange&, const CodeRange&) = default;
};

/// The range of what an instruction computes. Nothing if that is not known, or could have wrapped round.
/// @param operand  of a register that it reads
std::optional<CodeRange> range_of_result(const CodeInstr& instr,
                                         const std::function<std::optional<CodeRange>(int number)>& operand);

/// For each instruction that is a load or store, between which offsets it accesses its memory, whatever the
/// threads and whatever lies in memory. Guards (guards.h) count. Nothing for those of which that is not
/// known, and for all other instructions.
std::vector<std::optional<CodeRange>> ranges_of_offsets(const Code& code);

/// Marks the loads and stores that are known to lie inside their memory (CodeInstr::inside).
void find_inside(Code& code);

}  // namespace warplens::typed
