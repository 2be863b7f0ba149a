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

/// What hardware counters showed of one launch.
struct CounterReading {
    /// In the order of the metrics that were asked for; empty: this GPU has no such counter.
    std::vector<std::optional<double>> values;
    int passes = 0;         ///< the hardware counts a few at a time: so often was it launched
    double elapsed_ms = 0;  ///< all passes and their evaluation [ms]
};

/// The GPU's own counters of launches that this process makes, by CUPTI's range profiler (CUDA 12.6 and
/// later), which is loaded when it is first needed: the program starts without it. Use it from one thread,
/// on which a CUDA context is current. Starting takes about half a second, once.
class HardwareCounters {
public:
    HardwareCounters();
    ~HardwareCounters();
    HardwareCounters(const HardwareCounters&) = delete;
    HardwareCounters& operator=(const HardwareCounters&) = delete;

    /// Count what happens on the GPU while `launch` runs.
    /// @param metrics  by the names of Nsight Compute: "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
    /// @param before   called before each pass, not counted.
    /// @param launch   called once for each pass; must do the same each time, and wait until it is done.
    /// @return  or why not, with what to do: no CUPTI, no permission, another profiler is attached.
    /// Errors: what `launch` throws; CudaError.
    std::variant<CounterReading, Unavailable> count(const std::vector<std::string>& metrics,
                                                    const std::function<void()>& before,
                                                    const std::function<void()>& launch);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace warplens
