#include "app/cli/run.h"

#include "app/experiment/settings.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace warplens::test::scenarios_tests {
namespace {

std::string scenarios(bool json) {
    std::ostringstream out;
    std::istringstream none;
    run_command_line(
        json ? std::vector<std::string>{"scenarios", "--json"} : std::vector<std::string>{"scenarios"}, none,
        out);
    return out.str();
}

TEST(Scenarios, TextNamesEveryKnob) {
    const std::string text = scenarios(false);
    for (const Scenario& scenario : all_scenarios()) {
        EXPECT_NE(text.find(scenario.info->id), std::string::npos);
        for (const Knob& knob : scenario.info->knobs)
            EXPECT_NE(text.find(knob.key), std::string::npos) << knob.key;
    }
}

/// What the list says is what --set takes.
TEST(Scenarios, JsonDefaultsAndChoicesCanBeSet) {
    const auto json = nlohmann::json::parse(scenarios(true));
    ASSERT_EQ(json["scenarios"].size(), all_scenarios().size());
    const auto as_text = [](const nlohmann::json& value) {
        return value.is_string() ? value.get<std::string>() : value.dump();
    };
    for (const auto& row : json["scenarios"]) {
        const Scenario& scenario = require_scenario(row["id"].get<std::string>());
        EXPECT_FALSE(row["spaces"].empty());
        std::vector<std::string> settings;
        for (const auto& knob : row["knobs"]) {
            const auto key = knob["key"].get<std::string>();
            settings.push_back(key + "=" + as_text(knob["default"]));
            EXPECT_FALSE(knob["tooltip"].get<std::string>().empty());
            for (const auto& choice : knob.value("choices", nlohmann::json::array())) {
                const Knob& real = require_knob(scenario, key);
                Knob loose = real;
                loose.limit = nullptr;
                EXPECT_TRUE(parse_knob(loose, scenario.info->defaults, as_text(choice))) << key << choice;
            }
        }
        EXPECT_EQ(apply_settings(scenario, settings), scenario.info->defaults);
    }
}

}  // namespace
}  // namespace warplens::test::scenarios_tests
