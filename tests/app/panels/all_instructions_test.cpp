// Every instruction of a kernel at once: what has a picture can be read, the others are listed, and nobody
// has to scroll.
#include "app/boards/access/kernel_verdict.h"
#include "app/experiment/link.h"
#include "app/panels/picture_panel.h"
#include "tests/app/window/headless_fixture.h"
#include "tests/app/window/item_laws.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace warplens::test::all_instructions_tests {
namespace {

constexpr std::pair<int, int> kSizes[] = {{1024, 768}, {1280, 800}, {1920, 1080}};

/// Every scenario as it is, as its presets set it, and with each of its variants.
std::vector<std::string> all_places() {
    std::vector<std::string> places;
    State state = initial_state(all_scenarios().front(), 0);
    const auto add = [&](const Scenario& scenario, const Params& params) {
        state.scenario = &scenario;
        state.params = params;
        places.push_back(link_to(state, device_table()));
    };
    for (const Scenario& scenario : all_scenarios()) {
        state = initial_state(scenario, find_device(device_table(), kDefaultDevice).value());
        add(scenario, scenario.info->defaults);
        for (const Preset& preset : scenario.info->presets) add(scenario, preset_params(scenario, preset));
        for (const Knob& knob : scenario.info->knobs)
            for (const Choice& choice : knob.choices)
                if (knob.field == &Params::variant)
                    add(scenario, with_knob(scenario, scenario.info->defaults, knob, choice.value));
    }
    return places;
}

class AllInstructionsTest : public test::HeadlessFixture {
protected:
    void SetUp() override { (void)0; }

    void look_at(int instruction) {
        act(action::Focus{instruction});
        frame();  // the panels find their heights
        fresh_items();
    }
    /// What of the middle column the last frame had to cut off.
    void expect_nothing_scrolls() {
        for (const auto& [name, item] : ui::items()) {
            if (!name.starts_with("picture.") && !name.starts_with("listed.") && name != "plot") continue;
            EXPECT_FALSE(item.scrolls) << name;
            test::expect_inside(name, item);
        }
    }
};

TEST_F(AllInstructionsTest, NothingScrollsAndEachHasAPictureThatCanBeReadOrALine) {
    std::size_t listed = 0;
    for (const auto& [width, height] : kSizes) {
        open(width, height, true);
        for (const std::string& place : all_places()) {
            SCOPED_TRACE(fmt::format("{} in {} x {}", place, width, height));
            follow(place);
            const auto count = static_cast<int>(session().frame().evidence->report.instructions.size());
            // The lowest window has the least room for one picture.
            for (int k = 0; k < count && height < 800; ++k) {
                look_at(k);
                EXPECT_TRUE(shows(fmt::format("picture.{}", k)));
                expect_nothing_scrolls();
            }
            if (count == 1) continue;
            look_at(-1);
            expect_nothing_scrolls();
            for (int k = 0; k < count; ++k) {
                const std::string picture = fmt::format("picture.{}", k), line = fmt::format("listed.{}", k);
                EXPECT_NE(shows(picture), shows(line)) << k;
                listed += shows(line) ? 1 : 0;
                if (!shows(picture)) continue;
                const ui::ItemRect rect = ui::items().at(picture);
                EXPECT_GE(rect.w / window_->scale(), kReadablePicture.x) << k;
                EXPECT_GE(rect.h / window_->scale(), kReadablePicture.y) << k;
            }
        }
    }
    EXPECT_GT(listed, 20u);
}

TEST_F(AllInstructionsTest, ALineOfTheListShowsItsPicture) {
    open(1024, 768);
    go("matrix-multiply?variant=vectors");
    look_at(-1);
    std::vector<std::string> lines;
    for (const auto& [name, item] : ui::items())
        if (name.starts_with("listed.")) lines.push_back(name);
    ASSERT_GE(lines.size(), 2u);
    click(lines.back());
    EXPECT_EQ(fmt::format("listed.{}", view().focus), lines.back());
    fresh_items();
    EXPECT_TRUE(shows(fmt::format("picture.{}", view().focus)));
}

// The pictures are of those that cost most: what is listed takes no more beyond its ideal.
TEST_F(AllInstructionsTest, TheWorstInstructionHasAPicture) {
    open(1024, 768);
    for (const std::string& place : all_places()) {
        SCOPED_TRACE(place);
        follow(place);
        if (session().frame().evidence->report.instructions.size() == 1) continue;
        look_at(static_cast<int>(worst_instruction(*session().frame().evidence)));
        look_at(-1);
        EXPECT_TRUE(shows(fmt::format("picture.{}", worst_instruction(*session().frame().evidence))));
    }
}

}  // namespace
}  // namespace warplens::test::all_instructions_tests
