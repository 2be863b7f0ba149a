#include "app/experiment/ncu/ncu_compare.h"

#include "app/model/access/sectors.h"

#include <fmt/format.h>

namespace warplens {
namespace {

using Value = std::optional<double>;

Value sum(Value a, Value b) { return a && b ? Value(*a + *b) : std::nullopt; }

constexpr const char* kGlobalLoadSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
constexpr const char* kL2Read = "lts__t_sectors_srcunit_tex_op_read.sum";
constexpr const char* kDramRead = "dram__sectors_read.sum";
constexpr const char* kDramWrite = "dram__sectors_write.sum";
constexpr const char* kWavefronts = "memory_l1_wavefronts_shared";
constexpr const char* kIdeal = "memory_l1_wavefronts_shared_ideal";
constexpr const char* kSectors = "memory_l2_theoretical_sectors_global";
constexpr const char* kBytesPerSector = "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio";

/// Ratios of two counters.
struct Ratio {
    std::string_view name, above, below, meaning;
};
constexpr Ratio kRatios[] = {
    {"sectors per request, global loads", kGlobalLoadSectors,
     "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
     "one sector serves 32 bytes: 4 is the best for 4 bytes per lane, 32 means a sector for every lane"},
    {"sectors per request, global stores", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
     "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "as for loads"},
    {"sectors per request, local loads", "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
     "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum",
     "lanes that use the same index share sectors: 4 is the best for 4 bytes per lane"},
    {"sectors per request, local stores", "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
     "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum", "as for loads"},
    {"sectors per request, textures", "l1tex__t_sectors_pipe_tex_mem_texture.sum",
     "l1tex__t_requests_pipe_tex_mem_texture.sum",
     "a request is a group of four lanes: 1 is the best, 4 a sector for every lane"},
};

void add_ratio(std::vector<NcuFact>& facts, std::string_view name, Value above, Value below,
               std::string_view meaning) {
    if (above && below && *below > 0) facts.push_back({name, *above / *below, "", meaning});
}

void add_shared(std::vector<NcuFact>& facts, const NcuLaunch& launch) {
    Value loads = value_of(launch, "smsp__inst_executed_op_shared_ld.sum");
    const Value matrices = value_of(launch, "smsp__inst_executed_op_ldsm.sum");
    if (loads && matrices) *loads += *matrices;  // their wavefronts are counted together
    add_ratio(facts, "wavefronts per instruction, shared loads",
              value_of(launch, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"), loads,
              "1 is free of conflicts up to 4 bytes per lane, 2 for 8 bytes, 4 for 16 bytes; ldmatrix counts "
              "as a load");
    add_ratio(facts, "wavefronts per instruction, shared stores",
              value_of(launch, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"),
              value_of(launch, "smsp__inst_executed_op_shared_st.sum"), "as for loads");
}

void add_l1_share(std::vector<NcuFact>& facts, const NcuLaunch& launch) {
    const Value global = value_of(launch, kGlobalLoadSectors), l2 = value_of(launch, kL2Read);
    if (!global || !l2) return;
    const double wanted = *global +
                          value_of(launch, "l1tex__t_sectors_pipe_tex_mem_texture.sum").value_or(0) +
                          value_of(launch, "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum").value_or(0);
    if (wanted > 0 && *l2 <= wanted)
        facts.push_back({"sectors that the L1 had", 100 * (1 - *l2 / wanted), "%",
                         "of those that loads requested: the rest was read from the L2"});
}

void add_dram_share(std::vector<NcuFact>& facts, const NcuLaunch& launch) {
    add_ratio(
        facts, "DRAM sectors per sector read from the L2", value_of(launch, kDramRead),
        value_of(launch, kL2Read),
        "below 1 the L2 had the rest; above 1 DRAM delivered more than was asked for, or filled sectors "
        "written in part");
}

void add_bytes(std::vector<NcuFact>& facts, const NcuLaunch& launch, Value wanted) {
    const Value per_sector = value_of(launch, kBytesPerSector),
                sectors = value_of(launch, kGlobalLoadSectors);
    if (per_sector)
        facts.push_back({"bytes used per sector, global loads", *per_sector, "bytes",
                         "of 32: what the lanes use of each sector"});
    if (!wanted && per_sector && sectors) wanted = *per_sector * *sectors;
    const Value dram = value_of(launch, kDramRead);
    if (wanted && *wanted > 0 && dram && *dram > 0)
        facts.push_back({"bytes used per DRAM sector read", *wanted / *dram, "bytes",
                         "of 32; more where caches served the same bytes again"});
}

/// "+7.5 %"
std::string change(double from, double to) {
    return from > 0 ? fmt::format(" ({:+.1f} %)", 100 * (to - from) / from) : "";
}

void explain_wavefronts(std::vector<std::string>& lines, const NcuLaunch& launch) {
    const Value addresses = value_of(launch, kWavefronts);
    const Value hardware = loads_and_stores(launch, kSharedWavefronts);
    if (!addresses || !hardware) return;
    const std::string both = fmt::format(
        "Shared wavefronts: {:.0f} by addresses (memory_l1_wavefronts_shared), "
        "{:.0f} in hardware ({})",
        *addresses, *hardware, kSharedWavefronts);
    if (*addresses == *hardware)
        lines.push_back(both + ": nothing got in the way of the requests.");
    else if (*hardware > *addresses)
        lines.push_back(
            both + change(*addresses, *hardware) +
            ": the hardware counter includes arbitration, trips that are repeated because warps, or "
            "data on its way into shared memory, need the banks at the same time.");
    else
        lines.push_back(
            both + change(*addresses, *hardware) +
            ": the counters of loads and stores leave out atomic operations, which addresses include; "
            "without any, the two were counted in runs that differ.");
}

void explain_conflicts(std::vector<std::string>& lines, const NcuLaunch& launch) {
    const Value excessive = value_of(launch, kNcuExcessWavefronts), ideal = value_of(launch, kIdeal);
    if (const Value hardware = loads_and_stores(launch, kConflicts); excessive && hardware) {
        lines.push_back(fmt::format(
            "Bank conflicts: {:.0f} excessive wavefronts by addresses, {:.0f} in hardware ({}): the hardware "
            "counts every further cycle in the data stage, whatever its cause{}.",
            *excessive, *hardware, kConflicts,
            *excessive == 0 && *hardware > 0 ? "; the code has no conflict, all of these are arbitration"
            : *excessive == *hardware        ? "; here all of them are conflicts of the code"
                                      : ", only those by addresses can be mended by padding or a swizzle"));
    }
    Value instructions = sum(value_of(launch, "smsp__inst_executed_op_shared_ld.sum"),
                             value_of(launch, "smsp__inst_executed_op_shared_st.sum"));
    if (instructions) *instructions += value_of(launch, "smsp__inst_executed_op_ldsm.sum").value_or(0);
    if (ideal && instructions && *instructions > 0 && *ideal > *instructions) {
        lines.push_back(fmt::format(
            "Ideal wavefronts: {:.0f} for {:.0f} instructions are no conflicts: accesses of 8 bytes per "
            "lane take 2 trips, of 16 bytes 4, and ldmatrix one for each matrix.",
            *ideal, *instructions));
    }
}

void explain_sectors(std::vector<std::string>& lines, const NcuLaunch& launch) {
    const Value addresses = value_of(launch, kSectors);
    if (!addresses) return;
    if (const Value hardware = loads_and_stores(launch, kGlobalSectors)) {
        lines.push_back(fmt::format(
            "Global sectors: {:.0f} by addresses (memory_l2_theoretical_sectors_global), {:.0f} counted in "
            "the L1 ({}_op_ld and _op_st){}",
            *addresses, *hardware, kGlobalSectors,
            *addresses == *hardware
                ? ": both take every request of the grid."
                : ": atomic operations are among the first and not among the second; without any, the two "
                  "were counted in runs that differ."));
    }
    const Value l2 =
        sum(value_of(launch, kL2Read), value_of(launch, "lts__t_sectors_srcunit_tex_op_write.sum"));
    if (l2 && *l2 != *addresses) {
        lines.push_back(fmt::format(
            "Sectors at the L2: {:.0f} by addresses, {:.0f} in hardware (lts__t_sectors_srcunit_tex){}: the "
            "first is a theory, as if the L1 kept nothing; in hardware hits in the L1 stay away, and "
            "textures, local memory and atomic operations come along.",
            *addresses, *l2, change(*addresses, *l2)));
    }
}

/// Counters of executed instructions, and what they are laid beside.
struct ExecutedPair {
    std::string_view what, executed, other;
    bool requests;  ///< the other counts requests: warps without an active lane make none
};
constexpr ExecutedPair kExecuted[] = {
    {"Global loads", "smsp__inst_executed_op_global_ld.sum",
     "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", true},
    {"Global stores", "smsp__inst_executed_op_global_st.sum",
     "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", true},
    {"Global loads", "smsp__sass_inst_executed_op_global_ld.sum",
     "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", true},
    {"Global stores", "smsp__sass_inst_executed_op_global_st.sum",
     "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", true},
    {"Shared loads", "smsp__sass_inst_executed_op_shared_ld.sum", "smsp__inst_executed_op_shared_ld.sum",
     false},
    {"Shared stores", "smsp__sass_inst_executed_op_shared_st.sum", "smsp__inst_executed_op_shared_st.sum",
     false},
};

void explain_executed(std::vector<std::string>& lines, const NcuLaunch& launch) {
    for (const ExecutedPair& pair : kExecuted) {
        const Value executed = value_of(launch, pair.executed), other = value_of(launch, pair.other);
        if (!executed || !other) continue;
        const std::string both = fmt::format("{}: {:.0f} of {}, {:.0f} of {}", pair.what, *executed,
                                             pair.executed, *other, pair.other);
        if (*executed == *other)
            lines.push_back(both + (pair.requests ? ": every warp had an active lane."
                                                  : ": added instructions and the hardware count the same."));
        else if (pair.requests && *executed > *other)
            lines.push_back(both +
                            ": a warp without an active lane executes its instruction and makes no request.");
        else
            lines.push_back(both + ": the two were counted in runs of the kernel that differ.");
    }
}

std::optional<NcuCount> difference(const NcuLaunch& launch, std::string_view whole, std::string_view part) {
    const NcuCount *all = launch.find(whole), *some = launch.find(part);
    if (all == nullptr || some == nullptr) return std::nullopt;
    return NcuCount{all->value - some->value, all->rounding + some->rounding, all->unit};
}

}  // namespace

std::optional<NcuCount> count_of(const NcuLaunch& launch, std::string_view metric) {
    if (const NcuCount* count = launch.find(metric)) return *count;
    if (metric == kNcuExcessWavefronts) return difference(launch, kWavefronts, kIdeal);
    if (metric == kNcuExcessSectors) return difference(launch, kSectors, kNcuIdealSectors);
    const std::string_view bytes = metric == kDramRead    ? "dram__bytes_read.sum"
                                   : metric == kDramWrite ? "dram__bytes_write.sum"
                                                          : "";
    const NcuCount* count = bytes.empty() ? nullptr : launch.find(bytes);
    if (count == nullptr) return std::nullopt;
    return NcuCount{count->value / kSectorBytes, count->rounding / kSectorBytes, count->unit};
}

Value value_of(const NcuLaunch& launch, std::string_view metric) {
    const auto count = count_of(launch, metric);
    return count ? Value(count->value) : std::nullopt;
}

Value loads_and_stores(const NcuLaunch& launch, const std::string& stem) {
    if (const Value both = value_of(launch, stem + ".sum")) return both;
    return sum(value_of(launch, stem + "_op_ld.sum"), value_of(launch, stem + "_op_st.sum"));
}

std::vector<NcuFact> derive_facts(const NcuLaunch& launch, std::optional<double> wanted_bytes) {
    std::vector<NcuFact> facts;
    for (const Ratio& ratio : kRatios)
        add_ratio(facts, ratio.name, value_of(launch, ratio.above), value_of(launch, ratio.below),
                  ratio.meaning);
    add_shared(facts, launch);
    add_l1_share(facts, launch);
    add_dram_share(facts, launch);
    add_bytes(facts, launch, wanted_bytes);
    if (const Value rate = value_of(launch, "l1tex__t_sector_hit_rate.pct"))
        facts.push_back({"hit rate of the L1", *rate, "%", "as the profiler says it, of all sectors"});
    if (const Value rate = value_of(launch, "lts__t_sector_hit_rate.pct"))
        facts.push_back({"hit rate of the L2", *rate, "%", "as the profiler says it, of all sectors"});
    return facts;
}

std::vector<std::string> explain_differences(const NcuLaunch& launch) {
    std::vector<std::string> lines;
    explain_wavefronts(lines, launch);
    explain_conflicts(lines, launch);
    explain_sectors(lines, launch);
    explain_executed(lines, launch);
    return lines;
}

std::string_view address_and_hardware() {
    return "Counts by addresses (memory_, derived__, smsp__sass_) come from instructions that the profiler "
           "adds to the kernel: they take every warp of the grid once and leave out lanes that are not "
           "active. Hardware counters (l1tex__, lts__, dram__) tell what the units did, in other runs of the "
           "same kernel: arbitration, and what the caches held, included.";
}

}  // namespace warplens
