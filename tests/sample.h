#pragma once

#include <cstdlib>

namespace warplens::test {

/// Whether tests go through all cases, which takes up to an hour, and not through a sample: if WARPLENS_ALL
/// is set.
inline bool all_cases() { return std::getenv("WARPLENS_ALL") != nullptr; }

}  // namespace warplens::test
