#include "app/cli/report.h"

#include "app/base/errors.h"
#include "app/experiment/evidence.h"
#include "app/experiment/settings.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <span>
#include <sstream>

namespace warplens::test::report_tests {
namespace {

using nlohmann::ordered_json;

std::string report(const std::string& scenario, const std::vector<std::string>& settings, ReportFormat format,
                   const std::string& device = "H200") {
    std::ostringstream out;
    run_report({{scenario, settings}, {device, true}, format}, out);
    return out.str();
}

ordered_json report_json(const std::string& scenario, const std::vector<std::string>& settings) {
    return ordered_json::parse(report(scenario, settings, ReportFormat::json));
}

TEST(Report, KeysOfEveryInstruction) {
    const std::vector<std::string> keys{
        "label",         "space",      "op",         "requests",         "sectors",
        "ideal_sectors", "lines",      "wavefronts", "ideal_wavefronts", "excessive_wavefronts",
        "bytes_used",    "bytes_moved"};
    for (const Scenario& scenario : all_scenarios()) {
        const ordered_json json = report_json(std::string(scenario.info->id), {});
        EXPECT_EQ(json["schema"], 1);
        EXPECT_EQ(json["scenario"], scenario.info->id);
        for (const char* scope : {"grid", "block", "warp"}) {
            ASSERT_EQ(json[scope].size(),
                      static_cast<std::size_t>(scenario.instruction_count(scenario.info->defaults)));
            for (const ordered_json& row : json[scope]) {
                std::vector<std::string> found;
                for (const auto& [key, value] : row.items()) found.push_back(key);
                ASSERT_GE(found.size(), keys.size());
                EXPECT_TRUE(std::ranges::equal(keys, std::span(found).first(keys.size())))
                    << "those of 0.1 come first, in their order";
                EXPECT_TRUE(row["requests"].is_number_integer());
            }
        }
    }
}

// The cells of the map take what the rows of the grid take.
TEST(Report, AMapIsTheGridInCells) {
    ReportCommand command{{"transpose", {"matrix=1000"}}, {"H200", true}, ReportFormat::json};
    command.map = true;
    std::ostringstream out;
    run_report(command, out);
    const ordered_json json = ordered_json::parse(out.str()), map = json["map"];
    std::int64_t cost = 0, grid = 0;
    for (const ordered_json& cell : map["cells"]) cost += cell["cost"].get<std::int64_t>();
    for (const ordered_json& row : json["grid"])
        grid += row["sectors"].get<std::int64_t>() + row["wavefronts"].get<std::int64_t>();
    EXPECT_EQ(cost, grid);
    EXPECT_EQ(map["cells"].size(), map["columns"].get<std::size_t>() * map["rows"].get<std::size_t>());
    EXPECT_FALSE(map["alike"]);

    command.format = ReportFormat::text;
    std::ostringstream text;
    run_report(command, text);
    const std::string row(map["columns"].get<std::size_t>() - 1, '9');
    EXPECT_NE(text.str().find("\n" + row), std::string::npos) << "whole blocks of one row are alike";
}

TEST(Report, StridedLoad) {
    const ordered_json json = report_json("global-stride", {"stride=8,op=load"});
    EXPECT_EQ(json["kind"], "exact");
    EXPECT_EQ(json["params"]["stride"], 8);
    EXPECT_EQ(json["params"]["op"], "load");
    EXPECT_EQ(json["params"]["elements"], 1 << 25);
    EXPECT_EQ(json["device"]["cc"], "9.0");
    const ordered_json& warp = json["warp"][0];
    EXPECT_EQ(warp["sectors"], 32);
    EXPECT_EQ(warp["ideal_sectors"], 4);
    EXPECT_EQ(warp["lines"], 8);
    EXPECT_EQ(warp["bytes_used"], 128);
    EXPECT_EQ(warp["bytes_moved"], 1024);
    const ordered_json& grid = json["grid"][0];
    EXPECT_EQ(grid["requests"], 1 << 20);
    EXPECT_EQ(grid["sectors"], 32 * (1 << 20));
    EXPECT_EQ(json["predicted"]["kind"], "approximate");
    EXPECT_GT(json["predicted"]["useful_gb_per_s"].get<double>(), 0);
}

TEST(Report, TransposeThroughATileHasFourInstructions) {
    const ordered_json json = report_json("transpose", {"variant=tile"});
    ASSERT_EQ(json["grid"].size(), 4u);
    EXPECT_EQ(json["warp"][2]["wavefronts"], 32);
    EXPECT_EQ(json["warp"][2]["excessive_wavefronts"], 31);
    EXPECT_EQ(report_json("transpose", {"variant=padded"})["warp"][2]["wavefronts"], 1);
}

/// A grid without a remainder is as many blocks as it has; here in both memories.
TEST(Report, BlocksSumUpToTheGrid) {
    for (const char* settings : {"variant=naive", "variant=tile", "variant=padded", "variant=swizzled"}) {
        const ordered_json json = report_json("transpose", {settings, "matrix=1024"});
        const std::int64_t blocks =
            json["launch"]["grid"][0].get<std::int64_t>() * json["launch"]["grid"][1].get<std::int64_t>();
        for (std::size_t k = 0; k < json["grid"].size(); ++k) {
            for (const char* key : {"requests", "sectors", "wavefronts", "bytes_used", "bytes_moved"}) {
                EXPECT_EQ(json["grid"][k][key], json["block"][k][key].get<std::int64_t>() * blocks)
                    << settings << key;
            }
        }
    }
}

TEST(Report, CsvHasTheColumnsOfTheFirstReportsFirst) {
    std::istringstream csv(report("transpose", {"variant=padded"}, ReportFormat::csv));
    std::string line;
    std::getline(csv, line);
    EXPECT_EQ(
        line.rfind("scope,label,space,op,requests,sectors,ideal_sectors,lines,wavefronts,ideal_wavefronts,"
                   "excessive_wavefronts,bytes_used,bytes_moved",
                   0),
        0u)
        << line;
    int lines = 0;
    for (const char* scope : {"grid", "block", "warp"}) {
        for (int k = 0; k < 4; ++k) {
            ASSERT_TRUE(std::getline(csv, line));
            EXPECT_EQ(line.rfind(scope, 0), 0u);
            ++lines;
        }
    }
    EXPECT_EQ(lines, 12);
    EXPECT_FALSE(std::getline(csv, line));
}

TEST(Report, TextSaysWhatKindEachNumberIs) {
    const std::string text = report("global-stride", {"stride=8", "op=load"}, ReportFormat::text);
    EXPECT_NE(text.find("● load in, strided"), std::string::npos) << text;
    EXPECT_NE(text.find("○ useful bandwidth"), std::string::npos) << text;
    EXPECT_NE(text.find("stride=8"), std::string::npos);
    EXPECT_NE(text.find("GB/s"), std::string::npos);
}

TEST(Report, ADeviceWithoutAPeakPredictsNothing) {
    const auto json = ordered_json::parse(report("global-stride", {}, ReportFormat::json, "11.0"));
    EXPECT_TRUE(json["predicted"]["useful_gb_per_s"].is_null());
    EXPECT_NE(report("global-stride", {}, ReportFormat::text, "11.0").find("not known"), std::string::npos);
}

TEST(Report, WhatDoesNotExistIsRefused) {
    EXPECT_THROW(report("global", {}, ReportFormat::text), UsageError);
    EXPECT_THROW(report("transpose", {"stride=8"}, ReportFormat::text), UsageError);
    EXPECT_THROW(report("transpose", {}, ReportFormat::text, "Voodoo"), UsageError);
}

}  // namespace
}  // namespace warplens::test::report_tests
