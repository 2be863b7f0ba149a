#include "app/experiment/ncu/ncu_compare.h"

#include "app/measure/ncu/ncu_csv.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

namespace warplens::test::ncu_facts_tests {
namespace {

NcuLaunch launch_with(std::initializer_list<std::pair<std::string_view, double>> counts) {
    NcuLaunch launch;
    for (const auto& [metric, value] : counts) {
        const KnownMetric* known = find_known_metric(metric);
        EXPECT_NE(known, nullptr) << metric;
        if (known != nullptr) launch.counts[known->metric] = {value, 0, ""};
    }
    return launch;
}

double fact(const NcuLaunch& launch, std::string_view name, std::optional<double> wanted = {}) {
    for (const NcuFact& fact : derive_facts(launch, wanted)) {
        if (fact.name == name) return fact.value;
    }
    return -1;
}

/// The one sentence about a launch with these counters.
std::string difference(std::initializer_list<std::pair<std::string_view, double>> counts) {
    const auto lines = explain_differences(launch_with(counts));
    EXPECT_EQ(lines.size(), 1u);
    return lines.empty() ? "" : lines.front();
}

bool says(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

TEST(NcuFacts, RatiosOfCounters) {
    const NcuLaunch launch = launch_with({{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 512},
                                          {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 4096},
                                          {"lts__t_sectors_srcunit_tex_op_read.sum", 1024},
                                          {"dram__sectors_read.sum", 2048},
                                          {"smsp__inst_executed_op_shared_ld.sum", 10},
                                          {"smsp__inst_executed_op_ldsm.sum", 6},
                                          {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 32},
                                          {"smsp__inst_executed_op_shared_st.sum", 0},
                                          {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 0}});
    EXPECT_EQ(fact(launch, "sectors per request, global loads"), 8);
    EXPECT_EQ(fact(launch, "sectors that the L1 had"), 75);
    EXPECT_EQ(fact(launch, "DRAM sectors per sector read from the L2"), 2);
    EXPECT_EQ(fact(launch, "wavefronts per instruction, shared loads"), 2) << "ldmatrix counts as a load";
    EXPECT_EQ(fact(launch, "wavefronts per instruction, shared stores"), -1) << "nothing by nothing";
    EXPECT_EQ(fact(launch, "bytes used per DRAM sector read"), -1) << "nobody says how many bytes are wanted";
    EXPECT_EQ(fact(launch, "bytes used per DRAM sector read", 32768), 16);
}

TEST(NcuFacts, BytesOfDramAreSectors) {
    const NcuLaunch launch =
        launch_with({{"dram__bytes_read.sum", 64000},
                     {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 4000},
                     {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", 4}});
    EXPECT_EQ(count_of(launch, "dram__sectors_read.sum")->value, 2000);
    EXPECT_EQ(count_of(launch, "dram__sectors_write.sum"), std::nullopt);
    EXPECT_EQ(fact(launch, "bytes used per DRAM sector read"), 8);
}

TEST(NcuFacts, ExcessiveWavefrontsAreADifference) {
    constexpr const char* kExcessive = "derived__memory_l1_wavefronts_shared_excessive";
    EXPECT_EQ(
        count_of(launch_with({{"memory_l1_wavefronts_shared", 33}, {"memory_l1_wavefronts_shared_ideal", 2}}),
                 kExcessive)
            ->value,
        31);
    EXPECT_EQ(count_of(launch_with({{"memory_l1_wavefronts_shared", 33}}), kExcessive), std::nullopt);
}

TEST(NcuFacts, ArbitrationIsNamedWhereHardwareShowsMore) {
    const std::string more = difference({{"memory_l1_wavefronts_shared", 2097152},
                                         {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", 2712226}});
    EXPECT_TRUE(says(more, "2097152 by addresses")) << more;
    EXPECT_TRUE(says(more, "2712226 in hardware")) << more;
    EXPECT_TRUE(says(more, "+29.3 %")) << more;
    EXPECT_TRUE(says(more, "arbitration")) << more;
    const std::string same = difference({{"memory_l1_wavefronts_shared", 30},
                                         {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 10},
                                         {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 20}});
    EXPECT_TRUE(says(same, "nothing got in the way")) << same;
    const std::string fewer = difference(
        {{"memory_l1_wavefronts_shared", 30}, {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", 20}});
    EXPECT_TRUE(says(fewer, "atomic")) << fewer;
}

/// Published: a kernel without conflicts (stores at stride 1 on GA102) that the hardware counter accuses.
TEST(NcuFacts, ConflictsThatAreNone) {
    const auto lines =
        explain_differences(launch_with({{"memory_l1_wavefronts_shared", 2097152},
                                         {"memory_l1_wavefronts_shared_ideal", 2097152},
                                         {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", 615081}}));
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_TRUE(says(lines[0], "0 excessive wavefronts by addresses, 615081 in hardware")) << lines[0];
    EXPECT_TRUE(says(lines[0], "all of these are arbitration")) << lines[0];
    const std::string both =
        difference({{"derived__memory_l1_wavefronts_shared_excessive", 247645440},
                    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", 247645440},
                    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", 0}});
    EXPECT_TRUE(says(both, "all of them are conflicts of the code")) << both;
}

TEST(NcuFacts, WideAccessesAreNoConflicts) {
    const std::string line = difference({{"memory_l1_wavefronts_shared_ideal", 35377920},
                                         {"smsp__inst_executed_op_shared_ld.sum", 8844480},
                                         {"smsp__inst_executed_op_shared_st.sum", 0}});
    EXPECT_TRUE(says(line, "35377920 for 8844480 instructions are no conflicts")) << line;
}

TEST(NcuFacts, TheoryOfTheL2AndTheL2) {
    const auto lines =
        explain_differences(launch_with({{"memory_l2_theoretical_sectors_global", 300},
                                         {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 200},
                                         {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 100},
                                         {"lts__t_sectors_srcunit_tex_op_read.sum", 50},
                                         {"lts__t_sectors_srcunit_tex_op_write.sum", 100}}));
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_TRUE(says(lines[0], "every request of the grid")) << lines[0];
    EXPECT_TRUE(says(lines[1], "300 by addresses, 150 in hardware")) << lines[1];
    EXPECT_TRUE(says(lines[1], "-50.0 %")) << lines[1];
}

TEST(NcuFacts, WarpsWithoutAnActiveLane) {
    const std::string more = difference({{"smsp__inst_executed_op_global_ld.sum", 40},
                                         {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 32}});
    EXPECT_TRUE(says(more, "makes no request")) << more;
    const std::string same = difference(
        {{"smsp__sass_inst_executed_op_shared_ld.sum", 32}, {"smsp__inst_executed_op_shared_ld.sum", 32}});
    EXPECT_TRUE(says(same, "count the same")) << same;
    const std::string fewer = difference({{"smsp__inst_executed_op_global_ld.sum", 30},
                                          {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 32}});
    EXPECT_TRUE(says(fewer, "runs of the kernel that differ")) << fewer;
}

TEST(NcuFacts, HalfAPairSaysNothing) {
    EXPECT_TRUE(
        explain_differences(launch_with({{"memory_l1_wavefronts_shared", 30},
                                         {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 10}}))
            .empty())
        << "loads alone are not all";
    EXPECT_TRUE(explain_differences({}).empty());
    EXPECT_TRUE(derive_facts({}, {}).empty());
}

TEST(NcuFacts, MetricsForTheProfilerAreAllKnown) {
    std::istringstream list(ncu_metric_list());
    int count = 0;
    for (std::string metric; std::getline(list, metric, ','); ++count) {
        const KnownMetric* known = find_known_metric(metric);
        ASSERT_NE(known, nullptr) << metric;
        EXPECT_EQ(known->metric, metric);
    }
    EXPECT_GT(count, 20);
    const std::string all = ',' + ncu_metric_list() + ',';
    for (const CounterWords& words : counter_words())
        EXPECT_EQ(all.find(fmt::format(",{},", words.metric)), all.rfind(fmt::format(",{},", words.metric)));
    EXPECT_EQ(find_known_metric("L2 Hit Rate")->metric, "lts__t_sector_hit_rate.pct");
    EXPECT_EQ(find_known_metric("Duration")->metric, kNcuTime);
    EXPECT_EQ(find_known_metric("Memory [%]"), nullptr);
}

}  // namespace
}  // namespace warplens::test::ncu_facts_tests
