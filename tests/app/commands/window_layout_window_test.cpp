// The layout holds at every size and scale: nothing overlaps, nothing is cut off, and every part can be
// reached.
#include "tests/app/commands/window_fixture.h"

#include <fmt/format.h>

#include <cmath>

using namespace warplens;

namespace {

struct Screen {
    int width, height;
    float scale;
};
const std::vector<Screen> kScreens = {
    {1280, 720, 0.75f}, {1280, 720, 1},  {1280, 720, 1.5f},  {1280, 720, 2},    {1280, 720, 2.5f},
    {1280, 720, 3},     {1280, 800, 1},  {1366, 768, 1.25f}, {1600, 900, 1.5f}, {1920, 1080, 1},
    {1920, 1080, 2},    {1920, 1080, 3}, {3840, 2160, 1},    {3840, 2160, 3},
};

class LayoutTest : public test::WindowFixture {
protected:
    void SetUp() override { (void)0; }
    void show(const Screen& screen) {
        if (window_ == nullptr || width_ != screen.width || height_ != screen.height) {
            close();
            open(screen.width, screen.height);
            if (IsSkipped()) return;
            width_ = screen.width;
            height_ = screen.height;
        }
        window_->set_user_scale(screen.scale);
        frame();
    }
    /// All rules for what is on screen now.
    void check() {
        fresh_items();
        std::vector<std::pair<std::string, ui::ItemRect>> all(ui::items().begin(), ui::items().end());
        for (std::size_t i = 0; i < all.size(); ++i) {
            check_inside(all[i].first, all[i].second);
            for (std::size_t k = 0; k < i; ++k) check_apart(all[i], all[k]);
        }
        EXPECT_GT(all.size(), 8u) << "there is something to check";
    }
    int columns() {
        const Fold fold = session_->frame().fold;
        return fold == Fold::three ? 3 : fold == Fold::two ? 2 : 1;
    }

private:
    static constexpr float kSlack = 1.5f;  // [pixels] of rounding

    /// Within its panel's width, and within its height where the panel does not scroll.
    void check_inside(const std::string& name, const ui::ItemRect& r) {
        const float width = ImGui::GetIO().DisplaySize.x, height = ImGui::GetIO().DisplaySize.y;
        EXPECT_GE(r.x, -kSlack) << name;
        EXPECT_LE(r.x + r.w, width + kSlack) << name << " leaves the window";
        if (r.scrolls && !r.visible()) return;
        EXPECT_LE(r.left - r.x, kSlack) << name << " is cut off at the left";
        EXPECT_LE(r.x + r.w - r.right, kSlack) << name << " is cut off at the right";
        if (r.scrolls) return;
        EXPECT_LE(r.y + r.h - r.bottom, kSlack) << name << " is cut off below";
        EXPECT_LE(r.y + r.h, height + kSlack) << name << " leaves the window below";
    }
    void check_apart(const std::pair<std::string, ui::ItemRect>& a,
                     const std::pair<std::string, ui::ItemRect>& b) {
        const ui::ItemRect &p = a.second, &q = b.second;
        if (p.panel != q.panel) return;
        const float x = std::min(p.x + p.w, q.x + q.w) - std::max(p.x, q.x);
        const float y = std::min(p.y + p.h, q.y + q.h) - std::max(p.y, q.y);
        EXPECT_FALSE(x > kSlack && y > kSlack) << a.first << " and " << b.first << " overlap";
    }

    int width_ = 0, height_ = 0;
};

}  // namespace

TEST_F(LayoutTest, NothingOverlapsAndNothingIsCutOffAtAnySize) {
    for (const Screen& screen : kScreens) {
        show(screen);
        if (IsSkipped()) return;
        for (const BoardInfo& board : all_boards()) {
            SCOPED_TRACE(
                fmt::format("{}x{} at {}, board {}", screen.width, screen.height, screen.scale, board.key));
            go(fmt::format("transpose?board={}", board.key));
            const int parts = columns() == 3 ? 1 : 5;
            for (int part = 0; part < parts; ++part) {
                check();
                if (columns() < 3) press(GLFW_KEY_V);
                if (HasFailure()) return;
            }
        }
    }
}

TEST_F(LayoutTest, EveryScenariosKnobsAndNumbersHaveRoom) {
    for (const Screen& screen : {Screen{1280, 720, 1}, {1280, 720, 2}, {1920, 1080, 2}}) {
        show(screen);
        if (IsSkipped()) return;
        for (const Scenario& scenario : all_scenarios()) {
            SCOPED_TRACE(
                fmt::format("{}x{} at {}, {}", screen.width, screen.height, screen.scale, scenario.info->id));
            const Params params = preset_params(scenario, scenario.info->presets.back());  // buttons to reset
            session_->turn_knobs(scenario, params);
            const int parts = columns() == 3 ? 1 : 5;
            for (int part = 0; part < parts; ++part) {
                check();
                if (columns() < 3) press(GLFW_KEY_V);
            }
            if (HasFailure()) return;
        }
    }
}

TEST_F(LayoutTest, ProjectorModeHoldsAtEverySize) {
    for (const Screen& screen : kScreens) {
        show(screen);
        if (IsSkipped()) return;
        if (!view().projector) press(GLFW_KEY_P);
        for (const BoardInfo& board : all_boards()) {
            SCOPED_TRACE(
                fmt::format("{}x{} at {}, board {}", screen.width, screen.height, screen.scale, board.key));
            go(fmt::format("transpose?board={}", board.key));
            check();
            EXPECT_TRUE(shows("present.next"));
            EXPECT_TRUE(shows("present.leave"));
        }
        if (HasFailure()) return;
    }
}

TEST_F(LayoutTest, ANarrowWindowFoldsAndEveryPartCanBeReached) {
    show({1280, 720, 1});
    if (IsSkipped()) return;
    EXPECT_EQ(columns(), 3);
    show({1280, 720, 1.6f});
    EXPECT_EQ(columns(), 2);
    for (const char* part : {"Set", "Numbers", "Why"}) {
        fresh_items();
        click(fmt::format("section.{}", part));
        fresh_items();
        EXPECT_TRUE(shows("panel.picture")) << part;
    }
    EXPECT_TRUE(shows("panel.lesson"));
    show({1280, 720, 3});
    EXPECT_EQ(columns(), 1);
    const std::pair<const char*, const char*> parts[] = {{"Set", "panel.controls"},
                                                         {"Picture", "panel.picture"},
                                                         {"Plot", "panel.plot"},
                                                         {"Numbers", "panel.numbers"},
                                                         {"Why", "panel.lesson"}};
    for (const auto& [part, panel] : parts) {
        click(fmt::format("section.{}", part));
        fresh_items();
        for (const auto& [other, its] : parts) EXPECT_EQ(shows(its), std::string_view(its) == panel) << part;
    }
}

TEST_F(LayoutTest, WhatHasNoRoomInTheBarIsInItsMenu) {
    show({1280, 720, 1});
    if (IsSkipped()) return;
    fresh_items();
    EXPECT_FALSE(shows("menu"));
    for (const char* item : {"recordings", "projector", "theme", "scale.up", "help", "space.Clusters"})
        EXPECT_TRUE(shows(item)) << item;
    show({1280, 720, 3});
    fresh_items();
    EXPECT_FALSE(shows("theme"));
    click("menu");
    fresh_items();
    for (const char* item : {"recordings", "projector", "theme", "scale.up", "help"})
        EXPECT_TRUE(shows(item)) << item;
    const float before = window_->user_scale();
    click("scale.down");
    EXPECT_LT(window_->user_scale(), before);
    fresh_items();
    EXPECT_TRUE(shows("scale.down")) << "it stays open: one press is seldom enough";
}
