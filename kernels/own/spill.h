#pragma once

#include "kernels/params.h"
#include "kernels/unavailable.h"

#include <variant>

namespace warplens {

/// What the compiled kernel of `local-spill` says about itself, on the GPU that is here. Provenance: exact.
struct SpillFacts {
    int registers = 0;    ///< per thread
    int local_bytes = 0;  ///< local memory per thread [bytes]
};

/// @return  the facts of the kernel for Params::registers and live_values; or why not: no GPU, no such
/// kernel.
std::variant<SpillFacts, Unavailable> spill_facts(const Params& params);

}  // namespace warplens
