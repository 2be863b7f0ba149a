// A knob says that it has no effect exactly where it has none.
#include "app/experiment/devices.h"
#include "app/experiment/evidence.h"
#include "app/experiment/settings.h"
#include "tests/random_params.h"
#include "tests/sample.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace warplens::test::idle_knobs_tests {
namespace {

/// Everything that a setting shows: addresses, counts, the launch, and the predicted numbers.
std::string shown(const Scenario& scenario, const Params& params, const std::vector<DeviceFacts>& devices) {
    Setting setting = initial_state(scenario, find_device(devices, kDefaultDevice).value());
    setting.params = params;
    const Evidence evidence = gather_evidence(setting, devices);
    std::string text = std::to_string(evidence.report.instructions.size());
    for (const InstructionReport& row : evidence.report.instructions) {
        text += fmt::format("|{} {} {:x} {}:", row.instruction.label, row.instruction.code, row.access.active,
                            row.access.bytes_per_lane);
        for (int lane = 0; lane < kWarpLanes; ++lane)
            if (row.access.active >> lane & 1u) text += fmt::format("{:x},", row.access.byte_address[lane]);
    }
    const auto add = [&text](const std::vector<Quantity>& all) {
        for (const Quantity& one : all) text += one.name + "=" + one.text + ";";
    };
    for (const auto& scopes : evidence.counts)
        for (const std::vector<Quantity>& scope : scopes) add(scope);
    add(evidence.predicted);
    add(evidence.launch);
    for (const QuantityPair& pair : evidence.counters) add({pair.a});
    const LaunchShape launch = scenario.launch(params);
    text += fmt::format("|{}x{} {}x{} {} {} {} {} {}x{} {} {} {}", launch.grid.x, launch.grid.y,
                        launch.block.x, launch.block.y, launch.steps, launch.shared_bytes,
                        launch.buffer_bytes[0], launch.buffer_bytes[1], launch.texture.x, launch.texture.y,
                        launch.border, launch.local_bytes, launch.cluster);
    return text;
}

bool has_effect(const Scenario& scenario, const Knob& knob, const Params& params,
                const std::vector<DeviceFacts>& devices) {
    const std::string here = shown(scenario, params, devices);
    const bool slider = knob.kind != KnobKind::choice;  // perhaps over millions of values
    const std::vector<int> choices = slider ? std::vector<int>{} : axis_values(knob, params);
    const int count = slider ? std::max(knob.min, knob_limit(knob, params)) - knob.min + 1
                             : static_cast<int>(choices.size());
    std::set<int> chosen = {0, count / 2, count - 1};
    for (int i = 0; i < std::min(count, 5); ++i) chosen.insert(i);
    for (const int i : chosen) {
        Params other = params;
        other.*knob.field = slider ? knob.min + i : choices[i];
        clamp_knobs(scenario, other);
        if (other == params) continue;
        if (shown(scenario, other, devices) != here) return true;
    }
    return false;
}

TEST(IdleKnobs, HaveNoEffect) {
    const std::vector<DeviceFacts> devices = device_table();
    std::mt19937 random(seed(3));
    int idle = 0;
    for (const Scenario& scenario : all_scenarios()) {
        for (int i = 0; i < 40; ++i) {
            const Params params = small_random_params(scenario, random);
            for (const Knob& knob : scenario.info->knobs) {
                const std::string_view why = why_idle(knob, params);
                if (why.empty()) continue;
                ++idle;
                EXPECT_TRUE(why.ends_with('.')) << why;
                EXPECT_FALSE(has_effect(scenario, knob, params, devices))
                    << scenario.info->id << " " << knob.key << ": '" << why << "' with "
                    << describe_settings(scenario, params);
            }
        }
    }
    EXPECT_GT(idle, 100);
}

// What a person meets first: no knob stands there that does nothing and does not say so.
TEST(IdleKnobs, SayThatTheyHaveNoEffectAtDefaultsAndPresets) {
    const std::set<std::string> no_number = {
        "cluster-shared distance",   // which block is read; all are equally far in the model
        "constant-lookup pattern",   // with 32 words each lane has its own
        "shared-tile swizzle_bits",  // a walk by rows has no conflicts with or without it
    };
    const std::vector<DeviceFacts> devices = device_table();
    for (const Scenario& scenario : all_scenarios()) {
        std::vector<Params> settings = {scenario.info->defaults};
        for (const Preset& preset : scenario.info->presets)
            settings.push_back(preset_params(scenario, preset));
        for (const Params& params : settings) {
            for (const Knob& knob : scenario.info->knobs) {
                if (knob.picture_only || knob_limit(knob, params) <= knob.min) continue;
                const std::string name = fmt::format("{} {}", scenario.info->id, knob.key);
                EXPECT_TRUE(!why_idle(knob, params).empty() || no_number.contains(name) ||
                            has_effect(scenario, knob, params, devices))
                    << name << " with " << describe_settings(scenario, params);
            }
        }
    }
}

}  // namespace
}  // namespace warplens::test::idle_knobs_tests
