#pragma once

#include "app/model/catalogue.h"

#include <string>
#include <utility>
#include <vector>

namespace warplens {

/// The functions, and their file, that a setting launches.
struct KernelCode {
    std::string file;      ///< for example "kernels/own/multiply.cu"
    std::string function;  ///< the kernel itself
    /// names and values of the template arguments
    std::vector<std::pair<std::string, std::string>> arguments;
    std::vector<std::string> helpers;  ///< functions that it calls to access memory
    /// functions that lead from the kernel to the helpers; they are shown folded
    std::vector<std::string> between;

    std::string specialised() const;  ///< for example "tiled_kernel<Multiply::tiled, 32>"
};

/// The kernel that runs over the whole grid; hardware counters count it.
KernelCode grid_kernel(const Scenario& scenario, const Params& params);

/// The kernel that is timed. It has the same file and function as grid_kernel if it is the same kernel.
KernelCode timed_kernel(const Scenario& scenario, const Params& params);

/// How the kernels that replay addresses name an instruction, for example "global load, past the L1".
std::string kind_of_access(const Scenario& scenario, const Params& params, int instruction);

/// For example "kernels/scenarios/global_stride.h".
std::string scenario_file(const Scenario& scenario);
/// For example "GlobalStride".
std::string scenario_struct(const Scenario& scenario);

}  // namespace warplens
