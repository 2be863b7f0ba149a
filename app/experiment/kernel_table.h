#pragma once

#include "app/model/device/capability.h"
#include "app/model/device/kernel_key.h"
#include "kernels/timing/kernel_resources.h"

#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// The kernels of one setting.
struct KernelRow {
    const Scenario* scenario;  ///< never null
    Params params;
    std::vector<KernelResources> kernels;
    std::string key = kernel_key(*scenario, params);
};

/// What the kernels of this program take of an SM, as a compiler and a GPU said. Provenance: recorded.
struct KernelTable {
    std::string gpu;  ///< "NVIDIA H200"
    ComputeCapability cc;
    std::string date;                       ///< "2026-11-22"
    std::string program;                    ///< "warplens 0.1.0"
    int cuda_runtime = 0, cuda_driver = 0;  ///< as in CudaVersions
    std::vector<KernelRow> rows;

    /// "▲ NVIDIA H200, CUDA 13.0, recorded 2026-11-22"
    std::string where() const;
};

/// As JSON, one row a line:
///
///   {"schema":"warplens kernels","version":1,"gpu":…,"cc":"9.0","date":…,"program":…,"cuda_runtime":13000,
///    "cuda_driver":13000,
///    "rows":[{"scenario":"transpose","set":"variant=padded",       knobs that are not at their defaults
///             "kernels":[{"role":"grid","name":"replay_kernel","threads":256,"registers":24,
///                         "static":0,"dynamic":4224,"local":0,"carveout":-1,"blocks":8,"timed":true}]},…]}
///
/// Of settings with the same kernels (kernel_key) the first is kept, unless they differ after all.
std::string write_kernel_table(const KernelTable& table);

/// Errors: std::runtime_error for text that is no such table, or of a scenario or knob that there is not.
KernelTable read_kernel_table(std::string_view json);

/// The tables that are part of the program (assets/kernels), read once. Write one on a GPU with
/// `warplens occupancy --kernels --json`.
const std::vector<KernelTable>& kernel_tables();

/// The kernel that runs over the whole grid of a setting.
struct RecordedKernel {
    const KernelResources* kernel = nullptr;  ///< null: not known
    std::string where;                        ///< where from, or why it is not known
};
RecordedKernel find_grid_kernel(const std::vector<KernelTable>& tables, const Scenario& scenario,
                                const Params& params);
/// In the tables that are part of the program.
RecordedKernel recorded_grid_kernel(const Scenario& scenario, const Params& params);

}  // namespace warplens
