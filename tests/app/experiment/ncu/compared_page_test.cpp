#include "app/experiment/ncu/compared_page.h"

#include "tests/app/measure/ncu/ncu_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace warplens::test::compared_page_tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kLoadSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
constexpr const char* kSectors = "memory_l2_theoretical_sectors_global";
constexpr const char* kIdeal = "memory_l2_theoretical_sectors_global_ideal";
constexpr const char* kConflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum";

std::shared_ptr<const NcuFile> file_of(const std::vector<PrintedLaunch>& launches) {
    std::istringstream input(ncu_raw(launches));
    return std::make_shared<const NcuFile>(read_ncu_csv(input, "page.csv"));
}

std::vector<std::string> kernels_of(const ComparedPage& page) {
    std::vector<std::string> kernels;
    for (const ComparedLaunch& launch : page.launches) kernels.push_back(launch.launch->kernel);
    return kernels;
}

TEST(ComparedPage, TheMostBeyondItsIdealComesFirst) {
    const auto page = compare_page(
        file_of({{.kernel = "good", .metrics = {{kSectors, "64"}, {kIdeal, "64"}, {kConflicts, "n/a"}}},
                 {.kernel = "silent", .metrics = {{kSectors, "n/a"}, {kIdeal, "n/a"}, {kConflicts, "n/a"}}},
                 {.kernel = "bad", .metrics = {{kSectors, "512"}, {kIdeal, "64"}, {kConflicts, "n/a"}}},
                 {.kernel = "as good", .metrics = {{kSectors, "8"}, {kIdeal, "8"}, {kConflicts, "0"}}},
                 {.kernel = "worst", .metrics = {{kSectors, "512"}, {kIdeal, "64"}, {kConflicts, "31"}}}}),
        "page.csv", {});
    EXPECT_THAT(kernels_of(page), ElementsAre("worst", "bad", "good", "as good", "silent"));
    EXPECT_EQ(page.launches[0].excess.sectors, 448);
    EXPECT_EQ(page.launches[0].excess.wavefronts, 31);
    EXPECT_FALSE(page.launches[1].excess.wavefronts);
    EXPECT_FALSE(page.launches[4].excess.known());
    for (const ComparedLaunch& launch : page.launches) EXPECT_FALSE(launch.verdict());
}

// A file has launches of other kernels as well: only those with the scenario's grid and block are compared.
TEST(ComparedPage, AScenarioIsLaidBesideItsOwnLaunchesOnly) {
    const Scenario& scenario = *find_scenario("global-stride");
    NcuBasis basis{.scenario = &scenario, .params = scenario.info->defaults};
    basis.params.operation = static_cast<int>(Operation::load);
    basis.params.stride = 8;
    basis.params.elements_log2 = 14;
    const auto page = compare_page(
        file_of({{.kernel = "fill", .grid = "(7, 1, 1)", .metrics = {{kLoadSectors, "0"}}},
                 {.kernel = "strided", .grid = "(64, 1, 1)", .metrics = {{kLoadSectors, "16,384"}}},
                 {.kernel = "other", .grid = "(64, 1, 1)", .metrics = {{kLoadSectors, "2,048"}}}}),
        "page.csv", basis);
    EXPECT_THAT(kernels_of(page), ElementsAre("strided", "other", "fill"));
    EXPECT_EQ(page.launches[0].verdict(), Verdict::equal);
    // Ideal are 4 sectors for each of 512 warps, though the page does not count them.
    EXPECT_EQ(page.launches[0].excess.sectors, 16384 - 2048);
    EXPECT_EQ(page.launches[1].verdict(), Verdict::off);
    EXPECT_EQ(page.launches[1].excess.sectors, 0);
    EXPECT_FALSE(page.launches[2].verdict());
    EXPECT_THAT(page.launches[2].remarks,
                ElementsAre(HasSubstr("global-stride launches 64 x 1 blocks of 256 x 1 threads")));
}

TEST(ComparedPage, WhatCannotBePredictedIsCountedAllTheSame) {
    const auto page = compare_page(file_of({{.metrics = {{kLoadSectors, "4"}}}}), "page.csv",
                                   {.accesses_path = "no/such/file.csv"});
    ASSERT_EQ(page.launches.size(), 1u);
    EXPECT_EQ(page.launches[0].counters.size(), 1u);
    EXPECT_FALSE(page.launches[0].verdict());
    EXPECT_THAT(page.launches[0].remarks,
                ElementsAre(HasSubstr("Not compared: cannot read 'no/such/file.csv'")));
}

TEST(ComparedPage, GivesUp) {
    std::stop_source stop;
    stop.request_stop();
    std::istringstream input(ncu_raw({{.metrics = {{kLoadSectors, "4"}}}}));
    EXPECT_FALSE(read_ncu_csv(input, "page.csv", ReadProgress{stop.get_token(), nullptr}));
    EXPECT_TRUE(compare_page(file_of({{.metrics = {{kLoadSectors, "4"}}}}), "page.csv", {}, stop.get_token())
                    .launches.empty());
}

}  // namespace
}  // namespace warplens::test::compared_page_tests
