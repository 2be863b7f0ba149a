// warplens occupancy: one launch in words and as JSON, files of launches, and the survey of kernels.
#include "app/cli/occupancy/occupancy.h"

#include "app/base/errors.h"
#include "tests/app/model/device/occupancy_rows.h"
#include "tests/source_dir.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace warplens::test::occupancy_tests {

namespace {

OccupancyCommand launch(const std::string& cc, OccupancyInput input, bool json = false) {
    OccupancyCommand command;
    command.cc = cc;
    command.input = input;
    command.json = json;
    return command;
}

std::string answer(const std::string& text) {
    std::istringstream input(text);
    return warplens::occupancy_rows(input, "launches.csv");
}

std::string complaint(const std::string& text) {
    try {
        answer(text);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}

std::string complaint(const OccupancyCommand& command) {
    try {
        occupancy_of_launch(command);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST(OccupancyCommand, SaysWhatLimitsAndWhatWouldHelp) {
    const std::string text = occupancy_of_launch(launch("9.0", {.threads = 256, .registers = 33}));
    EXPECT_NE(text.find("Registers leave room for 6 blocks of 256 threads: 48 of 64 warps, 75 %."),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("One register fewer per thread, 32 instead of 33, gives 8 blocks"), std::string::npos)
        << text;
    EXPECT_NE(text.find("6 blocks  limits"), std::string::npos) << text;
    EXPECT_NE(text.find("● exact"), std::string::npos) << text;
    EXPECT_NE(occupancy_of_launch(launch("1.3", {.threads = 256, .registers = 16})).find("○ approximate"),
              std::string::npos);
}

TEST(OccupancyCommand, JsonHasTheSame) {
    const auto json = nlohmann::json::parse(
        occupancy_of_launch(launch("9.0", {.threads = 256, .registers = 33, .dynamic_shared = 1024}, true)));
    EXPECT_EQ(json["blocks"], 6);
    EXPECT_EQ(json["warps"], 48);
    EXPECT_EQ(json["occupancy"], 0.75);
    EXPECT_EQ(json["limiter"], nlohmann::json::array({"registers"}));
    EXPECT_EQ(json["allowed"]["warps"], 8);
    EXPECT_EQ(json["allowed"]["shared"], 114);
    EXPECT_EQ(json["kind"], "exact");
    EXPECT_EQ(json["remedies"][0]["changes"][0]["knob"], "registers");
    EXPECT_EQ(json["remedies"][0]["changes"][0]["to"], 32);
    EXPECT_EQ(json["remedies"][0]["blocks"], 8);
    const auto old =
        nlohmann::json::parse(occupancy_of_launch(launch("5.2", {.threads = 64, .registers = 0}, true)));
    EXPECT_TRUE(old["allowed"]["registers"].is_null()) << "no limit";
    EXPECT_TRUE(old["allowed"]["barriers"].is_null());
}

TEST(OccupancyCommand, WhatCannotRunSaysWhy) {
    const auto verdict = [](const char* cc, OccupancyInput input) {
        return nlohmann::json::parse(occupancy_of_launch(launch(cc, input, true)))["verdict"]
            .get<std::string>();
    };
    EXPECT_EQ(
        verdict("1.0", {.threads = 1024, .registers = 10}).find("A block of 1\u2009024 threads cannot run"),
        0u)
        << verdict("1.0", {.threads = 1024, .registers = 10});
    EXPECT_NE(verdict("9.0", {.threads = 1024, .registers = 65}).find("cannot run: it needs"),
              std::string::npos);
    EXPECT_NE(verdict("9.0", {.dynamic_shared = 300000}).find("of shared memory cannot run"),
              std::string::npos);
    EXPECT_NE(verdict("2.0", {.registers = 64}).find("63 at most"), std::string::npos);
}

TEST(OccupancyCommand, RefusesWhatTheCapabilityDoesNotHave) {
    EXPECT_NE(
        complaint(launch("9.5", {})).find("--cc 9.5: expected a compute capability of the table: 1.0, 1.1"),
        std::string::npos);
    EXPECT_NE(complaint(launch("6.1", {.carveout = 50})).find("--carveout 50"), std::string::npos);
    EXPECT_NE(complaint(launch("9.0", {.arguments = 40})).find("--arguments"), std::string::npos);
    EXPECT_NE(complaint(launch("1.0", {.arguments = 257})).find("0 to 256"), std::string::npos);
    EXPECT_EQ(complaint(launch("1.0", {.arguments = 256})), "");
}

TEST(OccupancyFile, EveryReferenceRowComesBackWithItsBlocks) {
    std::ifstream file(in_source("tests/data/occupancy_reference.csv"));
    std::istringstream lines(
        warplens::occupancy_rows(file, "occupancy_reference.csv"));  // `blocks` there is a further column
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line, "cc,block,regs,smem_dyn,blocks,limiter");
    constexpr const char* kWords[] = {"warps", "registers", "shared", "blocks", "barriers"};
    for (const test::OccupancyRow& row : test::occupancy_rows()) {
        std::string limiter;
        for (int bit = 0; bit < 5; ++bit) {
            if ((row.limiting >> bit & 1u) != 0)
                limiter += (limiter.empty() ? "" : "+") + std::string(kWords[bit]);
        }
        ASSERT_TRUE(std::getline(lines, line));
        ASSERT_EQ(line, fmt::format("{},{},{},{},{},{}", row.cc, row.input.threads, row.input.registers,
                                    row.input.dynamic_shared, row.blocks, limiter));
    }
    EXPECT_FALSE(std::getline(lines, line));
}

TEST(OccupancyFile, ColumnsStandInAnyOrderAmongOthers) {
    EXPECT_EQ(
        answer("name,smem_dyn,regs,block,cc\nmine,0,33,256,9.0\n\n\"a,b\", 0 ,32,256,\"9.0\"\r\n"),
        "cc,block,regs,smem_dyn,blocks,limiter\n9.0,256,33,0,6,registers\n9.0,256,32,0,8,warps+registers\n");
    EXPECT_EQ(answer("cc,block,regs,smem_dyn\n"), "cc,block,regs,smem_dyn,blocks,limiter\n");
    EXPECT_EQ(answer("cc,block,regs,smem_dyn\n9.0,1025,32,0\n"),
              "cc,block,regs,smem_dyn,blocks,limiter\n9.0,1025,32,0,0,warps\n")
        << "what cannot run is an answer, too";
}

TEST(OccupancyFile, MistakesAreNamedWithLineAndColumn) {
    const std::string head = "cc,block,regs,smem_dyn\n9.0,256,32,0\n";
    EXPECT_EQ(complaint(""), "launches.csv, line 1: expected a header cc,block,regs,smem_dyn, found nothing");
    EXPECT_EQ(complaint("cc,block,regs\n"),
              "launches.csv, line 1: the header has no column smem_dyn: expected cc,block,regs,smem_dyn");
    EXPECT_EQ(complaint("cc,block,regs,regs,smem_dyn\n"),
              "launches.csv, line 1: the header names column regs twice");
    EXPECT_EQ(complaint(head + "9.0,256,32\n"),
              "launches.csv, line 3: expected 4 columns as in the header, found 3");
    EXPECT_EQ(
        complaint(head + "9.9,256,32,0\n"),
        "launches.csv, line 3, column cc: expected a compute capability of the table, 1.0 to 12.1, found "
        "'9.9'");
    EXPECT_EQ(complaint(head + "\n9.0,many,32,0\n"),
              "launches.csv, line 4, column block: expected a whole number from 1 to 65536, found 'many'");
    EXPECT_EQ(complaint(head + "9.0,256,-1,0\n"),
              "launches.csv, line 3, column regs: expected a whole number from 0 to 65535, found '-1'");
    EXPECT_EQ(
        complaint(head + "9.0,256,32,1.5\n"),
        "launches.csv, line 3, column smem_dyn: expected a whole number from 0 to 268435456, found '1.5'");
    EXPECT_EQ(complaint(head + "9.0,256,,0\n"),
              "launches.csv, line 3, column regs: expected a whole number from 0 to 65535, found nothing");
    EXPECT_EQ(complaint(head + "9.0,256,32,99999999999999999999\n"),
              "launches.csv, line 3, column smem_dyn: expected a whole number from 0 to 268435456, found "
              "'99999999999999999999'");
}

TEST(OccupancyFile, NothingIsWrittenUnlessEveryRowIsGood) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "warplens_occupancy";
    std::filesystem::create_directories(folder);
    OccupancyCommand command;
    command.path = "-";
    command.output_path = (folder / "out.csv").string();
    std::ostringstream out;
    std::istringstream bad("cc,block,regs,smem_dyn\n9.0,256,32,0\n9.0,x,32,0\n");
    EXPECT_THROW(run_occupancy(command, bad, out), UsageError);
    EXPECT_FALSE(std::filesystem::exists(command.output_path));
    std::istringstream good("cc,block,regs,smem_dyn\n9.0,256,32,0\n");
    run_occupancy(command, good, out);
    EXPECT_TRUE(std::filesystem::exists(command.output_path));
    EXPECT_EQ(out.str(), "");
    std::filesystem::remove_all(folder);
}

TEST(OccupancySurvey, ComparesTheDriverWithTheModel) {
    GpuInfo gpu;
    gpu.name = "NVIDIA H200";
    gpu.cc_major = 9;
    const KernelSurvey survey =
        survey_kernels(gpu,
                       [](std::string_view scenario,
                          const Params&) -> std::variant<std::vector<KernelResources>, Unavailable> {
                           if (scenario == "cluster-shared") return Unavailable{"needs more"};
                           const bool wrong = scenario == "transpose";
                           return std::vector<KernelResources>{{.role = "grid",
                                                                .name = "replay_kernel",
                                                                .threads = 256,
                                                                .registers = 32,
                                                                .blocks_per_sm = wrong ? 7 : 8,
                                                                .is_timed = true}};
                       });
    int differing = 0;
    const std::string text = survey_text(survey, differing);
    EXPECT_EQ(static_cast<std::size_t>(differing), kernel_settings(*find_scenario("transpose")).size());
    EXPECT_NE(text.find("≠"), std::string::npos);
    EXPECT_NE(text.find("left out: cluster-shared: needs more"), std::string::npos);
    EXPECT_EQ(survey.left_out.size(), 1u);
    EXPECT_EQ(read_kernel_table(write_kernel_table(survey.table)).gpu, "NVIDIA H200");
}

TEST(OccupancySurvey, NeedsAGpu) {
    OccupancyCommand command;
    command.kernels = true;
    command.cpu = true;
    std::istringstream input;
    std::ostringstream out;
    EXPECT_THROW(run_occupancy(command, input, out), NoGpu);
}

}  // namespace warplens::test::occupancy_tests
