#pragma once

#include <cstdint>
#include <string>

namespace warplens {

/// What is known about the memories inside an SM, besides the rules for counting, by compute capability: the
/// table "memories" in assets/gpus.json. A number is 0 if it is not known or there is no such memory.
struct MemoryFacts {
    std::int64_t registers_bytes = 0;  ///< of an SM [bytes]
    std::int64_t shared_bytes = 0;     ///< of an SM, at most [bytes]
    std::int64_t unified_bytes = 0;    ///< if L1 and shared memory share one array, its whole size [bytes]
    std::int64_t texture_bytes = 0;    ///< a separate texture cache; 0 if the L1 is the texture cache [bytes]
    std::int64_t constant_bytes = 0;   ///< constant cache of an SM [bytes]
    double shared_bytes_per_clock = 0;  ///< of an SM [bytes]
    double l1_bytes_per_clock = 0;      ///< of an SM, loads that hit [bytes]
    bool l1_keeps_global = true;        ///< whether global loads are cached in the L1 by default
    bool l1_keeps_local = true;         ///< the same for per-thread arrays and spills
    std::string source;                 ///< where these come from
};

}  // namespace warplens
