#include "app/measure/ncu/ncu_csv.h"
#include "app/model/counters/agreement.h"

#include <algorithm>

namespace warplens {
namespace {

constexpr CounterWords kProfileWords[] = {
    {kNcuConflicts, "shared", "bank conflicts, loads and stores",
     "Further cycles in the data stage, whatever their cause."},
    {"dram__bytes_read.sum", "DRAM", "bytes read", "Bytes that DRAM delivered."},
    {"dram__bytes_write.sum", "DRAM", "bytes written", "Bytes that were stored in DRAM."},
    {"dram__bytes.sum", "DRAM", "bytes, both ways", "Bytes read and written together."},
    {kNcuTime, "launch", "time [ns]", "With the clocks and caches that the profiler sets."},
    {kNcuRegisters, "launch", "registers of a thread", "As the compiler gave them."},
    {kNcuStatic, "launch", "static shared bytes of a block", "With a size in the source code."},
    {kNcuDynamic, "launch", "dynamic shared bytes of a block", "With a size that the launch sets."},
    {"launch__occupancy_limit_blocks", "blocks of an SM", "by their number", "What an SM has slots for."},
    {"launch__occupancy_limit_warps", "blocks of an SM", "by warps", "What its warp slots allow."},
    {"launch__occupancy_limit_registers", "blocks of an SM", "by registers", "What its registers allow."},
    {"launch__occupancy_limit_shared_mem", "blocks of an SM", "by shared memory",
     "What its shared memory allows."},
    {"launch__occupancy_limit_barriers", "blocks of an SM", "by barriers", "What its barriers allow."},
    {kNcuTheoretical, "occupancy", "theoretical [%]",
     "Warps that fit on an SM at once, of those it has slots for."},
    {kNcuAchieved, "occupancy", "achieved [%]",
     "Warps that were resident on average, of the same; the start and end of a launch have fewer."},
};

/// Metrics that are read for what is derived from them; they are not shown by themselves.
constexpr std::string_view kExtras[] = {
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "smsp__sass_inst_executed_op_global_ld.sum",
    "smsp__sass_inst_executed_op_global_st.sum",
    "smsp__sass_inst_executed_op_shared_ld.sum",
    "smsp__sass_inst_executed_op_shared_st.sum",
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio",
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio",
    "l1tex__t_sector_hit_rate.pct",
    "lts__t_sector_hit_rate.pct",
    kNcuGridSize,
    kNcuBlockSize,
    kNcuShareSize,
};

/// All others count things, so they have no decimals.
constexpr std::string_view kWithDecimals[] = {
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio",
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio",
    "l1tex__t_sector_hit_rate.pct",
    "lts__t_sector_hit_rate.pct",
    kNcuTheoretical,
    kNcuAchieved,
};

/// Other spellings: of other generations, and the labels of the pages where whole sections were collected.
struct NcuAlias {
    std::string_view name, metric;
};
constexpr NcuAlias kAliases[] = {
    {"dram__bytes_op_read", "dram__bytes_read.sum"},
    {"dram__bytes_op_write", "dram__bytes_write.sum"},
    {"dram__sectors_op_read", "dram__sectors_read.sum"},
    {"dram__sectors_op_write", "dram__sectors_write.sum"},
    {"gpu__time_duration.avg", kNcuTime},
    {"gpu__time_duration.max", kNcuTime},
    {"Duration", kNcuTime},
    {"Registers Per Thread", kNcuRegisters},
    {"Static Shared Memory Per Block", kNcuStatic},
    {"Dynamic Shared Memory Per Block", kNcuDynamic},
    {"Shared Memory Configuration Size", kNcuShareSize},
    {"Grid Size", kNcuGridSize},
    {"Block Size", kNcuBlockSize},
    {"Block Limit SM", "launch__occupancy_limit_blocks"},
    {"Block Limit Warps", "launch__occupancy_limit_warps"},
    {"Block Limit Registers", "launch__occupancy_limit_registers"},
    {"Block Limit Shared Mem", "launch__occupancy_limit_shared_mem"},
    {"Block Limit Barriers", "launch__occupancy_limit_barriers"},
    {"Theoretical Occupancy", kNcuTheoretical},
    {"Achieved Occupancy", kNcuAchieved},
    {"L1/TEX Hit Rate", "l1tex__t_sector_hit_rate.pct"},
    {"L2 Hit Rate", "lts__t_sector_hit_rate.pct"},
};

/// Only those beside the counters that explain most for their price: each costs the profiler passes of the
/// kernel, except what it knows of every launch.
constexpr std::string_view kCollected[] = {
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio",
    kNcuTime,
    kNcuRegisters,
    kNcuStatic,
    kNcuDynamic,
    "launch__occupancy_limit_blocks",
    "launch__occupancy_limit_warps",
    "launch__occupancy_limit_registers",
    "launch__occupancy_limit_shared_mem",
    kNcuTheoretical,
    kNcuAchieved,
};

/// Numbers that the profiler attaches to every launch, whoever asked for it.
constexpr std::string_view kAttached[] = {"device__",
                                          "launch__",
                                          "numa__",
                                          "nvlink__",
                                          "c2clink__",
                                          "profiler__",
                                          "sass__inst_executed_per_opcode",
                                          "sass__thread_inst_executed",
                                          "sm__maximum_warps",
                                          "sm__warps_active",
                                          "smsp__maximum_warps"};

constexpr std::string_view kSum = ".sum";
constexpr std::string_view kDerived = "derived__";  // of others: the difference of two that are collected

std::string_view without(std::string_view name, std::string_view ending) {
    if (name.ends_with(ending)) name.remove_suffix(ending.size());
    return name;
}
std::string_view stem(std::string_view name) { return without(name, kSum); }

using Table = std::map<std::string_view, KnownMetric>;

Table make_table() {
    Table table;
    for (const auto words : {counter_words(), address_words(), profile_words()}) {
        for (const CounterWords& one : words) table[stem(one.metric)] = {one.metric};
    }
    for (const std::string_view extra : kExtras) table[stem(extra)] = {extra};
    for (const std::string_view metric : kWithDecimals) table.at(stem(metric)).whole = false;
    for (const NcuAlias& alias : kAliases) table[alias.name] = table.at(stem(alias.metric));
    return table;
}

}  // namespace

std::span<const CounterWords> profile_words() { return kProfileWords; }

bool was_asked_for(std::string_view metric) {
    if (std::ranges::any_of(kAttached, [&](auto start) { return metric.starts_with(start); })) return false;
    return std::ranges::none_of(
        std::initializer_list<std::string_view>{".avg", ".max", ".min"},
        [&](auto of) { return metric.ends_with(of) && find_known_metric(without(metric, of)) != nullptr; });
}

const KnownMetric* find_known_metric(std::string_view name) {
    static const Table table = make_table();
    const auto found = table.find(stem(name));
    return found == table.end() ? nullptr : &found->second;
}

std::string ncu_metric_list() {
    std::string list;
    const auto add = [&list](std::string_view metric) { (list += list.empty() ? "" : ",") += metric; };
    for (const CounterWords& words : counter_words()) add(words.metric);
    for (const CounterWords& words : address_words()) {
        if (!words.metric.starts_with(kDerived)) add(words.metric);
    }
    for (const std::string_view metric : kCollected) add(metric);
    return list;
}

}  // namespace warplens
