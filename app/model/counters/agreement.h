#pragma once

// The folder app/model/counters/ says what hardware counters will show for a launch, and judges whether a
// reading agrees. It reads no counters itself: kernels/timing/timed.h does, and app/measure/ncu/ reads the
// files of Nsight Compute.

#include "app/model/access/report.h"
#include "app/model/catalogue.h"
#include "app/model/device/device.h"
#include "app/model/time/traffic.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// A hardware counter whose value the model can predict.
struct CounterWords {
    std::string_view metric;   ///< the name in Nsight Compute and CUPTI, as "l1tex__t_sectors_….sum"
    std::string_view group;    ///< what it counts in, as "global loads"
    std::string_view what;     ///< what it counts, as "sectors"
    std::string_view meaning;  ///< one sentence

    std::string name() const { return std::string(group) + ": " + std::string(what); }
};

/// All of them, in the order of a table, nearest to the lanes first.
std::span<const CounterWords> counter_words();

/// The expected value of one counter for a launch.
struct ExpectedCounter {
    const CounterWords* words = nullptr;
    double expected = 0;
    /// For counters of executed instructions: the most that the grid's warps can execute, with and without an
    /// active lane. A warp that is idle in an instruction may still execute it at every step of the kernel.
    double most = 0;
    /// Exact values must agree to the last digit, except for the reasons that judge_counter knows.
    /// Approximate values come from a model of caches. Recorded values come from the assembler's report.
    Provenance kind = Provenance::exact;
};

/// The expected values of all counters for one launch of a kernel over its whole grid.
struct ExpectedLaunch {
    std::vector<ExpectedCounter> counters;  ///< in the order of counter_words; only those that apply
    std::int64_t warps = 0;                 ///< warps of the grid
    bool alone = true;        ///< whether the grid has only one warp, so that its requests meet no others
    bool lanes_part = false;  ///< whether its lanes may come together later than the text says

    const ExpectedCounter* find(std::string_view metric) const;
};

/// The values that are expected for the scenario's kernel. Counters that its kernel changes by additional
/// work (filling shared memory, for example) are left out.
ExpectedLaunch expect_counters(LaunchCounts& launch);
ExpectedLaunch expect_counters(const Scenario& scenario, const Params& params, const DeviceFacts& device);

/// Warp-wide requests of a program of somebody else, with their counts.
struct CountedAccess {
    Space space = Space::global;
    Op op = Op::load;
    Totals totals;
    std::int64_t executed = 1;  ///< requests with and without an active lane
};
/// The same for requests that were traced: counters of L1, shared memory and constant memory. Counters of L2
/// and DRAM are left out, because they depend on what was executed before.
ExpectedLaunch expect_counters(std::span<const CountedAccess> accesses);

/// Which counters are read.
enum class CounterSet {
    first,    ///< in the window, while a knob is changed: sectors, wavefronts and conflicts, in one pass
    later,    ///< in the window, after the last change: requests and tags of the L1, L2 and DRAM
    counted,  ///< all that are computed from addresses
    all,
};
/// The metrics that a profiler reads for a launch. They are the same for all settings of a scenario that have
/// the same instructions.
std::vector<std::string> metrics_of(const ExpectedLaunch& launch, CounterSet set);

/// Whether the scenario's kernel fills shared memory first, by additional stores.
bool fills_shared(const Scenario& scenario, const Params& params);

/// Why the kernel of a setting cannot be compared by counters, in one sentence. Empty if it can.
std::string_view not_comparable(const Scenario& scenario, const Params& params);
/// Whether nvcc may make other accesses of an atomic operation in this memory, so that what counters say of
/// it is not known: loops of compare and swap, which load, or fewer operations.
bool may_be_remade(const Scenario& scenario, const Params& params, Space space);

enum class Verdict {
    equal,   ///< to the last digit
    within,  ///< different, for a known and bounded reason
    off,     ///< different otherwise
};
std::string_view verdict_name(Verdict verdict);  ///< "equal", "within", "off"

struct Judgement {
    Verdict verdict = Verdict::equal;
    std::string_view reason;  ///< one sentence; empty if the values are equal
};

/// The reason for more executions, up to a bound, or if nothing more is moved.
inline constexpr std::string_view kWithoutActiveLane =
    "a warp without an active lane executes its instruction, too";
/// The reason for more wavefronts than any bound for arbitration, if the counters that know addresses only
/// equal the prediction for the same launch.
inline constexpr std::string_view kArbitrationProven =
    "arbitration beyond the usual bound: counted from its addresses, the launch is as predicted";

/// Whether a judgement could be due to arbitration: a counter of wavefronts or conflicts in shared memory
/// that is off because it is too large.
bool may_be_arbitration(const ExpectedLaunch& launch, const ExpectedCounter& counter, double counted,
                        const Judgement& judgement);

/// @param own  what the kernel counts in addition to its scenario, if that is known: the same setting with a
/// single constant word shows how its arguments are read.
Judgement judge_counter(const ExpectedLaunch& launch, const ExpectedCounter& counter, double counted,
                        double own = 0);

/// Counters that Nsight Compute and CUPTI compute from addresses: they add instructions to the kernel that
/// inspect what each warp requests. They do not depend on arbitration.
std::span<const CounterWords> address_words();

/// The name in CUPTI of one of address_words. Empty for those that Nsight Compute derives from others.
std::string_view sass_metric(const CounterWords& words);

/// Expected values for a scenario's whole grid. Counters of shared memory are left out if the
/// kernel fills it with additional stores, because these counters do not distinguish loads from stores.
std::vector<ExpectedCounter> expect_address_counters(const Scenario& scenario, const Params& params,
                                                     const DeviceFacts& device);
/// The same for requests that were traced.
std::vector<ExpectedCounter> expect_address_counters(std::span<const CountedAccess> accesses);

/// These counters agree to the last digit, because arbitration has no influence on addresses; otherwise
/// another program was run.
Judgement judge_address_counter(const ExpectedCounter& counter, double counted);

}  // namespace warplens
