#pragma once

// Plain C++: callers need neither nvcc nor a CUDA header.
#include "kernels/params.h"
#include "kernels/timing/counters.h"
#include "kernels/timing/kernel_resources.h"
#include "kernels/unavailable.h"

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace warplens {

/// When to stop repeating a launch: at least `min_repeats`, then as soon as the half-width of the 95 %
/// confidence interval of the median is below `relative_error` of it, in any case after `max_repeats` or
/// `max_seconds`.
struct StopRule {
    int warm_up = 2;
    int min_repeats = 7;
    int max_repeats = 100;
    double relative_error = 0.01;
    double max_seconds = 0.25;
    /// Empty the L2 before each timed launch. Otherwise launches follow each other, and each finds what the
    /// one before has left there.
    bool cold = false;
    friend bool operator==(const StopRule&, const StopRule&) = default;
};

/// A measured time. Provenance: measured. Medians, because one slow run says nothing about the kernel.
struct Timing {
    /// one launch over the whole grid [microseconds]; where cycles are taken, of the timed loop
    double median_us = 0;
    double lower_us = 0;  ///< first quartile
    double upper_us = 0;  ///< third quartile
    int repeats = 0;
    /// bytes that the active lanes asked for in one launch [bytes]; 0: not in bytes
    double useful_bytes = 0;
    double flop = 0;                            ///< floating-point operations of one launch; 0: none
    double cycles_per_request = 0;              ///< by the SM's clock; 0: not taken
    double cycles_lower = 0, cycles_upper = 0;  ///< quartiles of it
    /// The pictured warp's requests to shared memory, over and over: cycles of each by the SM's clock, with
    /// quartiles; 0: it has none.
    double bank_cycles = 0, bank_cycles_lower = 0, bank_cycles_upper = 0;
    /// So many bytes that the launches wrote were compared with what belongs there; a wrong one would have
    /// made the setting Unavailable. 0: nothing is written that could be told.
    int checked_bytes = 0;
    bool fits_l2 = false;     ///< the touched bytes fit the L2: unless cold, this measured the cache
    bool cold = false;        ///< the L2 was emptied before each launch
    double sm_clock_mhz = 0;  ///< of the SMs right after the last repeat; 0: not told
    std::string gpu;          ///< which GPU
    /// What a library needs for the same task, timed on the same GPU: its name, and the median
    /// [microseconds]; empty: there is none, or it is not here.
    std::string library;
    double library_us = 0;
    std::string method;  ///< one sentence: kernel, launch shape, stop rule reached or limit hit

    /// Useful bytes per second [10^9 bytes/s]; 0 when the timing is not in bytes.
    double gb_per_s() const {
        return useful_bytes > 0 && median_us > 0 ? useful_bytes / median_us * 1e-3 : 0;
    }
};

/// Launches the kernel that does what a scenario says, and times it. Owns its stream, events and buffers,
/// which are kept between calls; use it from one thread.
class TimedKernels {
public:
    TimedKernels();
    ~TimedKernels();
    TimedKernels(const TimedKernels&) = delete;
    TimedKernels& operator=(const TimedKernels&) = delete;

    /// Blocks until done. The kernel calls the scenario's own address formula (kernels/scenarios).
    /// @param cancel  becomes true: stop soon and return Unavailable{"cancelled"}. May be null.
    /// @return  the timing; or why not: no GPU, not enough memory (with both sizes), a launch that failed.
    std::variant<Timing, Unavailable> time(std::string_view scenario, const Params& params,
                                           const StopRule& rule, const std::atomic<bool>* cancel = nullptr);

    /// Launch the scenario's kernel exactly once over its whole grid, without timing: for profilers and for
    /// counting.
    std::variant<std::monostate, Unavailable> launch_once(std::string_view scenario, const Params& params);

    /// Read hardware counters of one launch of the scenario's kernel over its whole grid, from a cold L2.
    /// @param metrics  see HardwareCounters::count
    std::variant<CounterReading, Unavailable> count(std::string_view scenario, const Params& params,
                                                    const std::vector<std::string>& metrics);

    /// Which kernels the setting launches, and what their blocks take of an SM; the timed one comes first.
    /// The launches are recorded, not carried out.
    std::variant<std::vector<KernelResources>, Unavailable> resources(std::string_view scenario,
                                                                      const Params& params);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace warplens
