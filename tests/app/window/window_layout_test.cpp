// The layout holds at every size and scale: nothing overlaps, nothing is cut off, and every part can be
// reached.
#include "app/learn/courses.h"
#include "app/panels/picture_panel.h"
#include "tests/app/window/headless_fixture.h"
#include "tests/app/window/item_laws.h"
#include "tests/app/window/turn_knobs.h"
#include "tests/sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <set>

namespace warplens::test::window_layout_tests {

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

void PrintTo(const Screen& screen, std::ostream* out) {
    *out << screen.width << "x" << screen.height << " at " << screen.scale;
}

std::string name_of(const testing::TestParamInfo<Screen>& test) {
    return fmt::format("{}x{}at{}", test.param.width, test.param.height, std::lround(test.param.scale * 100));
}

class LayoutTest : public test::HeadlessFixture {
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
    int columns() {
        const LayoutMode mode = session().frame().mode;
        return mode == LayoutMode::three ? 3 : mode == LayoutMode::two ? 2 : 1;
    }

private:
    int width_ = 0, height_ = 0;
};

}  // namespace

class Screens : public LayoutTest, public testing::WithParamInterface<Screen> {
protected:
    /// Every part of the window, as it is now: folded windows show one after the other.
    void check_all_parts() {
        for (int i = 0; i < 2; ++i) frame();  // how high a panel's content is, ImGui knows a frame later
        const int parts = columns() == 3 ? 1 : 5;
        for (int part = 0; part < parts; ++part) {
            test::expect_items_in_place();
            if (columns() < 3) press(GLFW_KEY_V);
        }
    }
};
INSTANTIATE_TEST_SUITE_P(, Screens, testing::ValuesIn(kScreens), name_of);

TEST_P(Screens, NothingOverlapsAndNothingIsCutOffOnAnyBoard) {
    show(GetParam());
    if (IsSkipped()) return;
    for (const BoardInfo* board : all_boards()) {
        SCOPED_TRACE(board->key);
        go(fmt::format("transpose?board={}", board->key));
        check_all_parts();
    }
}

TEST_P(Screens, NothingOverlapsAndNothingIsCutOffInProjectorMode) {
    show(GetParam());
    if (IsSkipped()) return;
    press(GLFW_KEY_P);
    std::set<long> ends;
    const auto middle = [](const char* item) { return ui::items().at(item).y + ui::items().at(item).h / 2; };
    for (const BoardInfo* board : all_boards()) {
        SCOPED_TRACE(board->key);
        go(fmt::format("transpose?board={}", board->key));
        for (int i = 0; i < 2; ++i) frame();
        test::expect_items_in_place();
        ends.insert(std::lround(ui::items().at("present.leave").x + ui::items().at("present.leave").w));
        for (const char* item : {"present.next", "present.leave"}) EXPECT_TRUE(shows(item)) << item;
        if (shows("knob.variant")) {
            EXPECT_NEAR(middle("knob.variant"), middle("present.next"), 4 * window_->scale()) << "one line";
        }
    }
    EXPECT_EQ(ends.size(), 1u) << "a button keeps its place from board to board";
}

class AnySize : public LayoutTest, public testing::WithParamInterface<float> {};
INSTANTIATE_TEST_SUITE_P(, AnySize, testing::Values(0.5f, 1.0f, 3.0f),
                         [](const auto& test) { return fmt::format("at{}", std::lround(test.param * 100)); });

// A window manager may leave less than the smallest size that the window asks for. There it only has to go
// on, and not to draw without end. Each width and each height once with each view, differently paired; with
// WARPLENS_ALL set all pairs, which takes some minutes.
TEST_P(AnySize, TheWindowGoesOn) {
    constexpr int kSides[] = {1, 50, 107, 200, 320, 341, 640, 1280}, kMostCorners = 400'000;
    std::vector<std::string> views;
    for (const Scenario& scenario : all_scenarios()) views.emplace_back(scenario.info->id);
    for (const BoardInfo* board : all_boards())
        for (const char* beside : {"", "&compare=padding=0"})
            views.push_back(fmt::format("transpose?board={}{}", board->key, beside));
    views.emplace_back("course");
    views.emplace_back("quiz");
    show({1280, 720, GetParam()});
    const bool all_pairs = all_cases();
    double slowest = 0;
    std::string where;
    int most = 0;
    for (std::size_t v = 0; v < views.size(); ++v) {
        if (views[v] == "course")
            act(action::OpenCourse{courses().front().id});
        else if (views[v] == "quiz")
            act(action::StartQuiz{"1", 3});
        else
            go(views[v]);
        const std::size_t turns = all_pairs ? std::size(kSides) : 1;
        for (std::size_t i = 0; i < std::size(kSides) * turns; ++i) {
            const std::size_t w = i % std::size(kSides), turn = all_pairs ? i / std::size(kSides) : v;
            const int width = kSides[w], height = kSides[(w + turn) % std::size(kSides)];
            SCOPED_TRACE(fmt::format("{}, {} x {}", views[v], width, height));
            window_->resize(width, height);
            press(w % 2 == turn % 2 ? GLFW_KEY_V : GLFW_KEY_P);  // the next part, or projector mode and back
            const auto begin = std::chrono::steady_clock::now();
            frame();
            const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
            if (took.count() > slowest) {
                slowest = took.count();
                where = fmt::format("{:.1f} ms: {}, {} x {}", slowest, views[v], width, height);
            }
            fresh_items();
            for (const char* picture : {"board.picture", "a.board.picture"})
                if (shows(picture) && ui::items().at(picture).visible()) {
                    EXPECT_GE(ui::items().at(picture).h, std::floor(kLeastRoom.y * window_->scale()))
                        << picture;
                }
            most = std::max(most, window_->corners());
            ASSERT_LT(most, kMostCorners);
        }
    }
    RecordProperty("slowest_frame", where);
    if (all_pairs) std::fprintf(stderr, "the slowest frame took %s\n", where.c_str());
}

// Found by the monkey: the thousands of words of four stages of tiles, twice; all rows of a tile with
// padding.
TEST_F(LayoutTest, ManyWordsOfSharedMemoryAreFewShapes) {
    constexpr int kMostCorners = 250'000;
    show({640, 1280, 0.5f});
    go("matrix-ladder?variant=asynchronous&stages=4&board=hazards&compare=cold=1");
    EXPECT_LT(window_->corners(), kMostCorners);
    show({1920, 1920, 0.5f});
    go("shared-matrix-load?padding=6&swizzle_bits=3&compare=cold=1");
    EXPECT_LT(window_->corners(), kMostCorners);
    session().view.projector = true;
    show({1920, 1920, 0.74f});  // its first frame; it takes a larger scale in the next one
    EXPECT_LT(window_->corners(), kMostCorners);
}

class SmallScreens : public Screens {
protected:
    /// A list's face is wide enough for a text and the arrow beside it.
    void expect_whole(const std::string& list, std::string_view text, FontRole font) {
        const auto found = ui::items().find(list);
        if (found == ui::items().end()) return;
        const ui::ItemRect& face = found->second;
        EXPECT_GE(face.w - face.h + kSlack,
                  window_->fonts().width(std::string(text), font) * window_->scale())
            << list << " cuts " << text;
    }
};
INSTANTIATE_TEST_SUITE_P(, SmallScreens,
                         testing::Values(Screen{1024, 768, 1}, Screen{1280, 720, 1}, Screen{1280, 720, 2},
                                         Screen{1280, 720, 3}),
                         name_of);

TEST_P(SmallScreens, EveryScenariosKnobsAndNumbersHaveRoom) {
    show(GetParam());
    if (IsSkipped()) return;
    for (const Scenario& scenario : all_scenarios()) {
        SCOPED_TRACE(scenario.info->id);
        ui::items().clear();
        // Not the defaults: knobs have a button that brings them back then.
        turn_knobs(session(), scenario, preset_params(scenario, scenario.info->presets.back()));
        check_all_parts();
        expect_whole("scenario", scenario.info->title, FontRole::strong);
        for (const Knob& knob : scenario.info->knobs)
            for (const Choice& choice : knob.choices)
                expect_whole(fmt::format("knob.{}", knob.key), choice.name, FontRole::body);
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
    const std::string kBar[] = {"learn", "kernel", "compare", "export"};
    show({1280, 720, 1});
    if (IsSkipped()) return;
    fresh_items();
    for (const std::string& item : kBar) EXPECT_TRUE(shows(item)) << item;
    for (const char* item : {"title", "scenario", "find", "menu"}) EXPECT_TRUE(shows(item)) << item;
    // The narrower it is, the fewer stand in the bar: the program's name goes first, the place stays.
    std::size_t before = std::size(kBar);
    for (const float scale : {1.5f, 2.0f, 2.5f, 3.0f}) {
        show({1280, 720, scale});
        fresh_items();
        const auto shown = std::size_t(std::ranges::count_if(kBar, shows));
        EXPECT_LE(shown, before) << scale;
        EXPECT_TRUE(shown == std::size(kBar) || !shows("title")) << scale;
        EXPECT_TRUE(shows("scenario") && shows("menu")) << scale;
        before = shown;
    }
    EXPECT_LT(before, std::size(kBar));
    click("menu");
    fresh_items();
    for (const std::string& item : kBar) EXPECT_TRUE(shows(item)) << item;
    for (const char* item : {"undo", "redo", "reset", "copy", "start", "demo", "theme", "help", "projector",
                             "recordings", "scale.up"})
        EXPECT_TRUE(shows(item)) << item;
    const float size = window_->user_scale();
    click("scale.down");
    EXPECT_LT(window_->user_scale(), size);
    fresh_items();
    EXPECT_TRUE(shows("scale.down")) << "it stays open: one press is seldom enough";
}

}  // namespace warplens::test::window_layout_tests
