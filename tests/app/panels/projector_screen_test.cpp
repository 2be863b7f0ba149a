// Projector mode: a teacher with a clicker, and a class that reads from the back row.
#include "app/boards/choose/decisions.h"
#include "app/experiment/link.h"
#include "app/learn/courses.h"
#include "app/learn/presenting.h"
#include "app/panels/picture_panel.h"
#include "app/panels/screen.h"
#include "app/panels/speed.h"
#include "tests/app/pictures/kit/pictures_of_settings.h"
#include "tests/app/window/headless_fixture.h"
#include "tests/app/window/item_laws.h"
#include "tests/random_states.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace warplens::test::projector_screen_tests {
namespace {

class ProjectorTest : public test::HeadlessFixture {
protected:
    void SetUp() override { (void)0; }
    void present(const std::string& link, int width = 1024, int height = 768) {
        close();
        open(width, height);
        follow(link);
        act(action::Do::projector);
        for (int i = 0; i < 12; ++i) frame();  // what would fix it is found meanwhile
        fresh_items();
    }
    float type_pixels() { return window_->scale() * font_points(FontRole::body); }
    /// Whether one of the texts of a frame is this.
    bool says(const std::string& text) {
        std::vector<ui::DrawnText> texts;
        ui::write_down_texts(&texts);
        frame();
        ui::write_down_texts(nullptr);
        return std::ranges::find(texts, text, &ui::DrawnText::text) != texts.end();
    }
    /// Whether one of so many tabs has a number and no name.
    bool has_bare_number(int tabs) {
        for (int k = 1; k <= tabs; ++k)
            if (says(fmt::format(" {} ", k))) return true;
        return false;
    }
};

TEST_F(ProjectorTest, TypeIsLargeEnoughForTheBackRow) {
    present("shared-tile");
    EXPECT_GE(type_pixels(), 24);
    present("shared-tile", 1920, 1080);
    EXPECT_GE(type_pixels(), 24 * 1080 / 768.0f * 0.98f);
}

TEST_F(ProjectorTest, TypeOfEveryBoardIsAsLarge) {
    for (const BoardInfo* board : all_boards()) {
        present(fmt::format("matrix-multiply?board={}", board->key));
        EXPECT_EQ(state().board, board) << board->key;
        EXPECT_GE(type_pixels(), 24) << board->key;
    }
}

// Lane numbers, too: where they have no room every fourth one stands above the lanes.
TEST_F(ProjectorTest, NoTypeInAPictureIsSmaller) {
    for (const auto& [width, height] : {std::pair{1024, 768}, {1920, 1080}})
        for (const Scenario& scenario : all_scenarios())
            for (const char* look : {"", "&bits=on"}) {
                present(fmt::format("{}?board=access{}", scenario.info->id, look), width, height);
                for (const CachedPicture& one : shell_->memory().b.instructions)
                    for (const Shape& shape : one.motion.target().shapes)
                        if (const auto* label = std::get_if<Label>(&shape)) {
                            EXPECT_GE(window_->scale() * font_points(label->font), 23.99f)
                                << scenario.info->id << " " << label->text << " at " << width;
                        }
            }
}

// The list of what differs had slipped below the end of its line, and A's value was cut to the letter.
TEST_F(ProjectorTest, ParametersOfAComparisonAreWhole) {
    for (const char* link : {"transpose?variant=padded&compare=variant%3Dtile",
                             "global-struct?layout=arrays&compare=layout%3Dstructures"}) {
        present(link);
        const std::string key = fmt::format("knob.{}", main_knobs(*state().scenario).front()->key);
        const ui::ItemRect& list = ui::items().at(key);
        EXPECT_GE(list.bottom, list.y + list.h - 1) << link;
    }
}

// Sliders had stood below the card, and the buttons on a slider.
TEST_F(ProjectorTest, NothingLiesUnderTheCardOfACourse) {
    int knobs = 0;
    for (const auto& [width, height] : {std::pair{1024, 768}, {1280, 800}, {1920, 1080}}) {
        present("", width, height);
        for (const Course& course : courses()) {
            act(action::OpenCourse{course.id});
            for (int step = 0; step < static_cast<int>(course.steps.size()); ++step) {
                SCOPED_TRACE(fmt::format("{} {} in {}", course.id, step + 1, width));
                act(action::GoToStep{step});
                for (int i = 0; i < 3; ++i) frame();
                fresh_items();
                ASSERT_TRUE(shows("panel.learn"));
                const ui::ItemRect card = ui::items().at("panel.learn");
                for (const auto& [name, rect] : ui::items()) {
                    EXPECT_TRUE(rect.x >= card.x || rect.x + rect.w <= card.x + 1) << name;
                    knobs += static_cast<int>(name.starts_with("knob."));
                }
                expect_items_in_place();
            }
        }
    }
    EXPECT_GT(knobs, 20) << "they are left out only where they have no room";
}

TEST_F(ProjectorTest, SteppingCountsTheSteps) {
    present("shared-tile?padding=0&walk=column");
    for (int i = 0; i < 3; ++i) press(GLFW_KEY_PERIOD);
    EXPECT_TRUE(says("wavefront 3 of 32"));
}

// Seven pictures cannot be read by a class.
TEST_F(ProjectorTest, ManyInstructionsAreAListAndFourPictures) {
    constexpr int kSizes[][2] = {{1024, 768}, {1280, 800}, {1920, 1080}};
    for (const auto [width, height] : kSizes) {
        for (const char* link : {"matrix-multiply?variant=vectors", "transpose?variant=tile"}) {
            SCOPED_TRACE(fmt::format("{} in {}", link, width));
            present(link, width, height);
            const auto count = static_cast<int>(session().frame().evidence->report.instructions.size());
            EXPECT_TRUE(shows("focus.list"));
            EXPECT_FALSE(has_bare_number(count));
            act(action::Focus{-1});
            frame();
            fresh_items();
            int pictures = 0;
            const ui::ItemRect panel = ui::items().at("panel.picture");
            for (const auto& [name, rect] : ui::items()) {
                if (!name.starts_with("picture.")) continue;
                ++pictures;
                EXPECT_LE(rect.y + rect.h, panel.y + panel.h) << name;
            }
            EXPECT_EQ(pictures, 4);
        }
    }
    present("matrix-multiply?variant=vectors");
    click("focus.list");
    click("focus.6");
    EXPECT_EQ(view().focus, 6);
}

// A clicker cannot scroll.
TEST_F(ProjectorTest, MapsOfAKernelFitBesideItsSpeedAndParameters) {
    constexpr int kSizes[][2] = {{1024, 768}, {1280, 800}, {1920, 1080}};
    for (const char* link :
         {"matrix-multiply?board=roofline", "transpose?board=traffic", "latency-hiding?board=flight"}) {
        for (const auto [width, height] : kSizes) {
            present(link, width, height);
            const ui::ItemRect picture = ui::items().at("board.picture"),
                               panel = ui::items().at("panel.board");
            EXPECT_LE(picture.y + picture.h, panel.y + panel.h) << link << " in " << width;
            EXPECT_TRUE(shows("present.speed") && shows("panel.knobs")) << link;
        }
    }
}

/// The paths through the questions, to each that can be asked and to each answer.
void add_paths(int path, std::vector<std::string>& links) {
    const DecisionPlace place = follow_path(decisions(), path, all_devices().front());
    links.push_back(decision_link(path));
    if (place.question == nullptr) return;
    for (int answer = 0; answer < static_cast<int>(place.question->answers.size()); ++answer)
        add_paths(place.path_with(answer), links);
}

/// What a class may see of a board: of every scenario, with its player at each step, with some parameters.
std::vector<std::string> places_of(const BoardInfo& board) {
    std::vector<std::string> places{fmt::format("?board={}", board.key)};
    if (board.about_scenario)
        for (const Scenario& scenario : all_scenarios())
            places.push_back(fmt::format("{}?board={}", scenario.info->id, board.key));
    if (const BoardKnob* steps = board.played_knob())
        for (int step = 1; step <= board_limit(*steps, {}); ++step)
            places.push_back(fmt::format("?board={}&{}={}", board.key, steps->key, step));
    if (board.key == "choose") add_paths(0, places);
    std::mt19937 random(44);
    State state = initial_state(all_scenarios().front(), 0);
    state.board = &board;
    for (int round = 0; round < 12 && !board.knobs.empty(); ++round) {
        state.boards = random_subject(*state.scenario, 1, random).boards;
        places.push_back(link_to(state, all_devices()));
    }
    return places;
}

// A clicker cannot scroll.
TEST_F(ProjectorTest, NoBoardScrolls) {
    constexpr int kSizes[][2] = {{1024, 768}, {1280, 800}, {1920, 1080}};
    for (const auto [width, height] : kSizes) {
        present("", width, height);
        for (const BoardInfo* board : all_boards()) {
            if (!board->picture || board->instructions) continue;  // a list that is searched; see above
            for (const std::string& place : places_of(*board)) {
                SCOPED_TRACE(fmt::format("{} in {}", place, width));
                follow(place);
                for (int i = 0; i < 3; ++i) frame();
                fresh_items();
                ASSERT_TRUE(shows("board.picture"));
                const ui::ItemRect picture = ui::items().at("board.picture"),
                                   panel = ui::items().at("panel.board");
                EXPECT_LE(picture.y + picture.h, panel.y + panel.h);
                EXPECT_FALSE(picture.scrolls);
                if (shows("verdict")) {
                    EXPECT_FALSE(ui::items().at("verdict").scrolls);
                }
            }
        }
    }
}

TEST_F(ProjectorTest, ARestingPointerCoversNothing) {
    Picture picture;
    picture.hits.push_back({.rect = {0, 0, 10, 10}, .lane = 3, .tooltip = "lane 3"});
    View shown;
    EXPECT_EQ(for_view(shown, picture).hits[0].tooltip, "lane 3");
    shown.projector = true;
    EXPECT_EQ(for_view(shown, picture).hits[0].tooltip, "");
    EXPECT_EQ(for_view(shown, picture).hits[0].lane, 3) << "it can be pointed at all the same";
}

TEST_F(ProjectorTest, OneLineSaysItAndOneButtonMendsIt) {
    present("shared-tile?padding=0&walk=column");
    EXPECT_EQ(session().frame().board_words->explanation.headline, "32x slower: 32-way bank conflict");
    for (const char* item : {"verdict", "present.speed", "next", "panel.picture", "knob.padding"})
        EXPECT_TRUE(shows(item)) << item;
    click("next");
    fresh_items();
    EXPECT_EQ(state().params.padding, 1);
    EXPECT_EQ(session().frame().board_words->explanation.headline, "Conflict-free");
    EXPECT_FALSE(shows("next")) << "there is nothing to mend";
    press(GLFW_KEY_Z, GLFW_MOD_CONTROL);
    EXPECT_EQ(state().params.padding, 0);
}

TEST_F(ProjectorTest, AKernelWithoutABarrierIsNotTheOneWhoseSpeedIsKnown) {
    present("transpose?variant=tile");
    EXPECT_TRUE(shows("present.speed"));
    present("transpose?variant=tile&board=hazards");
    EXPECT_TRUE(shows("verdict"));
    EXPECT_FALSE(shows("present.speed"));
}

// Each press leads one stop further, through all stops and on into the next scenario: no control gets the
// focus on the way.
TEST_F(ProjectorTest, AClickerNeverMovesTheFocus) {
    present("shared-tile");
    const std::vector<Stop> stops = stops_of(*state().scenario);
    for (const int key : {GLFW_KEY_RIGHT, GLFW_KEY_PAGE_DOWN}) {
        follow("shared-tile");
        for (std::size_t i = 1; i < stops.size(); ++i) {
            press(key);
            EXPECT_EQ(stop_at(stops, state().params), static_cast<int>(i));
            EXPECT_FALSE(ImGui::GetIO().NavVisible);
        }
        press(key);
        EXPECT_NE(state().scenario->info->id, "shared-tile");
    }
}

TEST_F(ProjectorTest, TheSameKeyMakesItBlackAndAnyKeyEndsIt) {
    present("shared-tile");
    press(GLFW_KEY_B);
    EXPECT_TRUE(view().black);
    fresh_items();
    EXPECT_FALSE(shows("panel.picture"));
    press(GLFW_KEY_B);
    EXPECT_FALSE(view().black);
    press(GLFW_KEY_B);
    press(GLFW_KEY_RIGHT);
    EXPECT_FALSE(view().black);
    EXPECT_EQ(stop_at(stops_of(*state().scenario), state().params), 1);
    press(GLFW_KEY_B);
    press(GLFW_KEY_ESCAPE);
    EXPECT_FALSE(view().black || view().projector);
}

TEST_F(ProjectorTest, TypeGrowsWithTheKeysAndComesBack) {
    present("shared-tile");
    const float usual = type_pixels();
    press(GLFW_KEY_EQUAL, GLFW_MOD_CONTROL);
    frame();
    EXPECT_GT(type_pixels(), 1.05f * usual);
    EXPECT_EQ(window_->user_scale(), 1) << "projector mode has a size of its own";
    press(GLFW_KEY_0, GLFW_MOD_CONTROL);
    frame();
    EXPECT_EQ(type_pixels(), usual);
}

// The button that has no room is left out: Dear ImGui ends the program for one without a label.
TEST_F(ProjectorTest, AWindowWithoutRoomHasNoButton) {
    for (const int width : {50, 107, 200}) {
        open(width, 200);
        go("shared-tile?padding=0&walk=column");
        for (int part = 0; part < 5; ++part) press(GLFW_KEY_V);
        press(GLFW_KEY_P);
        fresh_items();
        EXPECT_TRUE(view().projector);
    }
}

TEST_F(ProjectorTest, TheVerdictWithItsButtonNeedsNoScrollBar) {
    for (const auto& [width, height] : {std::pair{1024, 768}, {1280, 800}, {1920, 1080}}) {
        present("shared-stride?stride=2", width, height);
        ASSERT_TRUE(shows("next")) << width;
        const ui::ItemRect& next = ui::items().at("next");
        EXPECT_FALSE(next.scrolls) << width;
        EXPECT_GE(next.bottom, next.y + next.h - 1) << width;
    }
}

TEST_F(ProjectorTest, LeavingItLeadsBackToAllInstructions) {
    close();
    open(1280, 800);
    follow("transpose?variant=tile&instruction=all");
    ASSERT_EQ(view().focus, -1);
    press(GLFW_KEY_P);
    EXPECT_GE(view().focus, 0);
    press(GLFW_KEY_ESCAPE);
    EXPECT_EQ(view().focus, -1);
    // What was chosen meanwhile stays.
    press(GLFW_KEY_P);
    follow("transpose?variant=tile&instruction=1");
    press(GLFW_KEY_ESCAPE);
    EXPECT_EQ(view().focus, 1);
}

// Both sides are there whole, with their verdicts and speeds, and cells wide enough for lane numbers.
TEST_F(ProjectorTest, AComparisonSaysHowMuchFasterOneSideIs) {
    constexpr int kSizes[][2] = {{1024, 768}, {1280, 800}, {1920, 1080}};
    for (const char* link :
         {"shared-tile?padding=1&compare=padding%3D0", "global-stride?stride=1&compare=stride%3D8",
          "transpose?variant=padded&compare=variant%3Dnaive"}) {
        for (const auto [width, height] : kSizes) {
            SCOPED_TRACE(fmt::format("{} in {}", link, width));
            present(link, width, height);
            for (const char* item : {"present.ratio", "verdict.a", "verdict.b", "speed.a", "speed.b"})
                EXPECT_TRUE(shows(item)) << item;
            for (const auto& [picture, panel] :
                 {std::pair{fmt::format("a.picture.{}", view().focus), "panel.side-a"},
                  {fmt::format("picture.{}", view().focus), "panel.side-b"}}) {
                const ui::ItemRect drawn = ui::items().at(picture), around = ui::items().at(panel);
                EXPECT_LE(drawn.y + drawn.h, around.y + around.h) << picture;
                // Sides with the rows of a tile stand beside each other, so that no row is hidden.
                const bool tile = session().state().scenario->info->id == "shared-tile";
                EXPECT_GT(drawn.w, (tile ? 0.44f : 0.9f) * static_cast<float>(width)) << picture;
                EXPECT_GT(drawn.h, (tile ? 0.4f : 0.0f) * static_cast<float>(height)) << picture;
            }
        }
    }
    present("shared-tile?padding=1&compare=padding%3D0");
    const double b = session().frame().evidence->prediction.value,
                 a = session().frame().other->evidence->prediction.value;
    EXPECT_EQ(ratio_of_speeds(session().frame()), fmt::format("B is {:.3g}x as fast as A", b / a));
    present("shared-tile?padding=0&compare=padding%3D1");
    EXPECT_EQ(ratio_of_speeds(session().frame()), fmt::format("A is {:.3g}x as fast as B", b / a));
}

TEST_F(ProjectorTest, OfSeveralInstructionsTheCostliestIsShown) {
    present("transpose?variant=tile");
    EXPECT_EQ(view().focus, 2) << "the load of a column of the tile";
}

}  // namespace
}  // namespace warplens::test::projector_screen_tests
