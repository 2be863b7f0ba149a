#include "app/learn/advice.h"

#include "app/experiment/devices.h"
#include "app/model/access/counts.h"
#include "app/model/access/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warplens::test::advice_tests {
namespace {

const DeviceFacts& h200() {
    static const DeviceFacts device = device_table().at(find_device(device_table(), "H200").value());
    return device;
}

Params params_of(const Scenario& scenario, std::string_view list) {
    Params params = scenario.info->defaults;
    while (!list.empty()) {
        const KnobText item = take_knob_text(list);
        const Knob& knob = *find_knob(scenario, item.key);
        params = with_knob(scenario, params, knob, parse_knob(knob, params, item.value).value());
    }
    return params;
}

std::optional<Advice> next(std::string_view id, std::string_view settings) {
    const Scenario& scenario = *find_scenario(id);
    return next_to_try(scenario, params_of(scenario, settings), h200(), false);
}

TEST(Advice, AColumnOfATileNeedsPadding) {
    const auto advice = next("shared-tile", "padding=0,walk=column");
    ASSERT_TRUE(advice);
    EXPECT_EQ(advice->text, "Try Padding 1: 32 to 1 wavefronts");
    EXPECT_EQ(advice->params.padding, 1);
}

TEST(Advice, AStrideIsTakenAway) {
    const auto advice = next("global-stride", "stride=8");
    ASSERT_TRUE(advice);
    EXPECT_THAT(advice->text, testing::HasSubstr("Try Stride 1: 32 to 4 sectors"));
}

TEST(Advice, AVariantThatReplacesTheInstructions) {
    const auto advice = next("transpose", "variant=naive");
    ASSERT_TRUE(advice);
    EXPECT_THAT(advice->text, testing::HasSubstr("every access at its ideal"));
}

TEST(Advice, NothingToDoIsNoAdvice) {
    EXPECT_FALSE(next("shared-tile", "padding=1,walk=column"));
    EXPECT_FALSE(next("global-stride", "stride=1"));
}

std::int64_t beyond_the_ideal(const Scenario& scenario, const Params& params) {
    std::int64_t sum = 0;
    for (const InstructionReport& row : analyze(scenario, params, h200()).instructions) {
        const CostWords cost = cost_of(row.instruction.space, h200().sector_rules);
        if (!cost.name.empty()) sum += std::max<std::int64_t>(0, cost.cost(row.warp) - cost.ideal(row.warp));
    }
    return sum;
}

// Whatever the setting, advice is one change of one main knob, is in its range, and makes the accesses
// cheaper.
TEST(Advice, IsOneChangeThatHelps) {
    int given = 0;
    for (const Scenario& scenario : all_scenarios()) {
        for (const Preset& preset : scenario.info->presets) {
            const Params params = preset_params(scenario, preset);
            const auto advice = next_to_try(scenario, params, h200(), false);
            if (!advice) continue;
            SCOPED_TRACE(std::string(scenario.info->id) + " " + std::string(preset.name) + ": " +
                         advice->text);
            ++given;
            Params clamped = advice->params;
            clamp_knobs(scenario, clamped);
            EXPECT_EQ(clamped, advice->params);
            EXPECT_LT(beyond_the_ideal(scenario, advice->params), beyond_the_ideal(scenario, params));
            EXPECT_THAT(advice->text, testing::StartsWith("Try "));
            bool by_one_knob = false;
            for (const Knob* knob : main_knobs(scenario))
                by_one_knob |=
                    with_knob(scenario, params, *knob, advice->params.*knob->field) == advice->params;
            EXPECT_TRUE(by_one_knob);
        }
    }
    EXPECT_GE(given, 8);
}

}  // namespace
}  // namespace warplens::test::advice_tests
