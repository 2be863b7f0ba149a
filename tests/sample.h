#pragma once

#include <cstdlib>

namespace warplens::test {

/// Whether tests go through all cases, which takes up to an hour, and not through a sample: if WARPLENS_ALL
/// is set.
inline bool all_cases() { return std::getenv("WARPLENS_ALL") != nullptr; }

/// Where a law over random settings begins: other settings if WARPLENS_SEED is set to another number than 0.
inline unsigned seed(unsigned usual) {
    const char* const other = std::getenv("WARPLENS_SEED");
    return usual + (other == nullptr ? 0 : 7919 * static_cast<unsigned>(std::atoi(other)));
}

}  // namespace warplens::test
