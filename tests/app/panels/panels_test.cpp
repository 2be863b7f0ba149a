// Every panel, over all scenarios and boards, in a window without a screen: what holds for all of them.
#include "app/experiment/link.h"
#include "tests/app/window/headless_fixture.h"
#include "tests/app/window/item_laws.h"

#include <fmt/format.h>

#include <cstring>
#include <set>

namespace warplens::test::panels_tests {

namespace {

struct Screen {
    int width, height;
    ThemeName theme;
};

class PanelsTest : public test::HeadlessFixture, public testing::WithParamInterface<Screen> {
protected:
    void SetUp() override {
        open(GetParam().width, GetParam().height);
        frame();
        if (GetParam().theme == ThemeName::light) press(GLFW_KEY_T, GLFW_MOD_CONTROL);
        ASSERT_EQ(view().look.theme, GetParam().theme);
    }
    /// What was painted, as one number.
    static std::size_t painted() {
        std::size_t hash = 0;
        const auto mix = [&](const void* data, std::size_t bytes) {
            hash = hash * 31 + std::hash<std::string_view>()({static_cast<const char*>(data), bytes});
        };
        const ImDrawData& data = *ImGui::GetDrawData();
        for (int i = 0; i < data.CmdListsCount; ++i) {
            const ImDrawList& list = *data.CmdLists[i];
            mix(list.VtxBuffer.Data, static_cast<std::size_t>(list.VtxBuffer.size_in_bytes()));
            mix(list.IdxBuffer.Data, static_cast<std::size_t>(list.IdxBuffer.size_in_bytes()));
        }
        return hash;
    }
};

INSTANTIATE_TEST_SUITE_P(
    , PanelsTest,
    testing::Values(Screen{1024, 768, ThemeName::dark}, Screen{1024, 768, ThemeName::light},
                    Screen{1920, 1080, ThemeName::dark}, Screen{1920, 1080, ThemeName::light}),
    [](const testing::TestParamInfo<Screen>& test) {
        return fmt::format("{}x{}{}", test.param.width, test.param.height, theme_key(test.param.theme));
    });

/// Names that a panel may give to several items: words of a text, lines of code.
bool may_repeat(std::string_view name) {
    return name.starts_with("link.") || name.starts_with("term.") || name.starts_with("code.");
}

}  // namespace

TEST_P(PanelsTest, ItemsOfEveryScenarioLieInTheirPanelsAndEachHasItsName) {
    for (const Scenario& scenario : all_scenarios()) {
        SCOPED_TRACE(scenario.info->id);
        go(std::string(scenario.info->id));
        act(action::set(&View::more_knobs, true));
        act(action::set(&View::all_numbers, true));
        fresh_items();
        test::expect_items_in_place();
        for (const auto& [name, item] : ui::items()) {
            EXPECT_TRUE(may_repeat(name) || item.times == 1) << name << " is the name of several items";
        }
        for (const Knob& knob : scenario.info->knobs)
            EXPECT_TRUE(shows(fmt::format("knob.{}", knob.key))) << knob.key;
        for (const Preset& preset : scenario.info->presets)
            EXPECT_TRUE(shows(fmt::format("preset.{}", preset.name))) << preset.name;
        for (const char* name : {"panel.controls", "panel.picture", "panel.plot", "panel.numbers", "device",
                                 "reset", "undo", "redo", "plot", "kinds"})
            EXPECT_TRUE(shows(name)) << name;
        EXPECT_TRUE(shows("help") || shows("menu"));
        EXPECT_GT(window_->corners(), 1000);
    }
}

TEST_P(PanelsTest, ItemsOfEveryBoardLieInTheirPanelsAndEachHasItsName) {
    for (const BoardInfo* board : all_boards()) {
        SCOPED_TRACE(board->key);
        go(fmt::format("transpose?board={}", board->key));
        test::expect_items_in_place();
        for (const auto& [name, item] : ui::items()) {
            EXPECT_TRUE(may_repeat(name) || item.times == 1) << name << " is the name of several items";
        }
        for (const BoardInfo* other : all_boards())
            EXPECT_TRUE(shows("boards") || shows(fmt::format("board.{}", other->key))) << other->key;
    }
}

using HelpTest = test::HeadlessFixture;

TEST_F(HelpTest, ThePageOfKeysIsThereWhole) {
    struct {
        int width, height;
        float scale;
    } constexpr kWindows[] = {{1280, 720, 1}, {1280, 800, 1}, {1920, 1080, 1}, {3840, 2160, 2}};
    for (const auto& [width, height, scale] : kWindows) {
        SCOPED_TRACE(fmt::format("{} x {} at {}", width, height, scale));
        open(width, height);
        window_->set_user_scale(scale);
        press(GLFW_KEY_F1);
        frame();
        fresh_items();
        ASSERT_TRUE(shows("help.sliders"));
        const ui::ItemRect last = ui::items().at("help.sliders");
        EXPECT_FALSE(last.scrolls);
        EXPECT_LE(last.y + last.h, last.bottom + 1);
    }
}

TEST_P(PanelsTest, WhoeverDoesNothingSeesTheSameAndTheWindowSleeps) {
    for (const BoardInfo* board : all_boards()) {
        SCOPED_TRACE(board->key);
        go(fmt::format("transpose?board={}", board->key));
        for (int i = 0; i < 12; ++i) frame();  // what would fix it has been found
        const std::size_t before = painted();
        for (int i = 0; i < 60; ++i) {
            frame();
            ASSERT_EQ(painted(), before) << "frame " << i;
            ASSERT_EQ(window_->frames_asked(), 0) << "frame " << i;
        }
    }
}

TEST_P(PanelsTest, MenusAndPagesOverThePanelsLieInTheWindow) {
    for (const int key : {GLFW_KEY_F1, GLFW_KEY_G, GLFW_KEY_M}) {
        SCOPED_TRACE(key);
        frame();
        const std::set<std::string> before = [] {
            std::set<std::string> names;
            for (const auto& [name, item] : ui::items()) names.insert(name);
            return names;
        }();
        press(key);
        for (int i = 0; i < 3; ++i) frame();
        for (const auto& [name, item] : ui::items()) {
            if (!before.contains(name) && item.frame == ImGui::GetFrameCount())
                test::expect_inside(name, item);
        }
        press(GLFW_KEY_ESCAPE);
    }
}

}  // namespace warplens::test::panels_tests
