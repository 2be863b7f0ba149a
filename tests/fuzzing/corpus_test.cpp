#include "tests/fuzzing/targets.h"
#include "tests/source_dir.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace warplens::test::corpus_tests {
namespace {

class Corpus : public testing::TestWithParam<fuzz::Target> {};

TEST_P(Corpus, HoldsTheLawsOfItsTarget) {
    const std::filesystem::path folder =
        std::filesystem::path(in_source("tests/fuzzing/corpus")) / GetParam().name;
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        std::ostringstream bytes;
        bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
        EXPECT_NO_THROW(GetParam().run(bytes.str())) << entry.path();
        ++files;
    }
    EXPECT_GE(files, 3) << folder;
}

INSTANTIATE_TEST_SUITE_P(Targets, Corpus, testing::ValuesIn(fuzz::kTargets),
                         [](const auto& target) { return std::string(target.param.name); });

}  // namespace
}  // namespace warplens::test::corpus_tests
