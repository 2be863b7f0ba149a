#pragma once

#include "app/model/catalogue.h"

#include <string>
#include <utility>
#include <vector>

namespace warplens {

/// Which functions of which file a setting launches.
struct KernelCode {
    std::string file;                                            ///< "kernels/own/multiply.cu"
    std::string function;                                        ///< the kernel itself
    std::vector<std::pair<std::string, std::string>> arguments;  ///< of its template: name and value
    std::vector<std::string> helpers;  ///< what it calls to reach memory, where an access stands in them
    std::vector<std::string> between;  ///< shown as well, folded: what leads from it to them

    std::string specialised() const;  ///< "tiled_kernel<Multiply::tiled, 32>"
};

/// The kernel that runs over the whole grid: what hardware counters count.
KernelCode grid_kernel(const Scenario& scenario, const Params& params);

/// The kernel whose time is taken; the same file and function as grid_kernel where it is the same.
KernelCode timed_kernel(const Scenario& scenario, const Params& params);

/// What an instruction is to the kernels that replay addresses: "global load, past the L1".
std::string kind_of_access(const Scenario& scenario, const Params& params, int instruction);

/// "kernels/scenarios/global_stride.h"
std::string scenario_file(const Scenario& scenario);
/// "GlobalStride"
std::string scenario_struct(const Scenario& scenario);

}  // namespace warplens
