#pragma once

#include "app/model/catalogue.h"
#include "app/typed/kernel_launch.h"
#include "kernels/typed/kernel_runner.h"

#include <cstdint>
#include <string>

namespace warplens::typed {

/// Typed kernels on the GPU of this machine, compiled by NVIDIA's compiler. See KernelRunner about what a
/// kernel may do to the process.
class GpuKernels {
public:
    /// Time a setting, as TimedKernels::time does.
    std::variant<Timing, Unavailable> time(const Scenario& scenario, const Params& params,
                                           const StopRule& rule, const std::atomic<bool>* cancel = nullptr);

    /// Read hardware counters of one launch in which each access is made as it is written, or of what the
    /// compiler makes of the kernel.
    std::variant<CounterReading, Unavailable> count(const Scenario& scenario, const Params& params,
                                                    const std::vector<std::string>& metrics,
                                                    bool as_compiled = false);

    /// Compare blocks, the first of the grid and the last one: each thread makes the accesses that the model
    /// says. Shared memory and variables of the text may begin elsewhere.
    std::variant<ComparedAddresses, Unavailable> compare(const Scenario& scenario, const Params& params,
                                                         std::int64_t most_blocks);

    /// Launch the whole grid exactly once: for profilers.
    std::variant<std::monostate, Unavailable> launch_once(const Scenario& scenario, const Params& params);

    /// Registers, memory and occupancy of the compiled kernel.
    std::variant<KernelResources, Unavailable> resources(const Scenario& scenario, const Params& params);

private:
    KernelRunner runner_;
};

}  // namespace warplens::typed
