#pragma once

#include "app/model/access/report.h"

#include <span>
#include <string_view>

namespace warplens {

/// One count of a memory space, with the words that describe it in the table of numbers, in reports and in
/// the profiler.
struct CountWords {
    std::string_view name;  ///< for example "sectors"
    std::int64_t (*value)(const Totals&);
    std::string_view meaning;  ///< one sentence
    std::string_view metric;  ///< the name in Nsight Compute, where {} stands for ld or st; empty if it has no such metric
    bool bytes = false;  ///< whether it counts bytes
};

/// The counts that have a meaning in a memory space, the most important first. All others are 0 there.
/// @param rules  for global memory: the transactions of such a GPU determine the names.
std::span<const CountWords> counts_of(Space space, const SectorRules& rules = {});

/// The cost of one request in a space, beside the least possible cost: wavefronts, sectors, or requests.
struct CostWords {
    std::string_view name;  ///< for example "wavefronts"; empty if nothing is counted
    std::int64_t (*cost)(const Totals&);
    std::int64_t (*ideal)(const Totals&);
};
CostWords cost_of(Space space, const SectorRules& rules = {});

}  // namespace warplens
