// What would fix a setting, in words and numbers.
#include "app/learn/fixes.h"

#include "app/experiment/devices.h"
#include "app/model/access/report.h"
#include "app/model/time/prediction.h"
#include "tests/random_params.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>

namespace warplens::test::fixes_tests {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

Setting setting_of(std::string_view id, std::string_view list) {
    Setting setting{.scenario = find_scenario(id)};
    setting.params = setting.scenario->info->defaults;
    setting.device = find_device(device_table(), "H200").value();
    while (!list.empty()) {
        const KnobText item = take_knob_text(list);
        const Knob& knob = *find_knob(*setting.scenario, item.key);
        setting.params = with_knob(*setting.scenario, setting.params, knob,
                                   parse_knob(knob, setting.params, item.value).value());
    }
    return setting;
}

Fixes fixes_of(std::string_view id, std::string_view list, const FixChoice& choice = {}) {
    return find_fixes(setting_of(id, list), device_table(), choice).done();
}

const QuantityPair& number(const FixAnswer& answer, std::string_view key) {
    const QuantityPair* found = answer.number(key);
    EXPECT_NE(found, nullptr) << key;
    static const QuantityPair none;
    return found == nullptr ? none : *found;
}

TEST(Fixes, SaysWhatPaddingBringsAndCosts) {
    const Fixes fixes = fixes_of("shared-tile", "walk=column");
    EXPECT_EQ(fixes.words.verdict, "Padding 1 makes every access ideal: 32 to 1 wavefronts a request.");
    EXPECT_EQ(next_text(fixes), "Try Padding 1: 32 to 1 wavefronts a request");
    ASSERT_EQ(fixes.answers.size(), 2u);
    const FixAnswer& padding = fixes.answers.front();
    EXPECT_EQ(padding.params.padding, 1);
    EXPECT_TRUE(padding.ideal);
    EXPECT_FALSE(padding.slower);
    // 1024 blocks, 32 requests each.
    EXPECT_EQ(number(padding, "wavefronts").a.amount, 1024 * 32 * 32);
    EXPECT_EQ(number(padding, "wavefronts").b.amount, 1024 * 32);
    EXPECT_EQ(number(padding, "wavefronts").b.provenance, Provenance::exact);
    EXPECT_EQ(number(padding, "excessive_wavefronts").b.amount, 0);
    EXPECT_EQ(number(padding, "shared_bytes").a.amount, 4096);
    EXPECT_EQ(number(padding, "shared_bytes").b.amount, 4224);
    EXPECT_EQ(number(padding, "predicted_time").b.provenance, Provenance::approximate);
    EXPECT_LT(number(padding, "predicted_time").b.amount, number(padding, "predicted_time").a.amount);
    EXPECT_FALSE(number(padding, "occupancy").b.text.empty());
    EXPECT_EQ(fixes.answers.back().change, "Swizzle bits 5");
}

TEST(Fixes, AnAccessThatIsDoneAsWellIsCounted) {
    const Knob* walk = find_knob(*find_scenario("shared-tile"), "walk");
    const FixChoice choice{{}, {{{walk, static_cast<int>(Walk::row)}}}};
    const Fixes fixes = fixes_of("shared-tile", "walk=column", choice);
    ASSERT_FALSE(fixes.answers.empty());
    EXPECT_EQ(number(fixes.answers.front(), "wavefronts").a.amount, 1024 * 32 * 33);
    EXPECT_EQ(fixes.answers.front().gain, "32 to 1 wavefronts a request");
    EXPECT_THAT(without_own(choice, setting_of("shared-tile", "walk=row").params).also, IsEmpty());
    EXPECT_EQ(access_text(choice.also.front()), "Walk row");
}

TEST(Fixes, WhatMustStayStays) {
    const Scenario& tile = *find_scenario("shared-tile");
    const Fixes fixes = fixes_of("shared-tile", "walk=column", {{find_knob(tile, "padding")}, {}});
    ASSERT_EQ(fixes.answers.size(), 1u);
    EXPECT_EQ(fixes.answers.front().params.padding, 0);
    EXPECT_THAT(fixes_of("shared-tile", "walk=column", {knobs_of(tile, KnobRole::remedy), {}}).words.verdict,
                HasSubstr("Nothing may change"));
}

TEST(Fixes, AVariantThatReplacesTheInstructions) {
    const Fixes fixes = fixes_of("transpose", "variant=naive");
    ASSERT_FALSE(fixes.answers.empty());
    EXPECT_EQ(fixes.answers.front().change, "Variant swizzled");
    // The store takes 32 sectors, then 4. The load, which takes 4 in any case, is not what the verdict is
    // about.
    EXPECT_EQ(fixes.answers.front().gain, "32 to 4 sectors a request");
    EXPECT_EQ(fixes.answers.at(1).change, "Variant padded");
    EXPECT_THAT(fixes.words.verdict, HasSubstr("(store out"));
    EXPECT_THAT(fixes.words.verdict, HasSubstr("Variant padded is as small a change."));
    EXPECT_EQ(number(fixes.answers.front(), "wavefronts").a.amount, 0);
}

TEST(Fixes, NothingToFixIsSaidWithItsReason) {
    const Fixes wide = fixes_of("shared-stride", "stride=1,element=8");
    EXPECT_TRUE(wide.words.good);
    EXPECT_THAT(wide.answers, IsEmpty());
    EXPECT_THAT(wide.words.why, HasSubstr("2 wavefronts of one request cannot be fewer"));
    EXPECT_THAT(wide.words.why, HasSubstr("8 bytes each"));
    EXPECT_TRUE(fixes_of("register-shuffle", "way=shuffle").words.good);
}

// What the window knows before it has searched is what the search says.
TEST(Fixes, ALaunchIsIdealWhereNothingNeedsAFix) {
    std::mt19937 random(31);
    int ideal = 0;
    for (const Scenario& scenario : all_scenarios()) {
        for (int i = 0; i < 6; ++i) {
            Setting setting{.scenario = &scenario, .params = random_launch(scenario, random)};
            setting.device = find_device(device_table(), "H200").value();
            const Report report = analyze(scenario, setting.params, device_table()[setting.device]);
            KernelCost cost;
            add_kernel(cost, scenario, setting.params, device_table()[setting.device]);
            const bool good =
                report.does_not_fit.empty() && report.fault == Fault::none && cost.excess() == 0;
            EXPECT_EQ(is_ideal(report), good) << scenario.info->id;
            if (!good || scenario.info->time == TimeModel::host) continue;  // whose way may be slow
            ++ideal;
            // A search that has something to find would take its time.
            EXPECT_TRUE(find_fixes(setting, device_table(), {}).done().words.good) << scenario.info->id;
        }
    }
    EXPECT_GT(ideal, 20);
}

TEST(Fixes, NothingThatFixesItIsSaidWithItsReason) {
    const Fixes data = fixes_of("constant-lookup", "words=8");
    EXPECT_FALSE(data.words.good);
    EXPECT_THAT(data.answers, IsEmpty());
    EXPECT_EQ(data.words.verdict, "Nothing that may change here fixes it.");
    EXPECT_THAT(data.words.why, HasSubstr("All 255 other settings of Stride"));
    EXPECT_THAT(data.words.why, HasSubstr("8"));
    EXPECT_EQ(fixes_of("global-gather", "pattern=random").words.verdict, "No parameter here is a remedy.");
}

// All accesses of these are ideal. On an H200 a pinned array is recorded to come 7 times as fast as a
// pageable one.
TEST(Fixes, MemoryOfTheHostHasFasterWays) {
    const auto ways = [](const char* memory) {
        std::vector<std::string> all;
        for (const FixAnswer& answer : fixes_of("host-memory", std::string("memory=") + memory).answers) {
            EXPECT_LT(*number(answer, "predicted_time").b.amount, *number(answer, "predicted_time").a.amount);
            all.push_back(answer.change);
        }
        return all;
    };
    EXPECT_THAT(ways("pageable"), testing::Contains("Memory pinned"));
    EXPECT_THAT(ways("managed"), testing::Contains("Memory prefetched"));
    const Fixes fixes = fixes_of("host-memory", "memory=pageable");
    EXPECT_FALSE(fixes.words.good);
    EXPECT_EQ(fixes.next, 0);
    EXPECT_THAT(next_text(fixes), HasSubstr("Try Memory pinned: "));
    EXPECT_TRUE(fixes_of("host-memory", "memory=pinned").words.good);
}

TEST(Fixes, WhatCannotRunIsNotFixed) {
    const Fixes fixes = [] {
        Setting setting = setting_of("shared-matrix-load", "width=64");
        setting.device = find_device(device_table(), "GTX 1080").value();
        return find_fixes(setting, device_table(), {}).done();
    }();
    EXPECT_THAT(fixes.words.verdict, HasSubstr("needs compute capability"));
    EXPECT_THAT(fixes.answers, IsEmpty());
}

// What the table of numbers shows of an answer is what the model says of that setting.
TEST(Fixes, NumbersAreThoseOfTheModel) {
    int answers = 0;
    for (const Scenario& scenario : all_scenarios()) {
        for (const Preset& preset : scenario.info->presets) {
            Setting setting{.scenario = &scenario, .params = preset_params(scenario, preset)};
            setting.device = find_device(device_table(), "H200").value();
            const Fixes fixes = find_fixes(setting, device_table(), {}).done();
            EXPECT_FALSE(fixes.words.verdict.empty());
            for (const FixAnswer& answer : fixes.answers) {
                SCOPED_TRACE(std::string(scenario.info->id) + " " + std::string(preset.name) + ": " +
                             answer.change);
                ++answers;
                const DeviceFacts& device = device_table()[setting.device];
                KernelCost cost;
                add_kernel(cost, scenario, answer.params, device);
                for (const Cost& one : cost.sums)
                    EXPECT_EQ(number(answer, one.words.key).b.amount, static_cast<double>(one.cost));
                const Prediction predicted = predict(scenario, answer.params, device);
                if (predicted.time_us > 0) {
                    EXPECT_EQ(number(answer, "predicted_time").b.amount, predicted.time_us);
                }
                EXPECT_EQ(number(answer, "shared_bytes").b.amount,
                          static_cast<double>(scenario.launch(answer.params).shared_bytes));
                EXPECT_EQ(answer.ideal, cost.excess() == 0);
                Params clamped = answer.params;
                clamp_knobs(scenario, clamped);
                EXPECT_EQ(clamped, answer.params);
            }
        }
    }
    EXPECT_GE(answers, 20);
}

}  // namespace
}  // namespace warplens::test::fixes_tests
