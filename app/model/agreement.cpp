#include "app/model/agreement.h"

#include "app/model/traffic.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace warplens {
namespace {

using T = const Totals&;

/// A counter, and what of a request's counts it sums up; null: it is modelled, not counted.
struct Source {
    CounterWords words;
    Space space = Space::global;
    bool store = false;
    std::int64_t (*count)(T) = nullptr;
    bool of_matrices = false;  ///< ldmatrix has a counter of requests of its own
    bool of_others = false;    ///< and is left out of this one
};

constexpr auto kRequests = [](T t) { return t.requests; };
constexpr auto kInstructions = [](T t) { return t.instructions; };
constexpr auto kSectors = [](T t) { return t.sectors; };
constexpr auto kWavefronts = [](T t) { return t.wavefronts; };

constexpr std::string_view kL2Read = "lts__t_sectors_srcunit_tex_op_read.sum";
constexpr std::string_view kL2Write = "lts__t_sectors_srcunit_tex_op_write.sum";
constexpr std::string_view kDramRead = "dram__sectors_read.sum";
constexpr std::string_view kDramWrite = "dram__sectors_write.sum";

constexpr Source kSources[] = {
    {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "global loads: requests",
      "Warp-wide loads from global memory."},
     Space::global,
     false,
     kRequests},
    {{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "global loads: sectors",
      "32-byte sectors that these loads want."},
     Space::global,
     false,
     kSectors},
    {{"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "global stores: requests",
      "Warp-wide stores to global memory."},
     Space::global,
     true,
     kRequests},
    {{"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "global stores: sectors",
      "32-byte sectors that these stores touch."},
     Space::global,
     true,
     kSectors},
    {{"smsp__inst_executed_op_shared_ld.sum", "shared loads: instructions",
      "Warp-wide loads from shared memory."},
     Space::shared,
     false,
     kRequests,
     false,
     true},
    {{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "shared loads: wavefronts",
      "Trips through the banks that loads needed."},
     Space::shared,
     false,
     kWavefronts},
    {{"smsp__inst_executed_op_shared_st.sum", "shared stores: instructions",
      "Warp-wide stores to shared memory."},
     Space::shared,
     true,
     kRequests},
    {{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "shared stores: wavefronts",
      "Trips through the banks that stores needed."},
     Space::shared,
     true,
     kWavefronts},
    {{"smsp__inst_executed_op_ldsm.sum", "ldmatrix: instructions", "Warp-wide loads of 8 x 8 matrices."},
     Space::shared,
     false,
     kRequests,
     true},
    {{"idc__requests.sum", "constant: requests",
      "Passes through the constant cache: one for each distinct word of an instruction."},
     Space::constant,
     false,
     kRequests},
    {{"l1tex__t_requests_pipe_tex_mem_texture.sum", "texture: requests", "Groups of four lanes."},
     Space::texture,
     false,
     kRequests},
    {{"l1tex__t_sectors_pipe_tex_mem_texture.sum", "texture: sectors", "32-byte sectors of 4 x 2 texels."},
     Space::texture,
     false,
     kSectors},
    {{"l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", "local loads: requests",
      "Warp-wide loads from private arrays and of spilled registers."},
     Space::local,
     false,
     kRequests},
    {{"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", "local loads: sectors",
      "32-byte sectors that these loads want."},
     Space::local,
     false,
     kSectors},
    {{"l1tex__t_requests_pipe_lsu_mem_local_op_st.sum", "local stores: requests",
      "Warp-wide stores to private arrays and of spilled registers."},
     Space::local,
     true,
     kRequests},
    {{"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", "local stores: sectors",
      "32-byte sectors that these stores touch."},
     Space::local,
     true,
     kSectors},
    {{kL2Read, "L2: sectors read", "32-byte sectors that the SMs fetched from the L2."}},
    {{kL2Write, "L2: sectors written", "32-byte sectors that the SMs wrote to the L2."}},
    {{kDramRead, "DRAM: sectors read", "32-byte sectors that DRAM delivered."}},
    {{kDramWrite, "DRAM: sectors written", "32-byte sectors that were stored in DRAM."}},
};
constexpr std::size_t kCount = std::size(kSources);

constexpr auto kWords = [] {
    std::array<CounterWords, kCount> words{};
    for (std::size_t i = 0; i < kCount; ++i) words[i] = kSources[i].words;
    return words;
}();

constexpr std::string_view kConstantRequests = "idc__requests.sum";

bool sums_up(const Source& source, Space space, Op op) {
    if (source.count == nullptr || source.space != space || source.store != !is_load(op)) return false;
    const bool matrices = op == Op::load_matrix;
    return !(source.of_matrices && !matrices) && !(source.of_others && matrices);
}

/// Sums by counter; empty: the kernel does more than the scenario says, or the scenario does nothing there.
using Sums = std::array<std::optional<double>, kCount>;

void add(Sums& sums, Space space, Op op, const Totals& totals) {
    for (std::size_t i = 0; i < kCount; ++i) {
        if (sums_up(kSources[i], space, op))
            sums[i] = sums[i].value_or(0) + static_cast<double>(kSources[i].count(totals));
    }
}

std::size_t index_of(std::string_view metric) {
    std::size_t i = 0;
    while (kSources[i].words.metric != metric) ++i;
    return i;
}

/// Shared memory that is loaded before it is stored gets filled first, by stores of the kernel's own.
bool fills_shared(const Scenario& scenario, const Params& params) {
    if (scenario.info->kernel != Kernel::replay) return false;
    for (int i = 0; i < scenario.instruction_count(params); ++i) {
        const Instruction one = scenario.instruction(params, i);
        if (has_banks(one.space)) return is_load(one.op);
    }
    return false;
}

/// What reaches the L2, where the model of traffic knows it, and what DRAM would see of it without an L2.
void add_traffic(Sums& sums, Traffic& all, const Scenario& scenario, const Params& params,
                 const Totals& totals, int index, const LaunchShape& shape, const DeviceFacts& device) {
    const Instruction instruction = scenario.instruction(params, index);
    if (instruction.space != Space::global && instruction.space != Space::texture) return;
    const Traffic traffic = count_traffic(scenario, params, index, shape, device);
    const auto more = [&sums](std::string_view metric, double sectors) {
        std::optional<double>& sum = sums[index_of(metric)];
        sum = sum.value_or(0) + sectors;
    };
    if (is_load(instruction.op))
        more(kL2Read, traffic.sectors);
    else
        more(kL2Write, static_cast<double>(totals.sectors));
    all += traffic;
}

/// Counters are read of a launch that finds the L2 empty.
void add_dram(Sums& sums, const Traffic& all, const DeviceFacts& device) {
    const Traffic dram = beyond_l2(all, device, true);
    sums[index_of(kDramRead)] = (dram.read + dram.filled) / kSectorBytes;
    sums[index_of(kDramWrite)] = dram.written / kSectorBytes;
}

void keep_what_is_known(ExpectedLaunch& launch, const Sums& sums, Kind kind) {
    for (std::size_t i = 0; i < kCount; ++i) {
        if (!sums[i]) continue;
        launch.counters.push_back(
            {&kWords[i], *sums[i], kSources[i].count == nullptr ? Kind::approximate : kind});
    }
}

}  // namespace

std::span<const CounterWords> counter_words() { return kWords; }

std::vector<std::string> counter_metrics() {
    std::vector<std::string> metrics;
    for (const CounterWords& words : kWords) metrics.emplace_back(words.metric);
    return metrics;
}

const ExpectedCounter* ExpectedLaunch::find(std::string_view metric) const {
    for (const ExpectedCounter& counter : counters) {
        if (counter.words->metric == metric) return &counter;
    }
    return nullptr;
}

std::string_view not_comparable(const Scenario& scenario) {
    if (scenario.info->kernel == Kernel::chase)
        return "its kernel follows a chain through memory, for as long as the time takes to measure";
    return "";
}

ExpectedLaunch expect_counters(const Scenario& scenario, const Params& params, const DeviceFacts& device) {
    const LaunchShape shape = scenario.launch(params);
    ExpectedLaunch launch;
    launch.warps = std::int64_t{shape.grid.x} * shape.grid.y * warps_per_block(shape);
    launch.alone = launch.warps == 1;
    if (!not_comparable(scenario).empty()) return launch;
    Sums sums;
    Traffic all;
    Kind kind = scenario.info->kernel == Kernel::spill ? Kind::recorded : Kind::exact;
    for (int i = 0; i < scenario.instruction_count(params); ++i) {
        const Instruction one = scenario.instruction(params, i);
        const Totals totals = count_grid(scenario, params, i, device);
        const bool linear = one.space == Space::texture && one.linear;
        if (linear || scenario.info->irregular) kind = Kind::approximate;  // some blocks are counted for all
        add(sums, one.space, one.op, totals);
        add_traffic(sums, all, scenario, params, totals, i, shape, device);
        launch.idle = launch.idle || totals.instructions < launch.warps * steps_of(shape, one);
    }
    if (all.useful > 0) add_dram(sums, all, device);
    if (fills_shared(scenario, params)) {
        for (std::size_t i = 0; i < kCount; ++i) {
            if (kSources[i].space == Space::shared && kSources[i].store) sums[i].reset();
        }
    }
    keep_what_is_known(launch, sums, kind);
    return launch;
}

ExpectedLaunch expect_counters(std::span<const CountedAccess> accesses) {
    ExpectedLaunch launch;
    launch.alone = accesses.size() == 1;
    launch.warps = static_cast<std::int64_t>(accesses.size());
    Sums sums;
    for (const CountedAccess& access : accesses) add(sums, access.space, access.op, access.totals);
    keep_what_is_known(launch, sums, Kind::exact);
    return launch;
}

std::string_view verdict_name(Verdict verdict) {
    switch (verdict) {
        case Verdict::equal:
            return "equal";
        case Verdict::within:
            return "within";
        case Verdict::off:
            return "off";
    }
    return "";
}

namespace {

/// Wavefronts that warps cost each other when they ask for the banks at the same time: up to 10 % were seen
/// on an H200.
constexpr double kArbitration = 0.1;

/// Words of constant memory that a warp reads to learn its kernel's arguments: the most that was seen.
constexpr double kMostArgumentReads = 32;

/// A model of caches that is this near is as good as it claims to be.
constexpr double kModelTolerance = 0.1;

std::string_view reason_of_model(std::string_view metric, bool more) {
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

Judgement judge_counter(const ExpectedLaunch& launch, const ExpectedCounter& counter, double counted,
                        double own) {
    const std::string_view metric = counter.words->metric;
    const double more = counted - own - counter.expected;
    if (more == 0) return {};
    if (counter.kind == Kind::approximate) {
        const bool near = std::abs(more) <= kModelTolerance * std::max(counter.expected, 1.0);
        return {near ? Verdict::within : Verdict::off, reason_of_model(metric, more > 0)};
    }
    if (counter.kind == Kind::recorded)
        return {Verdict::within, "what the assembler spills is recorded from its report, not counted"};
    if (metric.find("inst_executed") != std::string_view::npos && launch.idle && more > 0)
        return {Verdict::within, "a warp without an active lane executes its instruction, too"};
    const bool wavefronts = metric.find("wavefronts_mem_shared") != std::string_view::npos;
    if (wavefronts && !launch.alone && more > 0 && more <= kArbitration * counter.expected)
        return {Verdict::within, "arbitration: warps that ask at the same time get in each other's way"};
    const double per_warp = launch.warps > 0 ? more / static_cast<double>(launch.warps) : 0;
    if (metric == kConstantRequests && own == 0 && per_warp > 0 && per_warp <= kMostArgumentReads &&
        per_warp == std::floor(per_warp))
        return {Verdict::within, "kernels read their arguments from constant memory, too"};
    return {Verdict::off, "not explained: one of the two is wrong"};
}

}  // namespace warplens
