// `warplens report my.cu`: a kernel of somebody's own on the command line.
#include "app/cli/report.h"

#include "app/base/errors.h"
#include "app/experiment/settings.h"
#include "tests/app/typed/typed_examples.h"
#include "tests/with_folder.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace warplens::test::typed_report_tests {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class TypedReportTest : public testing::Test, protected WithFolder {
protected:
    static std::string report(const std::string& path, const std::vector<std::string>& settings = {},
                              ReportFormat format = ReportFormat::text) {
        ReportCommand command;
        command.choice = {path, settings};
        command.device = {"H200", true, ""};
        command.format = format;
        std::ostringstream out;
        run_report(command, out);
        return out.str();
    }
    static std::string problem(const std::string& path, const std::vector<std::string>& settings = {}) {
        try {
            report(path, settings);
        } catch (const UsageError& error) {
            return error.what();
        }
        return "";
    }
};

TEST_F(TypedReportTest, AccessesAreListedWithTheirLinesAndCosts) {
    const std::string path = file("transpose.cu", typed_example("transpose").text);
    const std::string text = report(path, {"n=64"});
    EXPECT_THAT(text, HasSubstr("transpose.cu (kernel)  transpose()"));
    EXPECT_THAT(text, HasSubstr("n=2^6"));
    EXPECT_THAT(text, HasSubstr("2 x 2 blocks of 32 x 8 threads, 4096 bytes of shared memory each"));
    EXPECT_THAT(text, HasSubstr("load tile: 32-way bank conflict"));
    EXPECT_THAT(text, HasSubstr("\n  for (int j = 0; j < TILE; j += 8) out[(y + j) * n + x] = "
                                "tile[threadIdx.x][threadIdx.y + j];\n"));
    EXPECT_THAT(report(path, {"n=64,pad=1"}), HasSubstr("load tile: Conflict-free: 1 wavefront, ideal 1."));
}

TEST_F(TypedReportTest, JsonAndCsvHaveTheSameNumbers) {
    const std::string path = file("stride.cu", typed_example("stride").text);
    const auto json = nlohmann::json::parse(report(path, {"n=2048", "stride=8"}, ReportFormat::json));
    EXPECT_EQ(json["scenario"], "kernel");
    EXPECT_EQ(json["name"], "stride.cu");
    EXPECT_EQ(json["params"]["stride"], 8);
    EXPECT_EQ(json["kind"], "exact");
    EXPECT_EQ(json["race"], nullptr);
    EXPECT_EQ(json["grid"][0]["label"], "load in");
    EXPECT_EQ(json["grid"][0]["line"], 8);
    EXPECT_EQ(json["grid"][0]["requests"], 64);
    EXPECT_EQ(json["grid"][0]["sectors"], 2048) << "a sector for every element";
    EXPECT_EQ(json["grid"][1]["sectors"], 256);
    const std::string csv = report(path, {"n=2048", "stride=8"}, ReportFormat::csv);
    EXPECT_THAT(csv, HasSubstr("\ngrid,load in,global,load,64,2048,"));
}

TEST_F(TypedReportTest, RulesThatWereNotMeasuredAreApproximate) {
    ReportCommand command;
    command.choice = {file("stride.cu", typed_example("stride").text), {}};
    command.device = {"GTX 1080", true, ""};
    std::ostringstream out;
    run_report(command, out);
    EXPECT_THAT(out.str(), HasSubstr("○ load in"));
}

TEST_F(TypedReportTest, ABlockThatDoesNotFitIsSaid) {
    const std::string path = file("large.cu",
                                  "// launch grid=1 block=32 shared=80000\n__global__ void k(float* a) {\n"
                                  "extern __shared__ float s[];\ns[threadIdx.x] = a[threadIdx.x];\n}\n");
    ReportCommand command;
    command.choice = {path, {}};
    command.device = {"GTX 1080", true, ""};
    std::ostringstream out;
    run_report(command, out);
    EXPECT_THAT(out.str(),
                HasSubstr("This setting needs 79 KiB of shared memory per block, GeForce GTX 1080 has 48"));
    EXPECT_THAT(out.str(), HasSubstr("it is not predicted for what cannot run"));
    EXPECT_THAT(report(path), testing::Not(HasSubstr("of shared memory per block")));
}

TEST_F(TypedReportTest, AnAssumedLaunchAndARaceAreSaid) {
    const std::string path = file("race.cu",
                                  "__global__ void k(float* a, int n) {\n"
                                  "__shared__ float s[256];\ns[threadIdx.x] = 1;\n"
                                  "a[threadIdx.x] = s[255 - threadIdx.x];\n}\n");
    const std::string text = report(path);
    EXPECT_THAT(text, HasSubstr("! n = 1024 is assumed"));
    EXPECT_THAT(text, HasSubstr("Verdict: A race: thread 0 (warp 0, lane 0) stores to word 0"));
}

TEST_F(TypedReportTest, WhatTakesScenariosOnlySaysSo) {
    try {
        require_scenario("my.cu");
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_THAT(
            error.what(),
            HasSubstr(
                "'my.cu' is a kernel of your own: report, export, fix, code, measure, quiz and the window take "
                "it"));
    }
}

TEST_F(TypedReportTest, AKernelOfAFileIsChosenByItsName) {
    const std::string path = file("two.cu",
                                  "__global__ void one(float* a) { a[threadIdx.x] = 0; }\n"
                                  "__global__ void two(float* b) { b[2 * threadIdx.x] = 0; }\n");
    const auto chosen = [&](const std::string& file, const std::string& kernel) {
        return make_experiment({.scenario = file, .settings = {}, .kernel = kernel}, {.cpu = true})
            .state.scenario->typed->kernel();
    };
    EXPECT_EQ(chosen(path, ""), "two");
    EXPECT_EQ(chosen(path, "one"), "one");
    EXPECT_THROW(chosen(path, "three"), UsageError);
    EXPECT_THROW(chosen("transpose", "one"), UsageError) << "a scenario has no other kernels";
}

// Worked example: of a first program nothing is counted, which is an answer.
TEST_F(TypedReportTest, AKernelWithoutLoadsAndStoresIsCounted) {
    const std::string hello = file("hello.cu",
                                   "__global__ void hello() { printf(\"%d\", threadIdx.x); }\n"
                                   "int main() { hello<<<2, 5>>>(); }\n");
    EXPECT_THAT(
        report(hello),
        HasSubstr(
            "hello neither loads nor stores anything: 2 blocks of 5 threads make no request to memory"));
    EXPECT_TRUE(nlohmann::json::parse(report(hello, {}, ReportFormat::json))["instructions"].empty());
}

TEST_F(TypedReportTest, MistakesAreOneSentence) {
    const std::string path = file("stride.cu", typed_example("stride").text);
    EXPECT_THAT(problem(path, {"width=3"}), HasSubstr("has no parameter 'width'"));
    EXPECT_THAT(problem(path, {"stride=10"}),
                HasSubstr("stride=10: stride takes a whole number from 1 to 9"));
    EXPECT_THAT(problem((folder_ / "none.cu").string()), HasSubstr("none.cu"));
    EXPECT_THAT(problem(file("bad.cu", "__global__ void k(float* a) { cudaFree(a); }")),
                HasSubstr("bad.cu, line 1, column 31: 'cudaFree' is not declared in this text"));
    EXPECT_THAT(problem(file("binary.cu", std::string("\x7f\x45\x4c\x46\x00\x01", 6))),
                HasSubstr("there is no kernel"));
    EXPECT_THAT(
        problem(file("taken.cu", "// knob device = 1 in 0..4\n__global__ void k(float* a) { a[0] = 1; }")),
        HasSubstr("taken.cu, '// knob' cannot be called 'device', which means something else in links"));
    EXPECT_THAT(
        problem(file("warp.cu", "// knob warp = 1 in 0..4\n__global__ void k(float* a) { a[0] = 1; }")),
        HasSubstr("cannot be called 'warp'"));
}

}  // namespace
}  // namespace warplens::test::typed_report_tests
