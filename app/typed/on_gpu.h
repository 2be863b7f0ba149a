#pragma once

#include "app/model/catalogue.h"
#include "kernels/typed/code_runner.h"

#include <cstdint>
#include <string>

namespace warplens::typed {

/// The accesses of a launch, as three kinds of execution made them.
struct ComparedAddresses {
    std::int64_t accesses = 0;  ///< of threads, that the model made
    std::int64_t blocks = 0;
    std::int64_t off = 0;  ///< that another one made differently, or not
    std::string first;     ///< one sentence about the first that differs; empty if none does
};

/// Typed kernels on the GPU of this machine: compiled by its driver from PTX that is written here, and
/// executed by an interpreter. See CodeRunner about what a kernel may do to the process.
class GpuKernels {
public:
    /// Time a setting, as TimedKernels::time does.
    std::variant<Timing, Unavailable> time(const Scenario& scenario, const Params& params,
                                           const StopRule& rule, const std::atomic<bool>* cancel = nullptr);

    /// Read hardware counters of one launch in which each access is made as it is written.
    std::variant<CounterReading, Unavailable> count(const Scenario& scenario, const Params& params,
                                                    const std::vector<std::string>& metrics);

    /// Compare blocks, the first of the grid and the last one: the model against the compiled kernel, and
    /// against the interpreter, which executes on the GPU what was compiled.
    /// @param most_blocks  for the compiled kernel; the interpreter executes two
    std::variant<ComparedAddresses, Unavailable> compare(const Scenario& scenario, const Params& params,
                                                         std::int64_t most_blocks);

    /// Launch the whole grid exactly once: for profilers.
    std::variant<std::monostate, Unavailable> launch_once(const Scenario& scenario, const Params& params);

    /// Registers, memory and occupancy of the compiled kernel.
    std::variant<KernelResources, Unavailable> resources(const Scenario& scenario, const Params& params);

private:
    CodeRunner runner_;
};

}  // namespace warplens::typed
