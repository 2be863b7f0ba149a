#include "app/cli/ncu/ncu_csv.h"

#include "app/model/counters/agreement.h"

#include <map>

namespace warplens {
namespace {

/// Metrics that are read for the facts and differences derived from them; nothing is predicted of these.
struct NcuExtra {
    std::string_view metric;
    std::string_view
        label;  ///< as the details page names it where whole sections were collected; empty if it is `metric`
    bool whole = true;  ///< it counts things
};

constexpr NcuExtra kExtras[] = {
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", ""},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", ""},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", ""},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", ""},
    {"smsp__inst_executed_op_global_ld.sum", ""},
    {"smsp__inst_executed_op_global_st.sum", ""},
    {"smsp__sass_inst_executed_op_global_ld.sum", ""},
    {"smsp__sass_inst_executed_op_global_st.sum", ""},
    {"smsp__sass_inst_executed_op_shared_ld.sum", ""},
    {"smsp__sass_inst_executed_op_shared_st.sum", ""},
    {"memory_l2_theoretical_sectors_global_ideal", ""},
    {"derived__memory_l2_theoretical_sectors_global_excessive", ""},
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", "", false},
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio", "", false},
    {"l1tex__t_sector_hit_rate.pct", "L1/TEX Hit Rate", false},
    {"lts__t_sector_hit_rate.pct", "L2 Hit Rate", false},
    {"dram__bytes_read.sum", ""},
    {"dram__bytes_write.sum", ""},
};

/// Of the extras, those that explain most for their price: each costs the profiler passes of the kernel.
constexpr std::string_view kCollected[] = {
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio",
};

constexpr std::string_view kSum = ".sum";
constexpr std::string_view kDerived = "derived__";  // of others: the difference of two that are collected

std::string_view stem(std::string_view name) {
    if (name.ends_with(kSum)) name.remove_suffix(kSum.size());
    return name;
}

using Table = std::map<std::string_view, KnownMetric>;

Table make_table() {
    Table table;
    for (const CounterWords& words : counter_words()) table[stem(words.metric)] = {words.metric};
    for (const CounterWords& words : address_words()) table[stem(words.metric)] = {words.metric};
    for (const NcuExtra& extra : kExtras) {
        table[stem(extra.metric)] = {extra.metric, extra.whole};
        if (!extra.label.empty()) table[extra.label] = {extra.metric, extra.whole};
    }
    return table;
}

}  // namespace

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
