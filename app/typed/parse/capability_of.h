#pragma once

#include "app/typed/tree.h"

#include <string_view>

namespace warplens::typed {

/// The lowest compute capability that has a function of CUDA, as major * 10 + minor. 0 if all have it, or if
/// it is not known. Source: CUDA C++ Programming Guide, its chapters on the functions, the table of features
/// by compute capability, and cuda_pipeline_helpers.h.
int capability_of(std::string_view function);

/// The first compute capability that computes with half and bfloat16, by functions and by operators; others
/// only load, store and convert them.
inline constexpr int kHalvesSince = 53;

/// The same of an atomic function, by what it changes.
/// @param shared  whether that lies in shared memory, and not in global
/// @param bfloat  whether a type of 16 bits is no half
int capability_of_atomic(std::string_view function, const Type& type, bool shared, bool bfloat);

}  // namespace warplens::typed
