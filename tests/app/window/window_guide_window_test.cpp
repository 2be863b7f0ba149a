// What guides a person: the tour, messages, the way back of a single knob, themes.
#include "tests/app/window/window_fixture.h"

#include "app/panels/overlays.h"
#include "tests/recordings.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

namespace warplens::test::window_guide_window_tests {

namespace {

class GuideTest : public test::WindowFixture {};

}  // namespace

TEST_F(GuideTest, TheTourPointsAtEachPartAndEnds) {
    frame();
    apply(session(), action::set(&View::tour, 0));
    const int cards = static_cast<int>(tour_cards().size());
    for (int card = 0; card < cards; ++card) {
        fresh_items();
        EXPECT_EQ(view().tour, card);
        const ui::ItemRect panel = ui::items().at("panel.tour");
        bool points = false;
        for (const std::string_view name : tour_cards()[static_cast<std::size_t>(card)].items) {
            const auto part = ui::items().find(name);
            if (part == ui::items().end()) continue;
            points = true;
            const ui::ItemRect& r = part->second;
            const bool apart = r.x + r.w <= panel.x + 1 || panel.x + panel.w <= r.x + 1 ||
                               r.y + r.h <= panel.y + 1 || panel.y + panel.h <= r.y + 1;
            EXPECT_TRUE(apart) << "card " << card << " hides what it points at: " << name;
        }
        EXPECT_TRUE(points) << "card " << card << " points at nothing";
        click("tour.next");
    }
    EXPECT_EQ(view().tour, -1);
    fresh_items();
    EXPECT_FALSE(shows("panel.tour"));
}

TEST_F(GuideTest, TheTourHasRoomAtEverySizeAndScale) {
    for (const auto& [width, height] : {std::pair{1280, 720}, {1920, 1080}}) {
        close();
        open(width, height);
        if (IsSkipped()) return;
        for (const float scale : {0.75f, 1.0f, 1.6f, 2.0f, 3.0f}) {
            window_->set_user_scale(scale);
            for (int card = 0; card < static_cast<int>(tour_cards().size()); ++card) {
                SCOPED_TRACE(fmt::format("{}x{} at {}, card {}", width, height, scale, card));
                apply(session(), action::set(&View::tour, card));
                fresh_items();
                const ui::ItemRect panel = ui::items().at("panel.tour");
                EXPECT_GE(panel.x, 0);
                EXPECT_GE(panel.y, 0);
                EXPECT_LE(panel.x + panel.w, static_cast<float>(width));
                EXPECT_LE(panel.y + panel.h, static_cast<float>(height));
                for (const char* name : {"tour.next", "tour.skip", "tour.text"}) {
                    const ui::ItemRect& r = ui::items().at(name);
                    EXPECT_FALSE(r.scrolls) << name;
                    EXPECT_LE(r.y + r.h - r.bottom, 1.5f) << name << " is cut off";
                    EXPECT_LE(r.x + r.w - r.right, 1.5f) << name << " is cut off";
                }
            }
        }
    }
}

TEST_F(GuideTest, TheTourIsLedByKeysAndKeepsTheOthersAway) {
    frame();
    const State before = state();
    apply(session(), action::set(&View::tour, 0));
    frame();
    press(GLFW_KEY_RIGHT);
    EXPECT_EQ(view().tour, 1);
    press(GLFW_KEY_PAGE_DOWN);
    EXPECT_EQ(view().tour, 2);
    press(GLFW_KEY_LEFT);
    EXPECT_EQ(view().tour, 1);
    press(GLFW_KEY_N);
    press(GLFW_KEY_R);
    click("scenario");  // under the dimmed part
    EXPECT_EQ(state(), before) << "nothing behind it is reached";
    EXPECT_FALSE(session().saved().toured) << "a window that is closed now shows it again the next time";
    press(GLFW_KEY_ESCAPE);
    EXPECT_EQ(view().tour, -1);
    EXPECT_TRUE(session().saved().toured);
    EXPECT_FALSE(view().projector);
}

TEST_F(GuideTest, ErrorsAreMessagesWithAMarkAndStayInTheList) {
    frame();
    go("global-stride?stride=100000");
    ASSERT_FALSE(session().messages().all().empty());
    EXPECT_EQ(session().messages().last().severity, Message::Severity::error);
    EXPECT_NE(session().messages().last().text.find("stride"), std::string::npos)
        << session().messages().last().text;
    session().say("something else");
    fresh_items();
    click("message");
    fresh_items();
    EXPECT_TRUE(shows("messages.list"));
    EXPECT_EQ(session().messages().all().size(), 2u);
    press(GLFW_KEY_ESCAPE);
    EXPECT_FALSE(view().messages);
    press(GLFW_KEY_M);
    EXPECT_TRUE(view().messages);
}

TEST_F(GuideTest, EscapeInTheExportDialogTakesNoTypedPathBack) {
    const std::string there = testing::TempDir() + "warplens_guide_there.svg";
    std::ofstream(there) << "mine";
    frame();
    act(action::Do::open_export);
    for (int i = 0; i < 3; ++i) fresh_items();
    click("export.path");
    type(there);
    ASSERT_EQ(view().export_path, there);
    act(action::Do::start_export);  // the path is still being typed: a quick Enter is not seen by all
    ASSERT_TRUE(session().frame().exporting->asks);
    press(GLFW_KEY_ESCAPE);
    ASSERT_NE(session().frame().exporting, nullptr) << "only the question is taken back";
    EXPECT_FALSE(session().frame().exporting->asks);
    EXPECT_EQ(view().export_path, there);
    std::filesystem::remove(there);
}

/// Slow frames, or a quick hand: the button is down, up, and the mouse gone before the next frame.
TEST_F(GuideTest, AClickCountsWhereItWasMade) {
    frame();
    press(GLFW_KEY_F1);
    fresh_items();
    const ui::ItemRect words = ui::items().at("help.Words");
    point_at(words.x + words.w / 2, words.y + words.h / 2);
    frame();
    GLFWwindow* window = glfwGetCurrentContext();
    const GLFWmousebuttonfun entry = glfwSetMouseButtonCallback(window, nullptr);
    glfwSetMouseButtonCallback(window, entry);
    entry(window, GLFW_MOUSE_BUTTON_LEFT, GLFW_PRESS, 0);
    entry(window, GLFW_MOUSE_BUTTON_LEFT, GLFW_RELEASE, 0);
    glfwSetCursorPos(window, 20, 700);
    for (int i = 0; i < 3; ++i) fresh_items();
    EXPECT_TRUE(shows("word.broadcast"));
    EXPECT_TRUE(view().help) << "the next place of the mouse was not clicked";
}

TEST_F(GuideTest, CopyingAPictureIsShownAndCanBeGivenUp) {
    frame();
    act(action::Do::copy_picture);
    // From here on each frame is at most one step of it, so the next one, with the key, is not yet the last.
    ASSERT_EQ(session().frame().busy, "copying the picture") << session().messages().last().text;
    press(GLFW_KEY_ESCAPE);
    EXPECT_EQ(session().frame().busy, "");
    EXPECT_EQ(session().messages().last().text, "did not copy the picture: cancelled");
}

TEST_F(GuideTest, LearningAndThemesAreAtHandInProjectorMode) {
    frame();
    press(GLFW_KEY_P);
    for (int i = 0; i < 3; ++i) frame();
    fresh_items();
    press(GLFW_KEY_G);
    fresh_items();
    EXPECT_TRUE(shows("quiz.start"));
    click("quiz.start");
    for (int i = 0; i < 3; ++i) fresh_items();
    EXPECT_TRUE(session().frame().learning->has_card());
    EXPECT_TRUE(view().projector);
    const float before = window_->user_scale();
    press(GLFW_KEY_EQUAL, GLFW_MOD_CONTROL);
    EXPECT_EQ(window_->user_scale(), before) << "projector mode has a size of its own";
}

TEST_F(GuideTest, EveryThemeIsInTheMenu) {
    frame();
    for (const ThemeName name : kThemeNames) {
        fresh_items();
        click("menu");
        fresh_items();
        click("theme");
        fresh_items();
        click(fmt::format("theme.{}", theme_key(name)));
        EXPECT_EQ(view().look.theme, name);
        press(GLFW_KEY_ESCAPE);
    }
    press(GLFW_KEY_T, GLFW_MOD_CONTROL);  // from print, which is light
    EXPECT_EQ(view().look.theme, ThemeName::dark);
    press(GLFW_KEY_T, GLFW_MOD_CONTROL);
    EXPECT_EQ(view().look.theme, ThemeName::light);
}

TEST_F(GuideTest, EveryPaletteIsInTheMenuAndKept) {
    frame();
    for (const PaletteName name : {PaletteName::tol, PaletteName::plasma, PaletteName::okabe_ito}) {
        fresh_items();
        click("menu");
        fresh_items();
        click("theme");
        fresh_items();
        click(fmt::format("palette.{}", palette_key(name)));
        EXPECT_EQ(view().look, (ThemeChoice{ThemeName::dark, name}));
        EXPECT_EQ(session().saved().look, view().look);
        press(GLFW_KEY_ESCAPE);
    }
}

TEST_F(GuideTest, ProjectorModeIsLargerAndComesBack) {
    frame();
    go("transpose?variant=padded");
    const float before = window_->scale();
    press(GLFW_KEY_P);
    fresh_items();
    EXPECT_TRUE(view().projector);
    EXPECT_GT(window_->scale(), 1.25f * before);
    EXPECT_FALSE(shows("panel.numbers"));
    EXPECT_TRUE(shows("panel.picture"));
    EXPECT_EQ(window_->user_scale(), 1) << "the person's own choice stays";
    const std::string place = session().saved().place;
    press(GLFW_KEY_PAGE_DOWN);
    EXPECT_NE(session().saved().place, place);
    press(GLFW_KEY_PAGE_UP);
    EXPECT_EQ(session().saved().place, place);
    press(GLFW_KEY_ESCAPE);
    frame();
    EXPECT_FALSE(view().projector);
    EXPECT_EQ(window_->scale(), before);
}

// A clicker has one key for it, and none that goes back.
TEST_F(GuideTest, InProjectorModeWavefrontsGoRound) {
    frame();
    go("shared-stride?stride=2");
    press(GLFW_KEY_P);
    const int wavefronts = session().frame().evidence->banks.at(0).count.wavefronts;
    ASSERT_EQ(wavefronts, 2);
    for (const int shown : {0, 1, -1, 0}) {
        press(GLFW_KEY_PERIOD);
        EXPECT_EQ(state().player_step, shown);
    }
}

// Large enough that it is not read in the frame that it was dropped in.
TEST_F(GuideTest, ALargeRecordingIsReadBesideTheWindowAndCanBeCancelled) {
    const std::filesystem::path folder =
        std::filesystem::path(testing::TempDir()) / "warplens_large_recording";
    std::filesystem::create_directories(folder);
    const std::string path = (folder / "large.json").string();
    std::string text = write_recording(test::sample_recording());
    text.insert(
        text.find('{') + 1, "\"unknown\": [" + [] {
            std::string numbers = "0";
            for (int i = 0; i < 2'000'000; ++i) numbers += ",1";
            return numbers;
        }() + "],");
    std::ofstream(path) << text;
    for (int i = 0; i < 3; ++i) frame();
    act(action::OpenFile{path});
    fresh_items();
    if (session().frame().busy.empty()) GTEST_SKIP() << "this machine reads it too fast";
    EXPECT_EQ(session().frame().busy, "reading large.json");
    EXPECT_TRUE(shows("busy.cancel"));
    click("busy.cancel");
    EXPECT_TRUE(session().frame().busy.empty());
    EXPECT_NE(session().messages().last().text.find("cancelled"), std::string::npos)
        << session().messages().last().text;
    EXPECT_EQ(session().frame().recordings->all().size(), 0u);
    shell_.reset();  // waits for its thread
    std::filesystem::remove_all(folder);
}

}  // namespace warplens::test::window_guide_window_tests
