#pragma once

#include "kernels/typed/code.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace warplens::typed {

/// Numbers from `least` to `most`.
struct CodeRange {
    std::int64_t least = 0, most = 0;

    friend bool operator==(const CodeRange&, const CodeRange&) = default;
};

/// For each instruction that is a load or store, between which offsets it accesses its memory, whatever the
/// threads and whatever lies in memory. Nothing for those of which that is not known, and for all other
/// instructions.
std::vector<std::optional<CodeRange>> ranges_of_offsets(const Code& code);

/// Marks the loads and stores that are known to lie inside their memory (CodeInstr::inside).
void find_inside(Code& code);

}  // namespace warplens::typed
