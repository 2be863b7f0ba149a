// Laws of every scenario, written once: a new one is covered the moment it is listed.
#include "app/model/catalogue.h"
#include "app/base/assets.h"
#include "app/experiment/settings.h"

#include "tests/random_params.h"
#include "tests/sample.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <tuple>

namespace warplens::test::catalogue_tests {

TEST(Catalogue, EveryScenarioIsWhole) {
    std::set<std::string_view> ids;
    for (const Scenario& scenario : all_scenarios()) {
        const ScenarioInfo& info = *scenario.info;
        EXPECT_TRUE(ids.insert(info.id).second) << info.id;
        EXPECT_EQ(find_scenario(info.id), &scenario);
        EXPECT_FALSE(asset("assets/lessons/" + std::string(info.id) + ".md").empty())
            << info.id << " has no lesson";
        EXPECT_NE(info.spaces, 0u);
        EXPECT_FALSE(info.title.empty() || info.formula.empty() || info.summary.empty()) << info.id;
        const int count = scenario.instruction_count(info.defaults);
        EXPECT_GE(count, 1);
        EXPECT_LE(count, kMaxInstructions);
    }
}

TEST(Catalogue, EveryKnobIsWhole) {
    for (const Scenario& scenario : all_scenarios()) {
        std::set<std::string_view> keys;
        bool axis = false;
        for (const Knob& knob : scenario.info->knobs) {
            EXPECT_TRUE(keys.insert(knob.key).second) << knob.key;
            EXPECT_TRUE(knob.alias.empty() || keys.insert(knob.alias).second) << knob.alias;
            EXPECT_FALSE(knob.label.empty() || knob.tooltip.empty()) << scenario.info->id << " " << knob.key;
            EXPECT_EQ(find_knob(scenario, knob.key), &knob);
            axis = axis || knob.axis;
            if (knob.kind == KnobKind::mask) continue;
            EXPECT_LT(knob.min, knob.max) << knob.key;
            EXPECT_EQ(knob.kind == KnobKind::choice, !knob.choices.empty()) << knob.key;
        }
        EXPECT_TRUE(axis) << scenario.info->id << " has no parameter for the plot's axis";
        if (!scenario.info->first_axis.empty()) {
            const Knob* first = find_knob(scenario, scenario.info->first_axis);
            ASSERT_NE(first, nullptr);
            EXPECT_TRUE(first->axis);
        }
        Params clamped = scenario.info->defaults;
        clamp_knobs(scenario, clamped);
        EXPECT_EQ(clamped, scenario.info->defaults) << scenario.info->id << ": a default is out of range";
    }
}

TEST(Catalogue, ValuesAreReadBackAsTheyAreWritten) {
    std::mt19937 random(seed(5));
    for (const Scenario& scenario : all_scenarios()) {
        for (int trial = 0; trial < 200; ++trial) {
            const Params params = test::random_params(scenario, random);
            for (const Knob& knob : scenario.info->knobs) {
                const std::string text = format_knob(knob, params);
                EXPECT_EQ(parse_knob(knob, params, text), params.*knob.field) << knob.key << "=" << text;
            }
        }
    }
}

TEST(Catalogue, FormerNamesOfChoicesAreStillRead) {
    const Scenario& product = *find_scenario("matrix-multiply");
    const Knob& variant = *find_knob(product, "variant");
    const auto read = [&](std::string_view name) {
        return parse_knob(variant, product.info->defaults, name);
    };
    EXPECT_EQ(read("naive-turned"), read("naive-uncoalesced"));
    EXPECT_EQ(read("tile-turned"), read("tiled-transposed"));
    EXPECT_EQ(read("registers"), read("register-blocked"));
    EXPECT_EQ(read("vectors"), read("vectorized"));
    for (const Scenario& scenario : all_scenarios()) {
        for (const Knob& knob : scenario.info->knobs) {
            for (const Choice& choice : knob.choices) {
                if (!choice.alias.empty()) {
                    EXPECT_EQ(parse_knob(knob, scenario.info->defaults, choice.alias), choice.value)
                        << choice.alias;
                }
            }
        }
    }
}

TEST(Catalogue, AWarpIsItsLanes) {
    std::mt19937 random(seed(5));
    for (const Scenario& scenario : all_scenarios()) {
        for (int i = 0; i < 100; ++i) {
            const Params p = test::small_random_params(scenario, random);
            const LaunchShape shape = scenario.launch(p);
            const int k = static_cast<int>(random() % static_cast<unsigned>(scenario.instruction_count(p)));
            const Instruction instruction = scenario.instruction(p, k);
            const int number = static_cast<int>(random() % static_cast<unsigned>(warps_per_block(shape)));
            ThreadId id{static_cast<int>(random() % static_cast<unsigned>(shape.grid.x)),
                        static_cast<int>(random() % static_cast<unsigned>(shape.grid.y))};
            id.step = static_cast<int>(random() % static_cast<unsigned>(steps_of(shape, instruction)));
            SCOPED_TRACE(describe_settings(scenario, p));
            const WarpAccess warp = scenario.warp(p, k, {id.block_x, id.block_y}, number, id.step);
            EXPECT_EQ(warp.bytes_per_lane, instruction.bytes_per_lane);
            EXPECT_EQ(warp.space, instruction.space);
            EXPECT_EQ(warp.op, instruction.op);
            for (int lane = 0; lane < kWarpLanes; ++lane) {
                const int thread = number * kWarpLanes + lane;
                id.x = thread % shape.block.x;
                id.y = thread / shape.block.x;
                const bool exists = thread < shape.block.x * shape.block.y;
                const LaneAccess mine = exists ? scenario.access(p, k, id) : LaneAccess{.active = false};
                ASSERT_EQ((warp.active >> lane & 1u) != 0, mine.active) << scenario.info->id << ' ' << lane;
                if (!mine.active) continue;
                ASSERT_EQ(warp.byte_address[lane], mine.byte_address) << scenario.info->id << ' ' << lane;
                if (instruction.space != Space::texture) continue;
                const LaneTexel texel = warp.texel[lane];
                ASSERT_EQ(
                    std::tuple(texel.x, texel.y, texel.fraction_x, texel.fraction_y),
                    std::tuple(mine.texel.x, mine.texel.y, mine.texel.fraction_x, mine.texel.fraction_y));
            }
        }
    }
}

TEST(Catalogue, NonsenseIsNoValue) {
    for (const Scenario& scenario : all_scenarios()) {
        const Params& defaults = scenario.info->defaults;
        for (const Knob& knob : scenario.info->knobs) {
            for (const char* text :
                 {"", "x", "-", "1.5", "99999999999999999999", "0x", "2^", "2^99", " 1", "1 "}) {
                EXPECT_FALSE(parse_knob(knob, defaults, text).has_value()) << knob.key << "=" << text;
            }
            if (knob.kind != KnobKind::slider) continue;
            EXPECT_FALSE(parse_knob(knob, defaults, std::to_string(knob.min - 1)).has_value());
            EXPECT_FALSE(
                parse_knob(knob, defaults, std::to_string(knob_limit(knob, defaults) + 1)).has_value());
        }
    }
}

TEST(Catalogue, PresetsAreWhatTheCommandLineWouldSet) {
    for (const Scenario& scenario : all_scenarios()) {
        EXPECT_FALSE(scenario.info->presets.empty()) << scenario.info->id;
        for (const Preset& preset : scenario.info->presets) {
            EXPECT_EQ(preset_params(scenario, preset),
                      apply_settings(scenario, {std::string(preset.settings)}))
                << scenario.info->id << " " << preset.name;
        }
    }
}

TEST(Catalogue, AxesHaveSeveralValuesOfOneQuantity) {
    for (const Scenario& scenario : all_scenarios()) {
        int axes = 0;
        for (const Knob& knob : scenario.info->knobs) {
            const bool can = can_be_axis(scenario, knob);
            EXPECT_TRUE(can || !knob.axis) << scenario.info->id << " " << knob.key;
            if (knob.kind == KnobKind::mask || knob.picture_only) {
                EXPECT_FALSE(can) << knob.key;
            }
            axes += can;
        }
        EXPECT_GE(axes, 1) << scenario.info->id;
    }
    const Scenario& caches = *find_scenario("cache-footprint");
    for (const Knob& knob : caches.info->knobs) {
        EXPECT_TRUE(knob.field != &Params::quantity || !can_be_axis(caches, knob)) << "GB/s and cycles";
    }
    const Scenario& vectors = *find_scenario("vector-add");
    EXPECT_FALSE(can_be_axis(vectors, *find_knob(vectors, "n"))) << "67 million values";
}

}  // namespace warplens::test::catalogue_tests
