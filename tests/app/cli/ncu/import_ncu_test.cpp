#include "app/cli/ncu/import_ncu.h"
#include "app/base/errors.h"
#include "app/base/process.h"
#include "app/experiment/devices.h"
#include "app/model/counters/agreement.h"
#include "tests/app/measure/ncu/ncu_files.h"
#include "tests/damaged.h"
#include "tests/devices.h"
#include "tests/random_params.h"
#include "tests/source_dir.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <tuple>

namespace warplens::test::import_ncu_tests {
namespace {

using namespace std::string_literals;
using nlohmann::json;

const std::string kDetails = in_source("tests/data/ncu/details.csv");
constexpr const char* kLoads = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
constexpr const char* kSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";

std::string run(const ImportNcuCommand& command, const std::string& text = "") {
    std::istringstream input(text);
    std::ostringstream out;
    run_import_ncu(command, input, out);
    return out.str();
}

std::string complaint(const ImportNcuCommand& command, const std::string& text = "") {
    try {
        run(command, text);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}

ImportNcuCommand piped(ReportFormat format = ReportFormat::text) {
    ImportNcuCommand command;
    command.path = "-";
    command.format = format;
    return command;
}

ImportNcuCommand transposed(ReportFormat format) {
    ImportNcuCommand command;
    command.path = kDetails;
    command.choice = {"transpose", {"variant=tile,matrix=1024"}};
    command.format = format;
    return command;
}

/// By metric, of one launch.
std::map<std::string, json> counters_of(const json& launch) {
    std::map<std::string, json> counters;
    for (const json& counter : launch["counters"]) counters[counter["metric"]] = counter;
    return counters;
}

std::string printed(double value) {
    const std::string text = fmt::format("{}", value);
    return text.find('.') == std::string::npos ? text : text + "000";  // three decimals could be a thousand
}

PrintedLaunch predicted_launch(const Scenario& scenario, const Params& params) {
    const LaunchShape shape = scenario.launch(params);
    PrintedLaunch launch;
    launch.block = fmt::format("({}, {}, 1)", shape.block.x, shape.block.y);
    launch.grid = fmt::format("({}, {}, 1)", shape.grid.x, shape.grid.y);
    for (const ExpectedCounter& counter : expect_counters(scenario, params, h200()).counters)
        launch.metrics.emplace_back(counter.words->metric, printed(counter.expected));
    for (const ExpectedCounter& counter : expect_address_counters(scenario, params, h200()))
        launch.metrics.emplace_back(counter.words->metric, printed(counter.expected));
    return launch;
}

/// A file made of what is predicted agrees with the prediction, on both pages, for all scenarios.
TEST(ImportNcu, WhatIsPredictedIsEqual) {
    std::mt19937 random(4);
    int compared = 0;
    for (const Scenario& scenario : all_scenarios()) {
        if (!not_comparable(scenario, scenario.info->defaults).empty()) continue;
        for (int round = 0; round < 3; ++round) {
            NcuBasis basis;
            basis.scenario = &scenario;
            basis.params = round == 0 ? scenario.info->defaults : test::random_params(scenario, random);
            basis.params.elements_log2 = std::min(basis.params.elements_log2, 16);
            clamp_knobs(scenario, basis.params);
            const PrintedLaunch launch = predicted_launch(scenario, basis.params);
            if (launch.metrics.empty()) continue;  // values that never leave the registers
            for (const std::string& text : {ncu_raw({launch}), ncu_details({launch})}) {
                std::istringstream input(text);
                const NcuFile file = read_ncu_csv(input, "made.csv");
                const auto answer = compare_launches({&file.launches.at(0)}, basis, "made.csv");
                ASSERT_EQ(answer.size(), 1u);
                EXPECT_EQ(answer[0].remarks, std::vector<std::string>{}) << scenario.info->id;
                EXPECT_EQ(answer[0].counters.size(), launch.metrics.size()) << scenario.info->id;
                EXPECT_TRUE(answer[0].missing.empty());
                for (const ComparedCounter& counter : answer[0].counters) {
                    ++compared;
                    ASSERT_TRUE(counter.judgement);
                    EXPECT_EQ(counter.judgement->verdict, Verdict::equal)
                        << scenario.info->id << ' ' << counter.words->metric << ": " << counter.counted;
                }
            }
        }
    }
    EXPECT_GT(compared, 300);
}

TEST(ImportNcu, OneMoreIsNotEqual) {
    const Scenario& scenario = *find_scenario("global-stride");
    PrintedLaunch launch = predicted_launch(scenario, scenario.info->defaults);
    for (auto& [metric, value] : launch.metrics) value = printed(std::stod(value) + 1);
    ImportNcuCommand command = piped(ReportFormat::json);
    command.choice.scenario = "global-stride";
    const json answer = json::parse(run(command, ncu_raw({launch})));
    for (const auto& [metric, counter] : counters_of(answer["launches"][0])) {
        EXPECT_EQ(counter["verdict"], counter["kind"] == "exact" ? "off" : "within") << metric;
        EXPECT_NE(counter["remark"], "") << metric;
    }
}

TEST(ImportNcu, ATransposeThroughATile) {
    const json answer = json::parse(run(transposed(ReportFormat::json)));
    EXPECT_EQ(answer["page"], "details");
    EXPECT_EQ(answer["compared_with"]["scenario"], "transpose");
    const json& launch = answer["launches"].at(0);
    EXPECT_EQ(launch["remarks"], json::array());
    auto counters = counters_of(launch);
    EXPECT_EQ(counters[kSectors]["verdict"], "equal");
    EXPECT_EQ(counters[kSectors]["counted"], 131072);
    const json& rounded = counters["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"];
    EXPECT_EQ(rounded["verdict"], "equal");
    EXPECT_EQ(rounded["counted"], 131070);
    EXPECT_NE(rounded["remark"].get<std::string>().find("--print-units base"), std::string::npos);
    const json& arbitrated = counters["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"];
    EXPECT_EQ(arbitrated["verdict"], "within");
    EXPECT_NE(arbitrated["remark"].get<std::string>().find("arbitration"), std::string::npos);
    EXPECT_EQ(counters["memory_l1_wavefronts_shared"]["verdict"], "equal");
    EXPECT_EQ(counters["derived__memory_l1_wavefronts_shared_excessive"]["counted"], 1081344 - 65536);
    EXPECT_EQ(counters["derived__memory_l1_wavefronts_shared_excessive"]["verdict"], "equal");
    const auto missing = launch["missing"].get<std::vector<std::string>>();
    EXPECT_NE(std::find(missing.begin(), missing.end(), "dram__sectors_write.sum"), missing.end());
    ASSERT_EQ(launch["differences"].size(), 1u);
    EXPECT_NE(launch["differences"][0].get<std::string>().find("+0.2 %"), std::string::npos);

    const std::string text = run(transposed(ReportFormat::text));
    for (const char* words : {"transpose_tile(const float *, float *, int)", "counts equal", "Predicted, but",
                              "the profiler has no value: DRAM: sectors written", "Counts by addresses"})
        EXPECT_NE(text.find(words), std::string::npos) << words << '\n' << text;
}

TEST(ImportNcu, CsvHasARowForEachCounter) {
    const std::string text = run(transposed(ReportFormat::csv));
    EXPECT_EQ(text.find("launch,process,kernel,metric,name,predicted,kind,counted,verdict,remark\n"), 0u);
    EXPECT_NE(text.find("0,4711,\"transpose_tile(const float *, float *, int)\"," + std::string(kSectors) +
                        ",global loads: sectors,131072,exact,131072,equal,\n"),
              std::string::npos)
        << text;
}

TEST(ImportNcu, WithoutAPredictionCountersAreExplained) {
    ImportNcuCommand command;
    command.path = kDetails;
    const std::string text = run(command);
    EXPECT_NE(text.find("32-byte sectors that these loads request."), std::string::npos);
    EXPECT_NE(text.find("sectors per request, global loads"), std::string::npos);
    EXPECT_EQ(text.find("predicted"), std::string::npos);
    EXPECT_EQ(text.find("equal"), std::string::npos);
    command.format = ReportFormat::json;
    const json answer = json::parse(run(command));
    EXPECT_TRUE(answer["compared_with"].is_null());
    EXPECT_TRUE(answer["launches"][0]["counters"][0]["verdict"].is_null());
}

TEST(ImportNcu, AnotherShapeOrDeviceIsSaid) {
    ImportNcuCommand command = transposed(ReportFormat::json);
    command.choice.settings = {"variant=tile,matrix=512"};
    command.device = "8.6";
    const json launch = json::parse(run(command))["launches"][0];
    ASSERT_EQ(launch["remarks"].size(), 2u);
    EXPECT_NE(
        launch["remarks"][0].get<std::string>().find("grid of 32 x 32 x 1 blocks of 32 x 8 x 1 threads, "
                                                     "the scenario 16 x 16 x 1"),
        std::string::npos);
    EXPECT_NE(launch["remarks"][1].get<std::string>().find("ran on compute capability 9.0"),
              std::string::npos);
    EXPECT_EQ(counters_of(launch)[kSectors]["verdict"], "off") << "compared all the same";
}

TEST(ImportNcu, LaunchesAreChosen) {
    const std::string text = ncu_raw({{"fill", "(1, 1, 1)", "(1, 1, 1)", {{kLoads, "0"}}},
                                      {"gather<4>", "(1, 1, 1)", "(1, 1, 1)", {{kLoads, "1"}}},
                                      {"gather<8>", "(1, 1, 1)", "(1, 1, 1)", {{kLoads, "2"}}}});
    const auto ids = [&](const std::string& kernel, const std::string& launch) {
        ImportNcuCommand command = piped(ReportFormat::json);
        command.kernel = kernel;
        command.launch = launch;
        const json answer = json::parse(run(command, text));
        std::string all;
        for (const json& one : answer["launches"]) all += one["id"].get<std::string>();
        return all;
    };
    EXPECT_EQ(ids("", ""), "012");
    EXPECT_EQ(ids("gather", ""), "12");
    EXPECT_EQ(ids("gather<8>", ""), "2");
    EXPECT_EQ(ids("g*<?>", ""), "12");
    EXPECT_EQ(ids("f*l", ""), "0");
    EXPECT_EQ(ids("", "1"), "1");
    EXPECT_EQ(ids("gather", "2"), "2");
    ImportNcuCommand none = piped();
    none.kernel = "scatter";
    EXPECT_NE(complaint(none, text).find("none of its 3 launches"), std::string::npos);
    // Patterns over which a search with backtracking never ends.
    for (const char* pattern : {"(a+)+$", "*a*a*a*a*a*a*a*a*a*a*b"}) {
        none.kernel = pattern;
        EXPECT_NE(complaint(none, ncu_raw({{std::string(200000, 'a'), "", "", {{kLoads, "0"}}}})), "");
    }
}

TEST(ImportNcu, TracedAccessesAreAPredictionToo) {
    const std::string path = testing::TempDir() + "warplens_import_accesses.csv";
    std::string header = "id,space,op,width,mask", packed = "a,global,ld,4,ffffffff",
                apart = "b,global,ld,4,ffffffff", conflict = "c,shared,st,4,ffffffff";
    for (int lane = 0; lane < 32; ++lane) {
        header += fmt::format(",a{}", lane);
        packed += fmt::format(",{}", 4 * lane);
        apart += fmt::format(",{}", 32 * lane);
        conflict += fmt::format(",{}", 128 * lane);
    }
    std::ofstream(path) << header << '\n' << packed << '\n' << apart << '\n' << conflict << '\n';
    ImportNcuCommand command = piped(ReportFormat::json);
    command.accesses_path = path;
    const std::string text = ncu_raw({{"k",
                                       "(32, 1, 1)",
                                       "(1, 1, 1)",
                                       {{kLoads, "2"},
                                        {kSectors, "37"},
                                        {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "34"},
                                        {"memory_l1_wavefronts_shared_ideal", "1"},
                                        {"idc__requests.sum", "3"},
                                        {"dram__sectors_read.sum", "36"}}}});
    const json answer = json::parse(run(command, text));
    EXPECT_EQ(answer["compared_with"]["analyze"], path);
    auto counters = counters_of(answer["launches"][0]);
    EXPECT_EQ(counters[kLoads]["verdict"], "equal");
    EXPECT_EQ(counters[kSectors]["predicted"], 36);
    EXPECT_EQ(counters[kSectors]["verdict"], "off");
    EXPECT_EQ(counters["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"]["verdict"], "within")
        << "several requests get in each other's way";
    EXPECT_EQ(counters["memory_l1_wavefronts_shared_ideal"]["verdict"], "equal");
    EXPECT_TRUE(counters["dram__sectors_read.sum"]["verdict"].is_null()) << "depends on what came before";
    EXPECT_TRUE(counters["idc__requests.sum"]["predicted"].is_null());
    std::filesystem::remove(path);
    EXPECT_NE(complaint(command, text).find("cannot read"), std::string::npos);
}

TEST(ImportNcu, SectionsWithoutCountersSaySo) {
    const std::string text =
        ncu_details({{"k", "(1, 1, 1)", "(1, 1, 1)", {{"DRAM Frequency", "3.2"}, {"Memory [%]", "5"}}}});
    EXPECT_NE(run(piped(), text).find("import-ncu --metrics"), std::string::npos);
}

json launches_in(const std::string& name, const ImportNcuCommand& like = {}) {
    ImportNcuCommand command = like;
    command.path = in_source("tests/data/ncu/") + name;
    command.format = ReportFormat::json;
    return json::parse(run(command))["launches"];
}

/// Seven of the eight metrics of a file as people collect it; the eighth is named.
TEST(ImportNcu, WhatPeopleCollectIsShown) {
    auto counters = counters_of(launches_in("ncu_total_conflicts.csv").at(0));
    EXPECT_EQ(counters["l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"]["counted"], 45056);
    EXPECT_EQ(counters["dram__bytes_read.sum"]["counted"], 16780000);
    EXPECT_EQ(counters["dram__bytes.sum"]["counted"], 33500000);
    EXPECT_EQ(counters["gpu__time_duration.sum"]["counted"], 12500);
    EXPECT_EQ(counters["launch__registers_per_thread"]["counted"], 86);
    EXPECT_EQ(counters["launch__shared_mem_per_block_static"]["counted"], 32770);
    EXPECT_EQ(counters["smsp__inst_executed_op_shared_ld.sum"]["counted"], 8192);
    ImportNcuCommand command;
    command.path = in_source("tests/data/ncu/ncu_total_conflicts.csv");
    EXPECT_NE(run(command).find("Metrics that are not read: sass__inst_executed_shared_loads\n"),
              std::string::npos);
}

/// What an H200 and its profiler said of one launch, beside NVIDIA's rules and the recorded kernel.
TEST(ImportNcu, OccupancyStandsBesideNvidiasRules) {
    auto alone = counters_of(launches_in("h200_transpose_raw.csv").at(0));
    for (const char* metric : {"sm__maximum_warps_per_active_cycle_pct", "launch__occupancy_limit_blocks",
                               "launch__occupancy_limit_warps", "launch__occupancy_limit_registers",
                               "launch__occupancy_limit_shared_mem"}) {
        EXPECT_EQ(alone[metric]["verdict"], "equal") << metric << ' ' << alone[metric];
        EXPECT_EQ(alone[metric]["kind"], "exact") << metric;
    }
    EXPECT_EQ(alone["launch__occupancy_limit_shared_mem"]["predicted"], 20) << "of a share of 100 KiB";
    EXPECT_EQ(alone["sm__maximum_warps_per_active_cycle_pct"]["remark"], "limited by warps and registers");
    ImportNcuCommand beside;
    beside.choice = {"transpose", {"variant=tile,matrix=512"}};
    auto counters = counters_of(launches_in("h200_transpose_raw.csv", beside).at(0));
    EXPECT_EQ(counters["gpu__time_duration.sum"]["kind"], "approximate");
    EXPECT_TRUE(counters["gpu__time_duration.sum"]["verdict"].is_null()) << "the profiler sets the clocks";
    EXPECT_GT(counters["gpu__time_duration.sum"]["predicted"], 1000);
    EXPECT_EQ(counters["launch__registers_per_thread"]["kind"], "recorded");
    EXPECT_EQ(counters["launch__shared_mem_per_block_dynamic"]["verdict"], "equal");
}

/// What the file does not say is not taken to be 0, and what it rounded is not printed as if it were exact.
TEST(ImportNcu, OnlyWhatIsKnownIsCompared) {
    const std::string head =
        "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"CC\",\"Metric Name\",\"Metric Unit\",\"Metric "
        "Value\"\n";
    const auto line = [](const char* metric, const char* unit, const char* value) {
        return fmt::format("\"0\",\"k()\",\"(256, 1, 1)\",\"(64, 1, 1)\",\"8.6\",\"{}\",\"{}\",\"{}\"\n",
                           metric, unit, value);
    };
    const std::string registers = head + line("launch__registers_per_thread", "register/thread", "40");
    const std::string without =
        run(piped(), registers + line("sm__maximum_warps_per_active_cycle_pct", "%", "33.33"));
    EXPECT_EQ(without.find("off"), std::string::npos) << without;
    const std::string rounded =
        run(piped(), registers + line("launch__shared_mem_per_block_static", "Kbyte/block", "32.77"));
    EXPECT_NE(rounded.find("~32770"), std::string::npos) << rounded;
    EXPECT_NE(rounded.find("occupancy of 50 %, limited by shared"), std::string::npos)
        << "100 KiB hold three blocks of 33, each with 8 of 48 warps: " << rounded;
}

/// A file may say anything: such a launch has no occupancy.
TEST(ImportNcu, ResourcesThatNoKernelHas) {
    for (const char* registers : {"-1", "1e300", "4,000,000,000"}) {
        const json launch = json::parse(
            run(piped(ReportFormat::json), ncu_raw({{"k",
                                                     "(256, 1, 1)",
                                                     "(64, 1, 1)",
                                                     {{"launch__registers_per_thread", registers},
                                                      {"sm__maximum_warps_per_active_cycle_pct", "50"}}}})));
        EXPECT_TRUE(counters_of(launch["launches"][0])["sm__maximum_warps_per_active_cycle_pct"]["predicted"]
                        .is_null());
    }
}

/// The same of a text, where sizes are rounded to two decimals of a Kbyte.
TEST(ImportNcu, OccupancyOfATextWithRoundedSizes) {
    auto counters = counters_of(launches_in("h200_text.txt").at(0));
    EXPECT_EQ(counters["launch__occupancy_limit_shared_mem"]["predicted"], 3);
    EXPECT_EQ(counters["launch__occupancy_limit_shared_mem"]["verdict"], "equal");
    EXPECT_EQ(counters["sm__maximum_warps_per_active_cycle_pct"]["verdict"], "equal");
    EXPECT_EQ(counters["sm__warps_active.avg.pct_of_peak_sustained_active"]["counted"], 88.72);
}

TEST(ImportNcu, OlderFilesTellHowManyBlocksAndThreads) {
    const std::string text =
        R"("ID","Process ID","Process Name","Host Name","Kernel Name","Kernel Time","Context","Stream",)"
        R"("Section Name","Metric Name","Metric Unit","Metric Value")"
        "\n"
        R"("0","1","p","h","k","2020-Mar-01 12:00:00","1","7","Launch Statistics","Block Size","","256")"
        "\n"
        R"("0","1","p","h","k","2020-Mar-01 12:00:00","1","7","Launch Statistics","Grid Size","","64")"
        "\n";
    EXPECT_NE(run(piped(), text).find("grid 64 blocks, block 256 threads"), std::string::npos)
        << run(piped(), text);
}

/// The GPU that a person names wins: over a file without a compute capability, and over its own.
TEST(ImportNcu, OccupancyFollowsTheDeviceThatWasAskedFor) {
    const std::string head = R"("ID","Kernel Name","Metric Name","Metric Unit","Metric Value")",
                      named = R"("ID","Kernel Name","CC","Metric Name","Metric Unit","Metric Value")";
    const auto lines = [](const char* begin) {
        return fmt::format(
            "\n{0}\"Block Size\",\"\",\"256\"\n{0}\"Grid Size\",\"\",\"64\"\n"
            "{0}\"Registers Per Thread\",\"register/thread\",\"32\"\n"
            "{0}\"Static Shared Memory Per Block\",\"byte/block\",\"0\"\n"
            "{0}\"Dynamic Shared Memory Per Block\",\"byte/block\",\"0\"\n"
            "{0}\"Theoretical Occupancy\",\"%\",\"100\"\n",
            begin);
    };
    const std::string old = head + lines("\"0\",\"k\","), turing = named + lines("\"0\",\"k\",\"7.5\",");
    ImportNcuCommand command = piped(ReportFormat::json);
    const auto blocks = [&](const std::string& text) {
        return counters_of(json::parse(
            run(command, text))["launches"][0])["sm__maximum_warps_per_active_cycle_pct"]["predicted"];
    };
    EXPECT_TRUE(blocks(old).is_null());
    EXPECT_EQ(blocks(turing), 100);
    command.device = "T4";
    EXPECT_EQ(blocks(old), 100);
    command.device = "CC 2.0";  // 48 warps, and 32,768 registers for four blocks of 8 warps
    EXPECT_NEAR(blocks(turing).get<double>(), 66.7, 0.1);
    command.format = ReportFormat::text;
    EXPECT_NE(
        run(command, turing).find("The launch ran on compute capability 7.5, the prediction is for 2.0."),
        std::string::npos);
}

/// Of many launches the list comes first: half of the sectors of the second are too many, so half its time.
TEST(ImportNcu, ManyLaunchesAreListedByTimeLost) {
    std::vector<PrintedLaunch> launches;
    for (int i = 0; i < 9; ++i)
        launches.push_back({fmt::format("kernel{}", i),
                            "(32, 1, 1)",
                            "(1, 1, 1)",
                            {{"gpu__time_duration.sum", i == 4 ? "9000" : "1000"},
                             {kSectors, "64"},
                             {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "0"},
                             {"memory_l2_theoretical_sectors_global", "64"},
                             {"memory_l2_theoretical_sectors_global_ideal", i == 1   ? "8"
                                                                            : i == 4 ? "60"
                                                                                     : "64"}}});
    const std::string text = run(piped(), ncu_raw(launches));
    const std::size_t first = text.find("kernel1"), second = text.find("kernel4"),
                      third = text.find("kernel0");
    EXPECT_LT(first, second) << text;
    EXPECT_LT(second, third) << text;
    EXPECT_NE(text.find("875"), std::string::npos) << "1000 ns x 56 / 64";
    EXPECT_NE(text.find("--launch ID"), std::string::npos);
    ImportNcuCommand one = piped();
    one.launch = "4";
    EXPECT_NE(run(one, ncu_raw(launches)).find("launch 4: kernel4"), std::string::npos);
}

TEST(ImportNcu, MetricsNeedNoFile) {
    ImportNcuCommand command;
    command.metrics = true;
    const std::string text = run(command);
    EXPECT_NE(text.find(std::string(kSectors) + ","), std::string::npos);
    EXPECT_EQ(text.find(' '), std::string::npos);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
}

TEST(ImportNcu, MistakesAreSaidBeforeTheFileIsRead) {
    ImportNcuCommand command = piped();
    command.choice.scenario = "transpos";
    EXPECT_NE(complaint(command).find("did you mean 'transpose'"), std::string::npos);
    command.choice = {"transpose", {"matrix=0"}};
    EXPECT_NE(complaint(command).find("matrix=0"), std::string::npos);
    command.choice = {"cache-footprint", {}};
    EXPECT_NE(complaint(command).find("cannot be compared by counters"), std::string::npos);
    const std::string good = ncu_raw({{"k", "(1, 1, 1)", "(1, 1, 1)", {{kLoads, "1"}}}});
    command.choice = {"transpose", {}};
    command.device = "Voodoo";
    EXPECT_NE(complaint(command, good).find("Voodoo"), std::string::npos);
    command.device = "";
    std::string future = good;
    future.replace(future.find("9.0"), 3, "99.0");
    EXPECT_NE(complaint(command, future).find("'99.0' is not known: name the rules by --device"),
              std::string::npos);
    for (const char* path : {"/no/such/file.csv", "/", ""}) {
        command.path = path;
        EXPECT_NE(complaint(command).find("cannot read"), std::string::npos) << path;
    }
}

TEST(ImportNcu, NothingIsWrittenUnlessTheFileIsGood) {
    const std::string path = testing::TempDir() + "warplens_import.json";
    std::filesystem::remove(path);
    ImportNcuCommand command = transposed(ReportFormat::json);
    command.output_path = path;
    command.path = "-";
    EXPECT_NE(complaint(command, "nonsense"), "");
    EXPECT_FALSE(std::filesystem::exists(path));
    command.path = kDetails;
    EXPECT_EQ(run(command), "");
    std::ifstream file(path);
    EXPECT_EQ(json::parse(file)["schema"], 1);
    std::filesystem::remove(path);
    command.output_path = "/no/such/folder/x";
    EXPECT_NE(complaint(command), "");
}

TEST(ImportNcu, LongNamesAreCutForPeople) {
    std::string name = "void ";
    while (name.size() < 4000) name += "\xc3\xa4";
    const std::string text = ncu_raw({{name, "(1, 1, 1)", "(1, 1, 1)", {{kLoads, "1"}}}});
    const std::string shown = run(piped(), text);
    EXPECT_NE(shown.find("launch 0: void "), std::string::npos);
    EXPECT_NE(shown.find("\xc3\xa4...\n"), std::string::npos) << "whole characters";
    EXPECT_EQ(shown.find(name), std::string::npos);
    EXPECT_EQ(json::parse(run(piped(ReportFormat::json), text))["launches"][0]["kernel"], name);
}

TEST(ImportNcu, NamesThatAreNoUtf8) {
    const std::string text = ncu_raw({{"k\xff\x80", "(1, 1, 1)", "(1, 1, 1)", {{kLoads, "1"}}}});
    EXPECT_NO_THROW(std::ignore = json::parse(run(piped(ReportFormat::json), text)));
}

/// Whatever is done to a file: an answer or a sentence, never a crash.
TEST(ImportNcu, MutatedFiles) {
    const std::string raw =
        "==PROF== x\n" +
        ncu_raw({{"fill", "(1, 1, 1)", "(1, 1, 1)", {{kLoads, "0"}, {kSectors, "1,024.5"}}},
                 {"k", "(2, 1, 1)", "(1, 1, 1)", {{kLoads, "n/a"}, {kSectors, "12 (1; 2)"}}}});
    const std::string bytes = ",\"\n\r\0I=.()-9KMe \t\xff\xef\xbb\xbf"s;  // with the zero byte
    const std::string whole[] = {raw, contents_of(kDetails),
                                 contents_of(in_source("tests/data/ncu/h200_text.txt")),
                                 contents_of(in_source("tests/data/ncu/ncu_semicolon.csv"))};
    std::mt19937 random(7);
    int refused = 0;
    constexpr int kRounds = 3000;
    for (int round = 0; round < kRounds; ++round) {
        const std::string text = damaged(whole[round % 4], bytes, random);
        ImportNcuCommand command = piped(static_cast<ReportFormat>(round % 3));
        if (round % 5 == 0) command.choice.scenario = "shared-stride";
        const std::string sentence = complaint(command, text);  // any other exception fails the test
        refused += !sentence.empty();
        EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
    }
    EXPECT_GT(refused, kRounds / 4);
    EXPECT_LT(refused, kRounds);
}

// Printed by Nsight Compute 2025.3 on an H200: a tiled transpose of 512 x 512, a stride of 4 in shared
// memory.
TEST(ImportNcu, WhatAProfilerReallyPrintedAgrees) {
    ImportNcuCommand command;
    command.path = in_source("tests/data/ncu/h200_transpose_raw.csv");
    command.choice = {"transpose", {"variant=tile,matrix=512"}};
    const std::string text = run(command);
    EXPECT_NE(text.find("0 off"), std::string::npos) << text;
    EXPECT_NE(text.find("1 launch: "), std::string::npos) << text;

    command.path = in_source("tests/data/ncu/h200_details.csv");
    command.choice = {"shared-stride", {"stride=4"}};
    EXPECT_NE(run(command).find("replay_kernel<SharedStride"), std::string::npos)
        << "rows without what stands behind the value";
}

TEST(ImportNcu, LaunchesOfAnotherShapeAreLeftOutUnlessAskedFor) {
    const PrintedLaunch fill{"fill", "(256, 1, 1)", "(16, 1, 1)", {{kLoads, "0"}, {kSectors, "0"}}},
        own{"own", "(32, 8, 1)", "(32, 32, 1)", {{kLoads, "32,768"}, {kSectors, "131,072"}}};
    ImportNcuCommand command = piped();
    command.choice = {"transpose", {"variant=tile,matrix=1024"}};
    const std::string csv = ncu_raw({fill, own});
    EXPECT_EQ(run(command, csv).find("fill"), std::string::npos);
    EXPECT_NE(run(command, csv).find("own"), std::string::npos);
    EXPECT_NE(run(command, ncu_raw({fill})).find("fill"), std::string::npos) << "better than nothing";
    command.kernel = "fill";
    EXPECT_NE(run(command, csv).find("fill"), std::string::npos);
}

}  // namespace
}  // namespace warplens::test::import_ncu_tests
