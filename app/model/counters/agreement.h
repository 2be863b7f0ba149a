#pragma once

#include "app/model/access/report.h"
#include "app/model/catalogue.h"
#include "app/model/device/device.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// A hardware counter that the model has an expectation of.
struct CounterWords {
    std::string_view metric;   ///< Nsight Compute's and CUPTI's name: "l1tex__t_sectors_….sum"
    std::string_view name;     ///< for people: "global loads: sectors"
    std::string_view meaning;  ///< one sentence
};

/// All of them, in the order of a table: nearest to the lanes first.
std::span<const CounterWords> counter_words();
/// Their metrics, as a profiler takes them.
std::vector<std::string> counter_metrics();

/// What one counter is expected to show of a launch.
struct ExpectedCounter {
    const CounterWords* words = nullptr;
    double expected = 0;
    /// Where it counts executed instructions: the most that the grid's warps can execute, with and without an
    /// active lane. A warp that is idle in an instruction may pass it at every step of the kernel.
    double most = 0;
    /// exact: must agree to the last digit, but for the reasons that judge_counter knows. approximate: a
    /// model of caches. recorded: the assembler's report.
    Provenance kind = Provenance::exact;
};

/// What all counters are expected to show of one launch of a kernel over its whole grid.
struct ExpectedLaunch {
    std::vector<ExpectedCounter> counters;  ///< in the order of counter_words; only those that mean something
    std::int64_t warps = 0;                 ///< of the grid
    bool alone = true;                      ///< one warp in the grid: nothing gets in the way of its requests

    const ExpectedCounter* find(std::string_view metric) const;
};

/// What the scenario's kernel is expected to show. Counters that its kernel moves by work of its own (filling
/// shared memory, for example) are left out.
/// @param grids  totals of each instruction over the grid, where they are known already; else empty
ExpectedLaunch expect_counters(const Scenario& scenario, const Params& params, const DeviceFacts& device,
                               std::span<const Totals> grids = {});

/// Warp-wide requests of a program that is not ours, with their counts.
struct CountedAccess {
    Space space = Space::global;
    Op op = Op::load;
    Totals totals;
    std::int64_t executed = 1;  ///< requests, with and without an active lane
};
/// The same for requests that were traced: counters of L1, shared memory and constants; not of L2 and DRAM,
/// which depend on what came before.
ExpectedLaunch expect_counters(std::span<const CountedAccess> accesses);

/// Which counters are worth their passes.
enum class CounterSet {
    first,    ///< in the window, while a knob is turned: sectors, wavefronts, conflicts, in one pass
    later,    ///< in the window, once nothing moves: requests and tags of the L1, L2 and DRAM
    counted,  ///< all that are counted from addresses
    all,
};
/// The metrics that a profiler is to read for a launch; the same for all settings of a scenario that have the
/// same instructions.
std::vector<std::string> metrics_of(const ExpectedLaunch& launch, CounterSet set);

/// Whether the scenario's kernel fills shared memory first, by stores of its own.
bool fills_shared(const Scenario& scenario, const Params& params);

/// Why the scenario's kernel cannot be compared by counters, in one sentence; empty: it can.
std::string_view not_comparable(const Scenario& scenario);

enum class Verdict {
    equal,   ///< to the last digit
    within,  ///< differs, for a reason that is known and bounded
    off,     ///< differs otherwise
};
std::string_view verdict_name(Verdict verdict);  ///< "equal", "within", "off"

struct Judgement {
    Verdict verdict = Verdict::equal;
    std::string_view reason;  ///< one sentence; empty when equal
};

/// @param own  what the kernel counts besides its scenario, where that is known: the same setting with a
///             single constant word tells how its arguments are read.
Judgement judge_counter(const ExpectedLaunch& launch, const ExpectedCounter& counter, double counted,
                        double own = 0);

}  // namespace warplens
