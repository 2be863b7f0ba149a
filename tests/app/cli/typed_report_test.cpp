// `warplens report my.cu`: a kernel of somebody's own on the command line.
#include "app/cli/typed_report.h"

#include "app/base/errors.h"
#include "tests/app/typed/typed_examples.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace warplens::test::typed_report_tests {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class TypedReportTest : public testing::Test {
protected:
    void SetUp() override { fs::create_directories(folder_); }
    void TearDown() override { fs::remove_all(folder_); }
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name, std::ios::binary) << text;
        return (folder_ / name).string();
    }
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

    fs::path folder_ =
        fs::path(testing::TempDir()) /
        (std::string("warplens_typed_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(TypedReportTest, AccessesAreListedWithTheirLinesAndCosts) {
    const std::string path = write("transpose.cu", typed_example("transpose").text);
    const std::string text = report(path, {"n=64"});
    EXPECT_THAT(text, HasSubstr("transpose (transpose.cu)"));
    EXPECT_THAT(text, HasSubstr("n=64, PAD=0"));
    EXPECT_THAT(text,
                HasSubstr("2 x 2 blocks of 32 x 8 threads, 4096 bytes of shared memory each, 1 barrier\n"));
    EXPECT_THAT(text, HasSubstr("load tile: 32 times the ideal: 32 wavefronts a request, ideal 1"));
    EXPECT_THAT(text, HasSubstr("line 18: for (int j = 0; j < TILE; j += 8) out[(y + j) * n + x] = "
                                "tile[threadIdx.x][threadIdx.y + j];"));
    EXPECT_THAT(report(path, {"n=64,PAD=1"}), HasSubstr("load tile: ideal: 1 wavefronts a request"));
}

TEST_F(TypedReportTest, JsonAndCsvHaveTheSameNumbers) {
    const std::string path = write("stride.cu", typed_example("stride").text);
    const auto json = nlohmann::json::parse(report(path, {"n=2048", "stride=8"}, ReportFormat::json));
    EXPECT_EQ(json["kernel"], "scale");
    EXPECT_EQ(json["knobs"]["stride"], 8);
    EXPECT_EQ(json["all_blocks"], true);
    EXPECT_EQ(json["grid"][0]["kind"], "exact");
    EXPECT_EQ(json["grid"][0]["label"], "load in");
    EXPECT_EQ(json["grid"][0]["requests"], 64);
    EXPECT_EQ(json["grid"][0]["sectors"], 2048) << "a sector for every element";
    EXPECT_EQ(json["grid"][1]["sectors"], 256);
    const std::string csv = report(path, {"n=2048", "stride=8"}, ReportFormat::csv);
    EXPECT_THAT(csv, HasSubstr("\ngrid,\"load in\",8,global,load,exact,"));
    EXPECT_THAT(csv, HasSubstr(",2048,"));
}

TEST_F(TypedReportTest, RulesThatWereNotMeasuredAreApproximate) {
    ReportCommand command;
    command.choice = {write("stride.cu", typed_example("stride").text), {}};
    command.device = {"GTX 1080", true, ""};
    std::ostringstream out;
    run_report(command, out);
    EXPECT_THAT(out.str(), HasSubstr("○ load in"));
    EXPECT_THAT(out.str(), HasSubstr("○ approximate: That CC 5.x and 6.x cut a warp into requests"));
}

TEST_F(TypedReportTest, ABlockThatDoesNotFitIsSaid) {
    const std::string path = write("large.cu",
                                   "// launch grid=1 block=32\n__global__ void k(float* a) {\n"
                                   "__shared__ float s[20000];\ns[threadIdx.x] = a[threadIdx.x];\n}\n");
    ReportCommand command;
    command.choice = {path, {}};
    command.device = {"GTX 1080", true, ""};
    std::ostringstream out;
    run_report(command, out);
    EXPECT_THAT(out.str(), HasSubstr("A block of 80000 bytes of shared memory does not run on "));
    EXPECT_THAT(report(path), testing::Not(HasSubstr("does not run")));
}

TEST_F(TypedReportTest, MistakesAreOneSentence) {
    const std::string path = write("stride.cu", typed_example("stride").text);
    EXPECT_THAT(problem(path, {"width=3"}), HasSubstr("stride.cu has no knob 'width'; it has n, stride"));
    EXPECT_THAT(problem(path, {"stride=10"}), HasSubstr("stride=10: expected a whole number, 1 to 9"));
    EXPECT_THAT(problem(path, {"stride"}), HasSubstr("stride=: expected a whole number"));
    EXPECT_THAT(problem((folder_ / "none.cu").string()), HasSubstr("none.cu"));
    EXPECT_THAT(problem(write("bad.cu", "__global__ void k(float* a) { printf(a); }")),
                HasSubstr("bad.cu, line 1, column 31: not in the subset: 'printf'"));
    EXPECT_THAT(problem(write("binary.cu", std::string("\x7f\x45\x4c\x46\x00\x01", 6))),
                HasSubstr("this is no character of CUDA C++"));
}

}  // namespace
}  // namespace warplens::test::typed_report_tests
