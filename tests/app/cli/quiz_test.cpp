#include "app/cli/run.h"

#include "app/base/errors.h"
#include "app/base/process.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace warplens::test::quiz_tests {
namespace {

std::string printed(const std::vector<std::string>& arguments) {
    std::vector<std::string> all{"quiz"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    std::ostringstream out;
    std::istringstream none;
    run_command_line(all, none, out);
    return out.str();
}

TEST(QuizCommand, PrintsAWorkSheetWithoutAnswers) {
    const std::string text = printed({"--seed", "2026", "--count", "4"});
    EXPECT_NE(text.find("seed 2026, 4 questions"), std::string::npos) << text;
    EXPECT_NE(text.find("\n4.\n"), std::string::npos);
    EXPECT_EQ(text.find("\n5.\n"), std::string::npos);
    EXPECT_EQ(text.find("Right:"), std::string::npos);
    const std::string solved = printed({"--seed", "2026", "--count", "4", "--answers"});
    EXPECT_NE(solved.find("Right:"), std::string::npos);
    EXPECT_NE(solved.find("warplens '"), std::string::npos) << "the way to see it";
}

TEST(QuizCommand, JsonHasAnswersOnlyWhenAsked) {
    const auto plain = nlohmann::json::parse(printed({"--seed", "3", "--json"}));
    ASSERT_EQ(plain["questions"].size(), 10u);
    for (const auto& question : plain["questions"]) {
        EXPECT_FALSE(question.contains("right_answer"));
        EXPECT_FALSE(question["question"].get<std::string>().empty());
        EXPECT_FALSE(question["links"].empty());
    }
    const auto solved = nlohmann::json::parse(printed({"--seed", "3", "--json", "--answers"}));
    for (const auto& question : solved["questions"])
        EXPECT_FALSE(question["right_answer"].get<std::string>().empty());
}

TEST(QuizCommand, AsksForTheMistakesOfAFigure) {
    const std::string text = printed({"--mistakes", "figure-4.7"});
    EXPECT_NE(text.find(" 7  int Pvalue = 0;"), std::string::npos) << text;
    EXPECT_NE(text.find("\n5.\n"), std::string::npos);
    EXPECT_EQ(text.find("Right:"), std::string::npos);
    const std::string solved = printed({"--mistakes", "figure-4.7", "--answers"});
    EXPECT_NE(solved.find("Right: line 7"), std::string::npos) << solved;
    EXPECT_NE(solved.find("__syncthreads()"), std::string::npos);
    const auto json = nlohmann::json::parse(printed({"--mistakes", "figure-4.7", "--json", "--answers"}));
    EXPECT_EQ(json["questions"][0]["right_answer"], "line 7");
    EXPECT_FALSE(json["questions"][0]["code"].get<std::string>().empty());
    EXPECT_THROW(printed({"--mistakes", "figure-4.8"}), UsageError);
}

TEST(QuizCommand, WritesATable) {
    const std::string path = testing::TempDir() + "warplens_quiz_test.csv";
    EXPECT_EQ(printed({"--seed", "3", "--csv", path}), "");
    const std::string written = contents_of(path);
    std::filesystem::remove(path);
    EXPECT_EQ(written, printed({"--seed", "3", "--csv", "-"}));
    EXPECT_TRUE(written.starts_with("seed,number,scenario,"));
}

/// The text of the kernel stands above the questions, once.
TEST(QuizCommand, AsksAboutAKernelOfOnesOwn) {
    const std::string path = testing::TempDir() + "warplens_quiz_kernel.cu";
    std::ofstream(path)
        << "// knob stride = 2 in 1..64\n// launch grid=4 block=64\n"
           "__global__ void k(const float* in /* in [stride*256] */, float* out /* out [256] */, int stride) {\n"
           "    int i = blockIdx.x * blockDim.x + threadIdx.x;  // \x1b[31m\n"
           "    out[i] = in[i * stride];\n}\n";
    const std::string text = printed({path, "--count", "4"});
    EXPECT_EQ(text.find('\x1b'), std::string::npos) << "it steers no terminal";
    EXPECT_NE(text.find("seed 1, 4 questions"), std::string::npos) << text;
    const std::string line = "\n  5      out[i] = in[i * stride];\n";
    EXPECT_NE(text.find(line), std::string::npos) << text;
    EXPECT_EQ(text.find(line, text.find(line) + 1), std::string::npos) << text;
    EXPECT_EQ(text.find("Right:"), std::string::npos);
    const auto json = nlohmann::json::parse(printed({path, "--json", "--answers"}));
    EXPECT_FALSE(json["code"].get<std::string>().empty());
    const std::string link = json["questions"][0]["links"][0];
    EXPECT_EQ(nlohmann::json::parse(printed({link, "--json", "--answers"}))["code"], json["code"])
        << "a link to a kernel will do as well";
    EXPECT_NE(printed({path, "--csv", "-"}).find("\n1,1,kernel,"), std::string::npos);
    std::filesystem::remove(path);
    EXPECT_THROW(printed({path}), UsageError);
}

TEST(QuizCommand, AsksAboutOneScenario) {
    const auto json = nlohmann::json::parse(printed({"transpose", "--json", "--count", "20"}));
    for (const auto& question : json["questions"]) EXPECT_EQ(question["scenario"], "transpose");
    EXPECT_THROW(printed({"latency-hiding"}), UsageError);
    EXPECT_THROW(printed({"transpose?variant=tile"}), UsageError);
    EXPECT_THROW(printed({"transpose", "--mistakes", "figure-4.7"}), UsageError);
}

TEST(QuizCommand, WhatIsWrongIsSaid) {
    EXPECT_THROW(printed({"--seed", "x"}), UsageError);
    EXPECT_THROW(printed({"--seed", "-1"}), UsageError);
    EXPECT_THROW(printed({"--seed", "4294967296"}), UsageError);
    EXPECT_NO_THROW(printed({"--seed", "4294967295", "--count", "1"}));
    EXPECT_THROW(printed({"--count", "0"}), UsageError);
    EXPECT_THROW(printed({"--count", "51"}), UsageError);
    EXPECT_THROW(printed({"--space", "registers"}), UsageError);
    EXPECT_THROW(printed({"--csv", "/no/such/folder/q.csv"}), UsageError);
    EXPECT_THROW(printed({"--csv", "-", "--json"}), UsageError);
}

}  // namespace
}  // namespace warplens::test::quiz_tests
