#pragma once

#include "app/model/catalogue.h"
#include "app/model/device/capability.h"
#include "kernels/timing/timed.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace warplens {

class JsonPlace;

/// The kernels of one setting.
struct KernelRow {
    const Scenario* scenario;  ///< never null
    Params params;
    std::vector<KernelResources> kernels;
    std::string key = kernel_key(*scenario, params);
};

/// The resources of an SM that the kernels of this program take, as a compiler and a GPU reported them.
/// Provenance: recorded.
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
/// The first of settings with the same kernel_key is kept alone, unless their kernels have different
/// resources.
std::string write_kernel_table(const KernelTable& table);

/// Errors: std::exception if the text is no such table, or names a scenario or knob that does not exist.
KernelTable read_kernel_table(std::string_view json);

/// The tables that are part of the program (assets/kernels), read once. `warplens occupancy --kernels --json`
/// writes one on a machine with a GPU.
const std::vector<KernelTable>& kernel_tables();

/// The kernel that runs over the whole grid of a setting.
struct RecordedKernel {
    const KernelResources* kernel = nullptr;  ///< null if it is not known
    std::string where;                        ///< where it comes from, or why it is not known
};
RecordedKernel find_grid_kernel(const std::vector<KernelTable>& tables, const Scenario& scenario,
                                const Params& params);
/// In the tables that are part of the program; of a typed kernel, what keep_compiled was told.
RecordedKernel recorded_grid_kernel(const Scenario& scenario, const Params& params);

/// Keep until the program ends what a compiler has made of a typed kernel. From any thread.
/// @param where  its mark and what compiled it, for a person
void keep_compiled(const Scenario& scenario, const Params& params, const KernelResources& kernel,
                   const std::string& where);

/// One of the "kernels" above.
nlohmann::ordered_json kernel_to_json(const KernelResources& kernel);
/// Errors: JsonError.
KernelResources kernel_from_json(const JsonPlace& place);

}  // namespace warplens
