#pragma once

// Plain C++: callers need neither nvcc nor a CUDA header.
#include "kernels/unavailable.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace warplens {

/// What the hardware counters showed for one launch.
struct CounterReading {
    /// In the order of the requested metrics. Empty if this GPU has no such counter.
    std::vector<std::optional<double>> values;
    /// The hardware counts a few metrics at a time; this is how often the kernel was launched.
    int passes = 0;
    double elapsed_ms = 0;  ///< all passes including their evaluation [ms]
};

/// The GPU's own counters of launches that this process makes, read by CUPTI's range profiler (CUDA 12.6 and
/// later). The library is loaded when it is first needed, so the program starts without it. Use it from one
/// thread on which a CUDA context is current. The first use takes about half a second.
class HardwareCounters {
public:
    HardwareCounters();
    ~HardwareCounters();
    HardwareCounters(const HardwareCounters&) = delete;
    HardwareCounters& operator=(const HardwareCounters&) = delete;

    /// Count what happens on the GPU while `launch` runs.
    /// @param metrics  by the names of Nsight Compute: "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
    /// @param before   called before each pass; its work is not counted.
    /// @param launch   called once for each pass; it must do the same each time, and wait until it is done.
    /// @return  the counts, or why there are none and what to do: no CUPTI, no permission, another profiler
    /// is attached.
    /// Errors: what `launch` throws; CudaError.
    std::variant<CounterReading, Unavailable> count(const std::vector<std::string>& metrics,
                                                    const std::function<void()>& before,
                                                    const std::function<void()>& launch);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace warplens
