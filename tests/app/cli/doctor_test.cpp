#include "app/cli/doctor.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace warplens::test::doctor_tests {
namespace {

TEST(Doctor, CountersPermission) {
    EXPECT_EQ(examine_counters("", false).health, Health::missing);
    EXPECT_EQ(examine_counters("Something: 1\n", false).health, Health::missing);
    EXPECT_EQ(examine_counters("A: 1\nRmProfilingAdminOnly: 0\n", false).health, Health::good);
    EXPECT_EQ(examine_counters("RmProfilingAdminOnly: 1\n", true).health, Health::good);
    const Finding refused = examine_counters("RmProfilingAdminOnly: 1\n", false);
    EXPECT_EQ(refused.health, Health::problem);
    EXPECT_FALSE(refused.advice.empty());
    EXPECT_EQ(examine_counters("RmProfilingAdminOnly:", false).health, Health::problem) << "cut off";
}

TEST(Doctor, TextAndJsonSayTheSame) {
    const std::vector<Finding> findings{{"GPU", Health::missing, "none\nat all", "buy one"},
                                        {"fonts", Health::good, "\xff", ""}};
    const std::string text = findings_text(findings);
    EXPECT_NE(text.find("--  GPU         none"), std::string::npos) << text;
    EXPECT_NE(text.find("-> buy one"), std::string::npos) << text;
    const auto json = nlohmann::json::parse(findings_json(findings));
    EXPECT_EQ(json["findings"][0]["health"], "missing");
    EXPECT_EQ(json["findings"][0]["found"], "none\nat all");
}

}  // namespace
}  // namespace warplens::test::doctor_tests
