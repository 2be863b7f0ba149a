#pragma once

#include "app/typed/program.h"
#include "kernels/typed/code.h"

namespace warplens::typed {

/// A launch as instructions for one thread. Calls are written where they stand, and loops with constant
/// bounds that index arrays of a thread are unrolled, as nvcc does, so that these arrays stay in registers.
/// @return  its loads and stores are numbered as TypedLaunch::accesses
/// Errors: SourceError for what cannot be launched: too many instructions, a pointer that changes its array
/// in a loop, an array whose size nobody said and no model can find out.
Code lower(const TypedLaunch& launch);

}  // namespace warplens::typed
