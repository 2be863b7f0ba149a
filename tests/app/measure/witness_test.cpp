#include "app/measure/witness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::test::witness_tests {
namespace {

using ::testing::HasSubstr;

std::string file(const std::string& values) {
    return R"({"gpus": [{"gpu": "NVIDIA Test", "cc": "9.0", "date": "2026-11-24", "driver_cuda": "13.0", "values": {)" +
           values + "}}]}";
}

std::string mistake(const std::string& text) {
    try {
        parse_witness(text);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "no mistake";
}

TEST(Witness, ReadsValuesByTheirNames) {
    const std::vector<Witness> all = parse_witness(file(R"("copy/20/first": [12.5, 11, 20])"));
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].where(), "NVIDIA Test, 2026-11-24, driver for CUDA 13.0");
    ASSERT_NE(all[0].find("copy/20/first"), nullptr);
    EXPECT_EQ(all[0].find("copy/20/first")->median, 12.5);
    EXPECT_EQ(all[0].find("copy/20/first")->most, 20);
    EXPECT_EQ(all[0].find("copy/20/second"), nullptr);
}

TEST(Witness, SaysWhatIsWrong) {
    EXPECT_THAT(mistake("nonsense"), HasSubstr("witness: "));
    EXPECT_THAT(mistake(file(R"("x": [1, 2])")), HasSubstr("the median, the least and the most"));
    EXPECT_THAT(mistake(file(R"("x": [1, 2, 3])")), HasSubstr("a median between both"));
    EXPECT_THAT(mistake(file(R"("x": [-1, -2, 3])")), HasSubstr("x"));
    EXPECT_THAT(mistake(R"({"gpus": [{}]})"), HasSubstr("gpu is missing"));
}

}  // namespace
}  // namespace warplens::test::witness_tests
