// The start page, in a window without a screen.
#include "tests/app/window/headless_fixture.h"
#include "tests/app/window/item_laws.h"

#include <fmt/format.h>

namespace warplens::test::start_page_tests {
namespace {

class StartPageTest : public HeadlessFixture {
protected:
    static std::string tile(const Scenario& scenario) { return fmt::format("start.{}", scenario.info->id); }
    void open_page() {
        press(GLFW_KEY_S);
        ASSERT_TRUE(view().start_page);
    }
    void rest() {
        for (int i = 0; i < 40; ++i) frame();
    }
};

TEST_F(StartPageTest, HasATileForEveryScenarioAtEverySize) {
    for (const auto& [width, height] : {std::pair{420, 600}, {640, 480}, {1024, 768}, {1920, 1080}}) {
        SCOPED_TRACE(width);
        open(width, height);
        frame();
        open_page();
        fresh_items();
        for (const Scenario& scenario : all_scenarios()) {
            ASSERT_TRUE(shows(tile(scenario)));
            expect_inside(tile(scenario), ui::items().at(tile(scenario)));
        }
        expect_items_in_place();
    }
}

TEST_F(StartPageTest, NamesEveryMemoryOnce) {
    for (const int width : {640, 1024, 1280, 1920}) {
        open(width, 4000);
        frame();
        open_page();
        std::vector<ui::DrawnText> texts;
        ui::write_down_texts(&texts);
        frame();
        ui::write_down_texts(nullptr);
        for (const SpaceEntry& space : space_entries())
            EXPECT_EQ(std::ranges::count(texts, space.label, &ui::DrawnText::text), 1)
                << space.label << " at " << width;
    }
}

// A miniature shows all that a warp touches, and no word that nobody could read.
TEST_F(StartPageTest, MiniaturesHaveAllRowsAndNoWords) {
    open(1280, 4000);
    frame();
    open_page();
    rest();
    for (const CachedPicture& one : shell_->memory().start_page.thumbnails) {
        ASSERT_TRUE(one.key);
        const Picture& picture = one.motion.target();
        const char* id = one.key->state.scenario->info->id.data();
        EXPECT_EQ(picture.folds, 0) << id;
        EXPECT_TRUE(std::ranges::none_of(picture.shapes, [](const Shape& shape) {
            return std::holds_alternative<Label>(shape);
        })) << id;
    }
}

// Found by random inputs: a tile without width, and a picture narrower than pictures can be.
TEST_F(StartPageTest, GoesOnInAWindowOfAnyWidth) {
    for (const int width : {1, 12, 30, 50, 80, 107, 150, 200, 320}) {
        open(width, 4000);
        frame();
        open_page();
        rest();
        EXPECT_TRUE(shows("start.texture-filter")) << width;
    }
}

TEST_F(StartPageTest, AClickOpensAScenarioAndEscapeNone) {
    frame();
    const Scenario* before = state().scenario;
    open_page();
    press(GLFW_KEY_ESCAPE);
    EXPECT_FALSE(view().start_page);
    EXPECT_EQ(state().scenario, before);
    act(action::ShowBoard{find_board("roofline")});
    open_page();
    fresh_items();
    click("start.shared-stride");
    EXPECT_EQ(state().scenario->info->id, "shared-stride");
    EXPECT_EQ(state().board, first_board());
    EXPECT_FALSE(view().start_page);
}

TEST_F(StartPageTest, ArrowsWalkAndEnterOpens) {
    go("global-stride");
    open_page();
    press(GLFW_KEY_RIGHT);
    press(GLFW_KEY_RIGHT);
    press(GLFW_KEY_LEFT);
    press(GLFW_KEY_ENTER);
    EXPECT_EQ(state().scenario->info->id, "global-matrix") << "the second one of global memory";
    open_page();
    press(GLFW_KEY_UP);
    press(GLFW_KEY_ENTER);
    EXPECT_EQ(state().scenario->info->id, "global-matrix") << "there is nothing above";
    open_page();
    press(GLFW_KEY_DOWN);
    press(GLFW_KEY_ENTER);
    EXPECT_EQ(home_space(*state().scenario), Space::shared) << "below the row of global memory";
    open_page();
    for (std::size_t i = 0; i < 2 * all_scenarios().size(); ++i) press(GLFW_KEY_RIGHT);
    frame();
    const Scenario& last = all_scenarios().back();
    EXPECT_TRUE(ui::items().at(tile(last)).visible()) << "the page scrolls to what is chosen";
    press(GLFW_KEY_ENTER);
    EXPECT_EQ(state().scenario, &last);
}

// Twenty pictures in one frame would be seen as a halt.
TEST_F(StartPageTest, MakesOnePictureInAFrameThenSleeps) {
    open(1920, 1080);
    frame();
    open_page();
    rest();
    const int painted = window_->corners();
    const std::size_t gathered = session().store.made<EvidenceKey>();
    for (int i = 0; i < 10; ++i) {
        frame();
        EXPECT_EQ(window_->frames_asked(), 0);
        EXPECT_EQ(window_->corners(), painted);
    }
    EXPECT_EQ(session().store.made<EvidenceKey>(), gathered) << "the session's own evidence stays";
    act(action::Do::toggle_theme);
    const int first = window_->corners();
    frame();
    const int second = window_->corners();
    frame();
    EXPECT_LT(first, second) << "pictures in the other theme come one by one";
    EXPECT_LT(second, window_->corners());
    rest();
    EXPECT_EQ(window_->corners(), painted);
}

// A second frame beside the tile's would be the keyboard's.
TEST_F(StartPageTest, ArrowsMoveOneFrameOnly) {
    go("global-stride");
    open_page();
    for (const int key : {GLFW_KEY_RIGHT, GLFW_KEY_DOWN, GLFW_KEY_LEFT}) {
        press(key);
        EXPECT_FALSE(ImGui::GetIO().NavVisible);
    }
}

TEST_F(StartPageTest, OffersTheCourses) {
    go("global-stride");
    open_page();
    fresh_items();
    ASSERT_TRUE(shows("start.courses"));
    click("start.courses");
    constexpr auto kAny = ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel;
    EXPECT_TRUE(ImGui::IsPopupOpen("", kAny));
    frame();  // keys belong to it from the next frame on
    press(GLFW_KEY_ESCAPE);
    EXPECT_FALSE(ImGui::IsPopupOpen("", kAny));
    EXPECT_TRUE(view().start_page) << "Esc leaves one level";
    press(GLFW_KEY_ESCAPE);
    EXPECT_FALSE(view().start_page);
}

TEST_F(StartPageTest, GoesAwayWhenSomethingElseIsShown) {
    frame();
    for (const Action& there : {Action(action::FollowLink{"transpose?variant=padded", {}}),
                                Action(action::GoTo{&all_scenarios()[3]}),
                                Action(action::set(&View::tour, 0)), Action(action::Do::undo)}) {
        act(action::set(&View::tour, -1));
        open_page();
        act(there);
        frame();
        EXPECT_FALSE(view().start_page);
    }
}

TEST_F(StartPageTest, IsThereInProjectorModeToo) {
    frame();
    act(action::Do::projector);
    open_page();
    const Scenario* before = state().scenario;
    press(GLFW_KEY_RIGHT);
    EXPECT_EQ(state().scenario, before) << "arrows belong to the page";
    press(GLFW_KEY_ENTER);
    EXPECT_NE(state().scenario, before);
    EXPECT_TRUE(view().projector);
}

}  // namespace
}  // namespace warplens::test::start_page_tests
