#pragma once

#include "kernels/params.h"
#include "kernels/unavailable.h"

#include <variant>

namespace warplens {

/// Facts about the compiled kernel of `local-spill` on the GPU of this machine. Provenance: exact.
struct SpillFacts {
    int registers = 0;    ///< per thread
    int local_bytes = 0;  ///< local memory per thread [bytes]
};

/// @return  the facts about the kernel for Params::registers and live_values, or why there are none: no GPU,
/// or no such kernel.
std::variant<SpillFacts, Unavailable> spill_facts(const Params& params);

}  // namespace warplens
