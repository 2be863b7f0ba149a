#include "app/model/counters/agreement.h"

#include "app/model/time/traffic.h"

#include <algorithm>
#include <cmath>
#include <concepts>

namespace warplens {
namespace {

using T = const Totals&;

/// Several operations, as a set.
constexpr unsigned set_of(std::same_as<Op> auto... ops) { return ((1u << int(ops)) | ...); }
constexpr unsigned kLoads = set_of(Op::load, Op::load_matrix), kStores = set_of(Op::store);
/// The L1 and the L2 count an atomic operation with a result, and one without, apart.
constexpr unsigned kAtoms = set_of(Op::atomic), kReductions = set_of(Op::reduction, Op::increment);

/// Some requests of a launch.
struct Requests {
    Space space = Space::global;
    unsigned ops = kLoads;

    bool contain(Space of, Op op) const { return space == of && (ops & set_of(op)) != 0; }
};
constexpr Requests kGlobalLoads{Space::global}, kGlobalStores{Space::global, kStores};
constexpr Requests kGlobalAtoms{Space::global, kAtoms}, kGlobalReductions{Space::global, kReductions};
constexpr Requests kSharedLoads{Space::shared}, kSharedStores{Space::shared, kStores};
constexpr Requests kSharedAtomics{Space::shared, kAtoms | kReductions};
constexpr Requests kMatrixLoads{Space::shared, set_of(Op::load_matrix)},
    kOtherSharedLoads{Space::shared, set_of(Op::load)};
constexpr Requests kLocalLoads{Space::local}, kLocalStores{Space::local, kStores};
constexpr Requests kConstantLoads{Space::constant}, kTextureLoads{Space::texture};

/// A counter, and what it sums up over which requests.
struct CounterSource {
    std::string_view metric, group, what, meaning;  ///< see CounterWords
    Requests requests = {};
    std::int64_t (*count)(T) = nullptr;  ///< null if the counter is modelled instead
    enum class Kind {
        plain,
        twin,      ///< another counter has the same value and needs one pass less
        executed,  ///< instructions, with and without an active lane
    } kind = Kind::plain;
};
constexpr auto kTwin = CounterSource::Kind::twin, kExecuted = CounterSource::Kind::executed;

constexpr auto kRequestsOf = [](T t) { return t.requests; };
constexpr auto kSectorsOf = [](T t) { return t.sectors; };
constexpr auto kLinesOf = [](T t) { return t.lines; };
constexpr auto kWavefrontsOf = [](T t) { return t.wavefronts; };
constexpr auto kExcessiveOf = [](T t) { return t.excessive_wavefronts(); };

constexpr std::string_view kGlobalLoadsExecuted = "smsp__inst_executed_op_global_ld.sum";
constexpr std::string_view kSharedLoadsExecuted = "smsp__inst_executed_op_shared_ld.sum";
constexpr std::string_view kGlobalLoadTags = "l1tex__t_set_accesses_pipe_lsu_mem_global_op_ld.sum";
constexpr std::string_view kL2Read = "lts__t_sectors_srcunit_tex_op_read.sum";
constexpr std::string_view kL2Write = "lts__t_sectors_srcunit_tex_op_write.sum";
constexpr std::string_view kDramRead = "dram__sectors_read.sum";
constexpr std::string_view kDramWrite = "dram__sectors_write.sum";

constexpr CounterSource kCounterSources[] = {
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "global loads", "requests",
     "Warp-wide loads from global memory.", kGlobalLoads, kRequestsOf, kTwin},
    {kGlobalLoadsExecuted, "global loads", "instructions",
     "Warp-wide loads from global memory that were executed.", kGlobalLoads, kRequestsOf, kExecuted},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "global loads", "sectors",
     "32-byte sectors that these loads request.", kGlobalLoads, kSectorsOf},
    {kGlobalLoadTags, "global loads", "tags", "128-byte lines that these loads look up in the L1.",
     kGlobalLoads, kLinesOf},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "global stores", "requests",
     "Warp-wide stores to global memory.", kGlobalStores, kRequestsOf, kTwin},
    {"smsp__inst_executed_op_global_st.sum", "global stores", "instructions",
     "Warp-wide stores to global memory that were executed.", kGlobalStores, kRequestsOf, kExecuted},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "global stores", "sectors",
     "32-byte sectors that these stores touch.", kGlobalStores, kSectorsOf},
    {"l1tex__t_set_accesses_pipe_lsu_mem_global_op_st.sum", "global stores", "tags",
     "128-byte lines that these stores touch.", kGlobalStores, kLinesOf},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "global atomics", "requests",
     "Warp-wide atomic operations in global memory whose result is used.", kGlobalAtoms, kRequestsOf},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", "global atomics", "sectors",
     "32-byte sectors, each as often as lanes of one word wait for each other.", kGlobalAtoms, kSectorsOf},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", "global reductions", "requests",
     "Warp-wide atomic operations in global memory without a result.", kGlobalReductions, kRequestsOf, kTwin},
    {"smsp__inst_executed_op_global_red.sum", "global reductions", "instructions",
     "Warp-wide atomic operations without a result that were executed.", kGlobalReductions, kRequestsOf,
     kExecuted},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", "global reductions", "sectors",
     "32-byte sectors, each as often as lanes of one word wait for each other.", kGlobalReductions,
     kSectorsOf},
    {kSharedLoadsExecuted, "shared loads", "instructions", "Warp-wide loads from shared memory.",
     kOtherSharedLoads, kRequestsOf, kExecuted},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "shared loads", "wavefronts",
     "Trips through the banks that loads needed.", kSharedLoads, kWavefrontsOf},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "shared loads", "bank conflicts",
     "Wavefronts above the ideal.", kSharedLoads, kExcessiveOf},
    {"smsp__inst_executed_op_shared_st.sum", "shared stores", "instructions",
     "Warp-wide stores to shared memory.", kSharedStores, kRequestsOf, kExecuted},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "shared stores", "wavefronts",
     "Trips through the banks that stores needed.", kSharedStores, kWavefrontsOf},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "shared stores", "bank conflicts",
     "Wavefronts above the ideal.", kSharedStores, kExcessiveOf},
    {"smsp__inst_executed_op_shared_atom.sum", "shared atomics", "instructions",
     "Warp-wide atomic operations in shared memory.", kSharedAtomics, kRequestsOf, kExecuted},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", "shared atomics", "wavefronts",
     "Trips through the banks, one for each lane that meets others in a bank.", kSharedAtomics,
     kWavefrontsOf},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum", "shared atomics", "bank conflicts",
     "Wavefronts above the ideal.", kSharedAtomics, kExcessiveOf},
    {"smsp__inst_executed_op_ldsm.sum", "ldmatrix", "instructions", "Warp-wide loads of 8 x 8 matrices.",
     kMatrixLoads, kRequestsOf, kExecuted},
    {"idc__requests.sum", "constant", "requests",
     "Passes through the constant cache: one for each distinct word of an instruction.", kConstantLoads,
     kRequestsOf},
    {"l1tex__t_requests_pipe_tex_mem_texture.sum", "texture", "requests", "Groups of four lanes.",
     kTextureLoads, kRequestsOf},
    {"l1tex__t_sectors_pipe_tex_mem_texture.sum", "texture", "sectors", "32-byte sectors of 4 x 2 texels.",
     kTextureLoads, kSectorsOf},
    {"l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", "local loads", "requests",
     "Warp-wide loads from per-thread arrays and of spilled registers.", kLocalLoads, kRequestsOf, kTwin},
    {"smsp__inst_executed_op_local_ld.sum", "local loads", "instructions",
     "Warp-wide loads of per-thread arrays and spilled registers that were executed.", kLocalLoads,
     kRequestsOf, kExecuted},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", "local loads", "sectors",
     "32-byte sectors that these loads request.", kLocalLoads, kSectorsOf},
    {"l1tex__t_requests_pipe_lsu_mem_local_op_st.sum", "local stores", "requests",
     "Warp-wide stores to per-thread arrays and of spilled registers.", kLocalStores, kRequestsOf, kTwin},
    {"smsp__inst_executed_op_local_st.sum", "local stores", "instructions",
     "Warp-wide stores of per-thread arrays and spilled registers that were executed.", kLocalStores,
     kRequestsOf, kExecuted},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", "local stores", "sectors",
     "32-byte sectors that these stores touch.", kLocalStores, kSectorsOf},
    {kL2Read, "L2", "sectors read", "32-byte sectors that the SMs fetched from the L2."},
    {kL2Write, "L2", "sectors written", "32-byte sectors that the SMs wrote to the L2."},
    {"lts__t_sectors_srcunit_tex_op_atom.sum", "L2", "sectors of atomics",
     "32-byte sectors that atomic operations with a result come to.", kGlobalAtoms, kSectorsOf},
    {"lts__t_sectors_srcunit_tex_op_red.sum", "L2", "sectors of reductions",
     "32-byte sectors that atomic operations without a result come to.", kGlobalReductions, kSectorsOf},
    {kDramRead, "DRAM", "sectors read", "32-byte sectors that DRAM delivered."},
    {kDramWrite, "DRAM", "sectors written", "32-byte sectors that were stored in DRAM."},
};
constexpr std::size_t kCount = std::size(kCounterSources);

constexpr auto kCounterWords = [] {
    std::array<CounterWords, kCount> words{};
    for (std::size_t i = 0; i < kCount; ++i) {
        const CounterSource& source = kCounterSources[i];
        words[i] = {source.metric, source.group, source.what, source.meaning};
    }
    return words;
}();

const CounterSource& source_of(const ExpectedCounter& counter) {
    return kCounterSources[counter.words - kCounterWords.data()];
}

struct Sum {
    double counted = 0;
    double most = 0;  ///< requests, if no warp were idle
};
/// Sums by counter. Empty if the kernel does more than the scenario says, or if the scenario does nothing
/// there.
using Sums = std::array<std::optional<Sum>, kCount>;

void add(Sums& sums, Space space, Op op, const Totals& totals, double most) {
    for (std::size_t i = 0; i < kCount; ++i) {
        const CounterSource& source = kCounterSources[i];
        if (source.count == nullptr || !source.requests.contain(space, op)) continue;
        Sum sum = sums[i].value_or(Sum{});
        sum.counted += double(source.count(totals));
        sum.most += most;
        sums[i] = sum;
    }
}

std::size_t index_of(std::string_view metric) {
    std::size_t i = 0;
    while (kCounterSources[i].metric != metric) ++i;
    return i;
}

/// Adds what reaches the L2, if the traffic model covers it, and what DRAM would transfer without an L2.
void add_traffic(Sums& sums, Traffic& all, LaunchCounts& launch, int index) {
    const Instruction instruction = launch.scenario.instruction(launch.params, index);
    if (instruction.space != Space::global && instruction.space != Space::texture) return;
    if (launch.shape.host != HostKind::none) return;  // what moves on demand or in place passes otherwise
    const Traffic& traffic = launch.traffic(index);
    const auto more = [&sums](std::string_view metric, double sectors) {
        std::optional<Sum>& sum = sums[index_of(metric)];
        sum = Sum{sum.value_or(Sum{}).counted + sectors};
    };
    if (!is_atomic(instruction.op))
        more(is_load(instruction.op) ? kL2Read : kL2Write,
             sectors_past_l1(instruction, traffic, launch.grid(index), launch.device));
    all += traffic;
}

/// Counters are read for a launch with an empty L2.
void add_dram(Sums& sums, const Traffic& all, const DeviceFacts& device) {
    const Traffic dram = beyond_l2(all, device, true);
    sums[index_of(kDramRead)] = Sum{(dram.read + dram.filled) / kSectorBytes};
    sums[index_of(kDramWrite)] = Sum{dram.written / kSectorBytes};
}

void keep_what_is_known(ExpectedLaunch& launch, const Sums& sums, Provenance kind) {
    for (std::size_t i = 0; i < kCount; ++i) {
        if (!sums[i]) continue;
        launch.counters.push_back(
            {.words = &kCounterWords[i],
             .expected = sums[i]->counted,
             .most = sums[i]->most,
             .kind = kCounterSources[i].count == nullptr ? Provenance::approximate : kind});
    }
}

/// The additional wavefronts when warps access the banks at the same time: up to 10 % were measured on an
/// H200. Stores of matrix-ladder's register tile had up to 18 %; for more than this bound the counters that
/// know addresses only (address_words) have to be asked.
constexpr double kArbitration = 0.1;

/// A loop that fetches ahead passes the loads and stores of a tile beyond the last with no lane active.
/// @return  at most so many of each thread
int most_ahead(const Scenario& scenario, const Params& params) {
    constexpr int kMostOfProduct = 8;
    if (speed_unit_of(*scenario.info, params) == SpeedUnit::gflop_per_s) return kMostOfProduct;
    if (scenario.info->streaming == nullptr) return 0;
    const Streaming streaming = scenario.info->streaming(params);
    return streaming.in_registers ? streaming.stages * streaming.loads : 0;
}

/// The largest number of words of constant memory that a warp was seen to read for its kernel's arguments.
constexpr double kMostArgumentReads = 32;

/// Lanes that part may make so many more requests: 0.5 and 3 % were counted for the two of 5,000 random
/// kernels of which nvcc lets them come together later.
constexpr double kPartedTolerance = 0.1;

/// The tolerance for counters that depend on a model of caches.
constexpr double kModelTolerance = 0.1;

/// The wavefronts that a counter, or a counter of conflicts, refers to. 0 for other counters.
double wavefronts_behind(const ExpectedLaunch& launch, const ExpectedCounter& counter) {
    const CounterSource& source = source_of(counter);
    if (source.count == +kWavefrontsOf) return counter.expected;
    if (source.count != +kExcessiveOf) return 0;
    const auto all = std::ranges::find_if(launch.counters, [&](const ExpectedCounter& one) {
        return source_of(one).count == +kWavefrontsOf && source_of(one).requests.ops == source.requests.ops;
    });
    return all == launch.counters.end() ? 0 : all->expected;
}

std::string_view reason_of_model(const CounterSource& source, bool more) {
    const std::string_view metric = source.metric;
    if (source.requests.space == Space::global && (source.requests.ops & (kAtoms | kReductions)) != 0)
        return kMoreLines;
    if (source.requests.space == Space::texture)
        return "some blocks of the grid stand for all, and their samples do not lie alike";
    if (metric == kDramWrite)
        return more ? "lines that were in the L2 before had to be written back as well"
                    : "lines that were written stay in the L2 until their place is needed";
    if (metric == kDramRead)
        return more
                   ? "DRAM delivers whole pieces of the fetch granularity, and sectors that are written in part"
                   : "some of it was in the L2 already";
    return more ? "neighbouring blocks did not find each other's sectors in the L1"
                : "the L1 kept more than a few neighbouring blocks share";
}

}  // namespace

std::span<const CounterWords> counter_words() { return kCounterWords; }

std::vector<std::string> metrics_of(const ExpectedLaunch& launch, CounterSet set) {
    std::vector<std::string> metrics;
    for (const ExpectedCounter& counter : launch.counters) {
        const CounterSource& source = source_of(counter);
        const bool modelled = source.count == nullptr, twin = source.kind == kTwin;
        const bool later = modelled || source.count == +kLinesOf ||
                           (source.count == +kRequestsOf && source.requests.space != Space::shared);
        const bool wanted = set == CounterSet::first     ? !twin && !later
                            : set == CounterSet::later   ? !twin && later
                            : set == CounterSet::counted ? !modelled
                                                         : true;
        if (wanted) metrics.emplace_back(counter.words->metric);
    }
    return metrics;
}

const ExpectedCounter* ExpectedLaunch::find(std::string_view metric) const {
    for (const ExpectedCounter& counter : counters) {
        if (counter.words->metric == metric) return &counter;
    }
    return nullptr;
}

/// Shared memory that is loaded before it is stored is filled first, by additional stores of the kernel.
bool fills_shared(const Scenario& scenario, const Params& params) {
    if (scenario.typed != nullptr) return false;  // it is launched as it was typed
    for (int i = 0; i < scenario.instruction_count(params); ++i) {
        const Instruction one = scenario.instruction(params, i);
        if (has_banks(one.space)) return is_load(one.op);
    }
    return false;
}

std::string_view not_comparable(const Scenario& scenario, const Params& params) {
    return scenario.info->not_counted == nullptr ? std::string_view() : scenario.info->not_counted(params);
}

bool may_be_remade(const Scenario& scenario, const Params& params, Space space) {
    for (int i = 0; i < scenario.instruction_count(params); ++i) {
        const Instruction one = scenario.instruction(params, i);
        if (one.remade && one.space == space) return true;
    }
    return false;
}

ExpectedLaunch expect_counters(LaunchCounts& counted) {
    const Scenario& scenario = counted.scenario;
    const Params& params = counted.params;
    const DeviceFacts& device = counted.device;
    const LaunchShape& shape = counted.shape;
    ExpectedLaunch launch;
    launch.warps = std::int64_t{shape.grid.x} * shape.grid.y * warps_per_block(shape);
    launch.alone = launch.warps == 1;
    launch.lanes_part = scenario.typed != nullptr && scenario.typed->lanes_part(params);
    if (!not_comparable(scenario, params).empty()) return launch;
    Sums sums;
    Traffic all;
    Provenance kind = scenario.instruction(params, 0).by_assembler ? Provenance::recorded : Provenance::exact;
    bool copies = false;     // whether asynchronous copies fill shared memory
    bool conflicts = false;  // of these copies, in its banks
    bool bulk = false;       // by TMA
    bool sure = true;        // of the sectors of atomic operations
    std::int64_t steps =
        0;  // of all instructions, which is how often an idle warp can pass one of them at most
    for (int i = 0; i < scenario.instruction_count(params); ++i)
        steps += steps_of(shape, scenario.instruction(params, i));
    // A step of a typed kernel is an execution, so its warps may pass an instruction more often than it has
    // steps.
    const bool typed = scenario.typed != nullptr;
    const int never = typed ? scenario.typed->never_executed(params) : 0;
    if (bool exact = true; typed) {
        scenario.typed->count_grid(params, 0, device, exact);
        if (!exact) kind = Provenance::approximate;
    }
    steps += never * steps;  // each at most as often as all that are executed
    for (int i = 0; i < scenario.instruction_count(params); ++i) {
        const Instruction one = scenario.instruction(params, i);
        const Totals& totals = counted.grid(i);
        const bool linear = one.space == Space::texture && one.linear;
        if (linear || scenario.info->irregular)
            kind = Provenance::approximate;  // because some blocks are counted for all
        const bool idle = typed || totals.instructions < launch.warps * steps_of(shape, one);
        const std::int64_t ahead = launch.warps * most_ahead(scenario, params);
        const std::int64_t most = idle ? launch.warps * steps : totals.instructions + ahead;
        copies = copies || (one.operand && one.space == Space::shared);
        conflicts =
            conflicts || (one.operand && one.space == Space::shared && totals.excessive_wavefronts() > 0);
        bulk = bulk || one.bulk;
        sure = sure && is_sure_of_sectors(scenario, params, i, device);
        if (!one.operand && !one.remade) add(sums, one.space, one.op, totals, double(most));
        add_traffic(sums, all, counted, i);
    }
    if (all.useful > 0) add_dram(sums, all, device);
    if (copies) {
        // They make requests like loads, but count as instructions of a kind of their own; and nvcc places
        // loads of shared memory before them that no lane executes (measured on an H200).
        // If copies have bank conflicts, the L1 looks up their lines again (twice for two-way conflicts).
        if (conflicts) sums[index_of(kGlobalLoadTags)].reset();
        sums[index_of(kGlobalLoadsExecuted)].reset();
        sums[index_of(kSharedLoadsExecuted)].reset();
    }
    const bool fills = fills_shared(scenario, params);
    const bool remade_shared = may_be_remade(scenario, params, Space::shared),
               remade_global = may_be_remade(scenario, params, Space::global);
    for (std::size_t i = 0; i < kCount; ++i) {
        const auto& requests = kCounterSources[i].requests;
        // Whether waiting at an mbarrier counts as loading has not been measured.
        if ((fills && requests.contain(Space::shared, Op::store)) ||
            (bulk && requests.contain(Space::shared, Op::load)))
            sums[i].reset();
        const bool adds = (requests.ops & (kAtoms | kReductions)) != 0;
        if ((remade_shared && requests.space == Space::shared) ||
            (remade_global && requests.space == Space::global && adds))
            sums[i].reset();
    }
    keep_what_is_known(launch, sums, kind);
    if (!sure) {
        for (ExpectedCounter& counter : launch.counters) {
            const CounterSource& source = source_of(counter);
            const bool adds = (source.requests.ops & (kAtoms | kReductions)) != 0;
            if (adds && source.requests.space == Space::global && source.count == +kSectorsOf)
                counter.kind = Provenance::approximate;
        }
    }
    return launch;
}

ExpectedLaunch expect_counters(const Scenario& scenario, const Params& params, const DeviceFacts& device) {
    LaunchCounts launch(scenario, params, device);
    return expect_counters(launch);
}

ExpectedLaunch expect_counters(std::span<const CountedAccess> accesses) {
    ExpectedLaunch launch;
    launch.alone = accesses.size() == 1;
    launch.warps = static_cast<std::int64_t>(accesses.size());
    Sums sums;
    for (const CountedAccess& access : accesses)
        add(sums, access.space, access.op, access.totals, double(access.executed));
    keep_what_is_known(launch, sums, Provenance::exact);
    return launch;
}

std::string_view verdict_name(Verdict verdict) {
    constexpr std::string_view kNames[] = {"equal", "within", "off"};
    return kNames[int(verdict)];
}

Judgement judge_counter(const ExpectedLaunch& launch, const ExpectedCounter& counter, double counted,
                        double own) {
    const CounterSource& source = source_of(counter);
    const double more = counted - own - counter.expected;
    if (more == 0) return {};
    // That lanes part changes nothing of what they access, only how often they do it together.
    if (counter.kind == Provenance::approximate && (!launch.lanes_part || source.count == nullptr)) {
        const bool near = std::abs(more) <= kModelTolerance * std::max(counter.expected, 1.0);
        return {near ? Verdict::within : Verdict::off, reason_of_model(source, more > 0)};
    }
    if (counter.kind == Provenance::recorded)
        return {Verdict::within, "what the assembler spills is recorded from its report, not counted"};
    if (source.kind == kExecuted && more > 0 && counted <= counter.most)
        return {Verdict::within, kWithoutActiveLane};
    const double wavefronts = wavefronts_behind(launch, counter);
    if (wavefronts > 0 && !launch.alone && more > 0)
        return more <= kArbitration * wavefronts
                   ? Judgement{Verdict::within,
                               "arbitration: warps that ask at the same time get in each other's way"}
                   : Judgement{Verdict::off,
                               "more than arbitration usually adds: measure --addresses counts without it"};
    if (launch.lanes_part && more > 0 && more <= kPartedTolerance * counter.expected)
        return {Verdict::within, "lanes that part came together later than the text says"};
    const double per_warp = launch.warps > 0 ? more / double(launch.warps) : 0;
    if (source.requests.space == Space::constant && own == 0 && per_warp > 0 &&
        per_warp <= kMostArgumentReads && per_warp == std::floor(per_warp))
        return {Verdict::within, "kernels read their arguments from constant memory, too"};
    return {Verdict::off, "not explained: one of the two is wrong"};
}

bool may_be_arbitration(const ExpectedLaunch& launch, const ExpectedCounter& counter, double counted,
                        const Judgement& judgement) {
    return judgement.verdict == Verdict::off && !launch.alone && counter.kind == Provenance::exact &&
           counted > counter.expected && wavefronts_behind(launch, counter) > 0;
}

}  // namespace warplens
