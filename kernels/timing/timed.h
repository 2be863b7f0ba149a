#pragma once

// The folder kernels/timing/ contains how times and hardware counters are taken: launches timed by events
// or by the clock of the SM, the stop rule, the cold L2, CUPTI, NVML, and cuBLAS for comparison. Its
// own kernels are microbenchmarks (bank_loop.cu, chain.cu), the fill of the L2 and the check of outputs; the
// kernels of scenarios are in kernels/scenarios/. What is measured in which order is decided in app/measure/.
//
// Plain C++: callers need neither nvcc nor a CUDA header.

#include "kernels/params.h"
#include "kernels/unavailable.h"

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace warplens {

/// Facts about the compiled kernel of `local-spill` on the GPU of this machine. Provenance: exact.
struct SpillFacts {
    int registers = 0;    ///< per thread
    int local_bytes = 0;  ///< local memory per thread [bytes]
};

/// @return  the facts about the kernel for Params::registers and live_values, or why there are none: no GPU,
/// or no such kernel.
std::variant<SpillFacts, Unavailable> spill_facts(const Params& params);

/// The hardware counters of one launch.
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

    /// Count what the addresses of one launch ask for: CUPTI adds instructions to the kernel that inspect
    /// them, so the counts do not depend on when warps meet at the banks. It does so only for the first
    /// kernel that a process launches (CUDA 13.0; the documentation names no such limit), so call this once,
    /// first.
    /// @param metrics  SASS metrics of CUPTI: "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared"
    /// @param launch   called once; it must wait until it is done.
    /// @return  sums over the instructions of the kernel, or why there are none.
    /// Errors: as count.
    std::variant<CounterReading, Unavailable> count_addresses(const std::vector<std::string>& metrics,
                                                              const std::function<void()>& launch);

    /// Let other processes count: the GPU stays set up for the last counters until then, and refuses others.
    void release();

private:
    struct State;
    /// Runs one of the above. @return  its outcome, or why CUPTI failed.
    std::variant<CounterReading, Unavailable> attempt(
        const std::function<std::variant<CounterReading, Unavailable>()>& read);
    std::unique_ptr<State> state_;
};

/// One kernel that a setting launches, and the resources that the driver reports for it.
struct KernelResources {
    /// "grid" for a launch of the whole grid; "banks" for the loop of the pictured warp's requests to shared
    /// memory (bank_loop.cu); "chain" for its requests one after the other (chain.cu).
    std::string role;
    std::string name;        ///< as in the source, without template arguments
    int threads = 0;         ///< of a block
    int registers = 0;       ///< of a thread
    int static_shared = 0;   ///< of a block [bytes]
    int dynamic_shared = 0;  ///< of a block, as it is launched [bytes]
    int local = 0;           ///< local memory of a thread: arrays and spilled registers [bytes]
    /// the shared memory carveout that the kernel prefers [percent]; -1 if it has no preference
    int carveout = -1;
    int blocks_per_sm = 0;  ///< cudaOccupancyMaxActiveBlocksPerMultiprocessor
    bool is_timed = false;  ///< whether its times are those of the setting's measurement
    friend bool operator==(const KernelResources&, const KernelResources&) = default;
};

/// The innermost name of a mangled name, for example "transpose_tile". Any other text is returned unchanged.
inline std::string short_kernel_name(std::string_view mangled) {
    if (!mangled.starts_with("_ZN")) return std::string(mangled);
    std::string_view rest = mangled.substr(3), name;
    while (!rest.empty() && rest.front() >= '1' && rest.front() <= '9') {
        std::size_t length = 0;
        while (!rest.empty() && rest.front() >= '0' && rest.front() <= '9') {
            length = 10 * length + static_cast<std::size_t>(rest.front() - '0');
            rest.remove_prefix(1);
        }
        if (length > rest.size()) return std::string(mangled);
        name = rest.substr(0, length);
        rest.remove_prefix(length);
    }
    return std::string(name.empty() ? mangled : name);
}

/// When to stop repeating a launch: after at least `min_repeats`, as soon as the half-width of the median's
/// 95 % confidence interval is below `relative_error` of the median, and in any case after `max_repeats` or
/// `max_seconds`.
struct StopRule {
    int warm_up = 2;
    int min_repeats = 7;
    int max_repeats = 100;
    double relative_error = 0.01;
    double max_seconds = 0.25;
    /// Empty the L2 before each timed launch. Otherwise each launch finds in the L2 what the one before has
    /// left.
    bool cold = false;
    friend bool operator==(const StopRule&, const StopRule&) = default;
};

/// A measured time. Provenance: measured. Medians are used because a single slow run says nothing about the
/// kernel.
struct Timing {
    /// one launch over the whole grid [microseconds]; where cycles are taken, of the timed loop
    double median_us = 0;
    double lower_us = 0;  ///< first quartile
    double upper_us = 0;  ///< third quartile
    int repeats = 0;
    /// bytes that the active lanes requested in one launch [bytes]; 0 if the setting is not about bytes
    double useful_bytes = 0;
    double flop = 0;                ///< floating-point operations of one launch; 0 if there are none
    double cycles_per_request = 0;  ///< by the clock of the SM; 0 if not measured
    double cycles_lower = 0, cycles_upper = 0;  ///< the quartiles of cycles_per_request
    /// Cycles of each of the pictured warp's requests to shared memory, when they are repeated, by the clock
    /// of the SM, with quartiles. 0 if it has no such requests.
    double bank_cycles = 0, bank_cycles_lower = 0, bank_cycles_upper = 0;
    /// How many bytes that the launches wrote were compared with the expected values; a wrong one would have
    /// made the setting Unavailable. 0 if the output cannot be predicted.
    int checked_bytes = 0;
    bool fits_l2 = false;  ///< The accessed bytes fit into the L2, so unless `cold` is set, the time is that
                           ///< of the cache.
    bool cold = false;     ///< the L2 was emptied before each launch
    double sm_clock_mhz = 0;  ///< SM clock right after the last repeat; 0 if not reported
    std::string gpu;          ///< the name of the GPU
    /// The name of a library that does the same task, timed on the same GPU, and its median time
    /// [microseconds]. Empty if there is none on this machine.
    std::string library;
    double library_us = 0;
    std::string method;  ///< one sentence: kernel, launch shape, stop rule reached or limit hit

    /// Requested bytes per second [10^9 bytes/s]. 0 if the timing is not in bytes.
    double gb_per_s() const {
        return useful_bytes > 0 && median_us > 0 ? useful_bytes / median_us * 1e-3 : 0;
    }
};

/// Launches and times the kernel of a scenario. Owns its stream, events and buffers, which are kept between
/// calls. Use it from one thread.
class TimedKernels {
public:
    TimedKernels();
    ~TimedKernels();
    TimedKernels(const TimedKernels&) = delete;
    TimedKernels& operator=(const TimedKernels&) = delete;

    /// Blocks until done.
    /// @param cancel  when it becomes true, stop soon and return Unavailable{"cancelled"}. May be null.
    /// @return  the timing, or why there is none: no GPU, not enough memory (with both sizes), a launch that
    /// failed.
    std::variant<Timing, Unavailable> time(std::string_view scenario, const Params& params,
                                           const StopRule& rule, const std::atomic<bool>* cancel = nullptr);

    /// Launch the scenario's kernel exactly once over its whole grid, without timing it: for profilers and
    /// for counting.
    std::variant<std::monostate, Unavailable> launch_once(std::string_view scenario, const Params& params);

    /// Read hardware counters of one launch of the scenario's kernel over its whole grid, with a cold L2.
    /// @param metrics  see HardwareCounters::count
    std::variant<CounterReading, Unavailable> count(std::string_view scenario, const Params& params,
                                                    const std::vector<std::string>& metrics);

    /// Count what the addresses of one launch over the whole grid ask for, as
    /// HardwareCounters::count_addresses says: in a process that has launched nothing before. Buffers are not
    /// filled first, because that takes a kernel; so no scenario whose addresses are read from memory.
    std::variant<CounterReading, Unavailable> count_addresses(std::string_view scenario, const Params& params,
                                                              const std::vector<std::string>& metrics);

    /// Let other processes use the hardware counters.
    void release_counters();

    /// Which kernels the setting launches, and what their blocks need of an SM; the timed kernel comes first.
    /// The launches are recorded, not executed.
    std::variant<std::vector<KernelResources>, Unavailable> resources(std::string_view scenario,
                                                                      const Params& params);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace warplens
