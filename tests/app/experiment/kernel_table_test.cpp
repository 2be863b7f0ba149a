// What kernels take of an SM, as recorded: written, read, found, and the tables that come with the program.
#include "app/experiment/kernel_table.h"

#include "app/cli/occupancy/occupancy.h"

#include <gtest/gtest.h>

namespace warplens::test::kernel_table_tests {

namespace {

KernelResources kernel(int registers, const std::string& role = "grid") {
    return {.role = role,
            .name = "replay_kernel",
            .threads = 256,
            .registers = registers,
            .dynamic_shared = 4224,
            .blocks_per_sm = 8,
            .is_timed = true};
}

KernelTable sample() {
    const Scenario& transpose = *find_scenario("transpose");
    KernelTable table{.gpu = "NVIDIA H200",
                      .cc = {9, 0},
                      .date = "2026-11-22",
                      .program = "warplens 0.1.0",
                      .cuda_runtime = 13000,
                      .cuda_driver = 13000,
                      .rows = {}};
    Params naive = transpose.info->defaults;
    naive.variant = 0;
    table.rows.push_back({&transpose, transpose.info->defaults, {kernel(24), kernel(30, "banks")}});
    table.rows.push_back({&transpose, naive, {kernel(18)}});
    return table;
}

RecordedKernel find(const KernelTable& table, const char* scenario, const Params& params) {
    static std::vector<KernelTable> tables;
    tables = {table};
    return find_grid_kernel(tables, *find_scenario(scenario), params);
}

}  // namespace

TEST(KernelTable, IsReadAsItWasWritten) {
    const KernelTable table = sample(), read = read_kernel_table(write_kernel_table(table));
    EXPECT_EQ(read.where(), "▲ NVIDIA H200, CUDA 13.0, recorded 2026-11-22");
    EXPECT_EQ(read.cc, table.cc);
    ASSERT_EQ(read.rows.size(), table.rows.size());
    for (std::size_t i = 0; i < read.rows.size(); ++i) {
        EXPECT_EQ(read.rows[i].scenario, table.rows[i].scenario);
        EXPECT_EQ(read.rows[i].params, table.rows[i].params);
        EXPECT_EQ(read.rows[i].kernels, table.rows[i].kernels);
    }
}

TEST(KernelTable, FindsTheKernelOfOtherSettingsToo) {
    Params larger = find_scenario("transpose")->info->defaults;
    larger.matrix = 8192;
    const RecordedKernel found = find(sample(), "transpose", larger);
    ASSERT_NE(found.kernel, nullptr);
    EXPECT_EQ(found.kernel->registers, 24);
    EXPECT_EQ(found.where, "▲ NVIDIA H200, CUDA 13.0, recorded 2026-11-22");
}

TEST(KernelTable, SaysWhatItDoesNotKnow) {
    const RecordedKernel other =
        find(sample(), "global-stride", find_scenario("global-stride")->info->defaults);
    EXPECT_EQ(other.kernel, nullptr);
    EXPECT_FALSE(other.where.empty());
    // Two settings of one key with different registers: then only these two are known.
    KernelTable table = sample();
    Params larger = find_scenario("transpose")->info->defaults, third = larger;
    larger.matrix = 8192;
    third.matrix = 64;
    table.rows.push_back({find_scenario("transpose"), larger, {kernel(40)}});
    const KernelTable read = read_kernel_table(write_kernel_table(table));
    EXPECT_EQ(read.rows.size(), 3u);
    EXPECT_EQ(find(read, "transpose", larger).kernel->registers, 40);
    EXPECT_EQ(find(read, "transpose", third).kernel, nullptr);
}

TEST(KernelTable, KeepsOneRowForEachKernel) {
    KernelTable table = sample();
    for (const int matrix : {64, 128, 256}) {
        Params other = find_scenario("transpose")->info->defaults;
        other.matrix = matrix;
        table.rows.push_back({find_scenario("transpose"), other, {kernel(24), kernel(30, "banks")}});
    }
    EXPECT_EQ(read_kernel_table(write_kernel_table(table)).rows.size(), 2u);
}

TEST(KernelTable, RefusesAScenarioAndAValueThatThereAreNot) {
    for (const auto& [from, to] : {std::pair{"transpose", "transpise"}, {"=naive", "=naife"}}) {
        std::string text = write_kernel_table(sample());
        text.replace(text.find(from), std::string_view(from).size(), to);
        EXPECT_THROW(read_kernel_table(text), std::exception) << to;
    }
}

// None is there until one was recorded; then the model has to agree with what the driver said.
TEST(KernelTable, WhatTheDriverSaidOfRecordedKernelsTheModelSaysToo) {
    for (const KernelTable& table : kernel_tables()) {
        EXPECT_FALSE(table.rows.empty());
        for (const KernelRow& row : table.rows) {
            for (const KernelResources& one : row.kernels) {
                const auto model = model_of_kernel(table.cc, one);
                ASSERT_TRUE(model);
                EXPECT_EQ(model->blocks, one.blocks_per_sm) << row.scenario->info->id << ": " << one.name;
            }
        }
    }
    if (kernel_tables().empty()) GTEST_SKIP() << "no table of kernels was recorded (assets/kernels)";
}

}  // namespace warplens::test::kernel_table_tests
