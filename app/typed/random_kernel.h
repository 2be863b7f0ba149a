#pragma once

#include <cstdint>
#include <string>

namespace warplens::typed {

/// The text of a kernel made by chance, of the whole subset: for comparing the model, the interpreter on the
/// GPU and the compiled kernel with each other. All its indices lie in their arrays, all threads reach its
/// barriers, and what it loads is used.
/// @param seed  the same seed gives the same text, on every machine
std::string random_kernel(std::uint64_t seed);

}  // namespace warplens::typed
