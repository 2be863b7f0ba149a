#pragma once

#include "app/model/access/report.h"
#include "app/model/quantity.h"

#include <span>
#include <string_view>

namespace warplens {

/// One number of Totals under the name that files give it.
struct CountKey {
    std::string_view key;  ///< "ideal_sectors"
    std::int64_t (*value)(const Totals&);
    /// Less is better for what is transferred and for what waits; for what lanes request it is neither.
    Better better = Better::neither;
    bool main = false;  ///< it says what a request costs, or the least that it could
};

/// The columns that every file has for every memory space, in their order: 0 where a space has no such count.
std::span<const CountKey> counts_of_files();

/// One count of a memory space, with the words that describe it in the table of numbers, in reports and in
/// the profiler.
struct CountWords : CountKey {
    std::string_view name;     ///< for example "sectors"
    std::string_view meaning;  ///< one sentence
    std::string_view
        metric;  ///< the name in Nsight Compute, where {} stands for ld or st; empty if it has no such metric
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
    std::string_view key;                 ///< of the count in files
    std::string_view each = "a request";  ///< what Cost::requests are
    Better better = Better::less;
};
CostWords cost_of(Space space, const SectorRules& rules = {});

/// The cost of requests of one instruction, and the least that it could be.
struct Cost {
    CostWords words;  ///< without a name if no memory is accessed
    std::int64_t cost = 0, ideal = 0, requests = 0;

    std::int64_t excess() const { return cost - ideal; }
};
/// A constant that is an operand is read once, whatever the lanes request, so it is ideal. Of spills the
/// ideal is none: no source asked for them.
/// @param totals  over any requests of the instruction
Cost cost_of(const Instruction& instruction, const Totals& totals, const SectorRules& rules = {});

/// The instruction that a launch spends most on, weighed by how often it runs: the one with the most
/// wavefronts or sectors beyond the ideal, if these are a twentieth or more of all that the launch takes
/// (is_notable); else the one that takes most.
/// @param grid  what each instruction takes over the whole grid
std::size_t costliest(std::span<const Cost> grid);

/// Whether a part is at least a twentieth of all that the instructions take.
bool is_notable(std::int64_t part, std::span<const Cost> grid);

/// The cost of all instructions of some launches together, by its name.
struct KernelCost {
    std::vector<Cost> sums;  ///< one for each name, in the order of the instructions

    void add(const Cost& one);
    std::int64_t cost() const;    ///< of all names
    std::int64_t excess() const;  ///< the same beyond the ideal
};

/// Whether a launch fits and none of its instructions costs more than the ideal over the whole grid.
bool is_ideal(const Report& report);

/// The whole grid of a setting, counted as count_grid does.
void add_kernel(KernelCost& sum, const Scenario& scenario, const Params& params, const DeviceFacts& device);

}  // namespace warplens
