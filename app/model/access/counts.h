#pragma once

#include "app/model/access/report.h"

#include <span>
#include <string_view>

namespace warplens {

/// One count of a memory space as people meet it: in the table of numbers, in reports, in the profiler.
struct CountWords {
    std::string_view name;  ///< "sectors"
    std::int64_t (*value)(const Totals&);
    std::string_view meaning;  ///< one sentence
    std::string_view metric;   ///< Nsight Compute's name; {} stands for ld or st; empty: it has none
    bool bytes = false;        ///< a number of bytes, not of things
};

/// The counts that mean something in a memory space, the most important first. All others are 0 there.
/// @param rules  global memory: what travels has the name that it has on such a GPU.
std::span<const CountWords> counts_of(Space space, const SectorRules& rules = {});

/// What one request of the space costs, and the least that it could: wavefronts, sectors, or requests.
struct CostWords {
    std::string_view name;  ///< "wavefronts"; empty: nothing to count
    std::int64_t (*cost)(const Totals&);
    std::int64_t (*ideal)(const Totals&);
};
CostWords cost_of(Space space, const SectorRules& rules = {});

}  // namespace warplens
