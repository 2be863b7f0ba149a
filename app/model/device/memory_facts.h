#pragma once

#include <cstdint>
#include <string>

namespace warplens {

/// What is known of the memories inside an SM beside the rules of counting, by compute capability: the table
/// "memories" in assets/gpus.json. 0: not known, or not there.
struct MemoryFacts {
    std::int64_t registers_bytes = 0;  ///< of an SM [bytes]
    std::int64_t shared_bytes = 0;     ///< of an SM, at most [bytes]
    std::int64_t unified_bytes = 0;    ///< where L1 and shared memory share one array: all of it [bytes]
    std::int64_t texture_bytes = 0;    ///< a texture cache of its own; 0: the L1 is the texture cache [bytes]
    std::int64_t constant_bytes = 0;   ///< of an SM's constant cache [bytes]
    double shared_bytes_per_clock = 0;  ///< of an SM [bytes]
    double l1_bytes_per_clock = 0;      ///< of an SM, loads that hit [bytes]
    bool l1_keeps_global = true;        ///< global loads pass the L1, unless asked otherwise
    bool l1_keeps_local = true;         ///< the same for private arrays and spills
    std::string source;                 ///< where these come from
};

}  // namespace warplens
