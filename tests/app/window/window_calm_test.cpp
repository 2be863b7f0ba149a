// The window is calm, and the picture comes first: it has most of the height, all of its rows are drawn, few
// controls stand around it, and one setting has one colour.
#include "app/boards/access/kernel_verdict.h"
#include "app/boards/occupancy/knobs.h"
#include "app/learn/courses.h"
#include "app/learn/learning.h"
#include "app/panels/picture_panel.h"
#include "tests/app/window/headless_fixture.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <bit>
#include <set>

namespace warplens::test::window_calm_tests {
namespace {

struct Size {
    int width, height;
    float scale = 1;
};
constexpr Size kSizes[] = {{1024, 768}, {1280, 800}, {1920, 1080}, {3840, 2160, 2}};

class CalmTest : public HeadlessFixture {
protected:
    void SetUp() override {}
    void show(const Size& size) {
        open(size.width, size.height);
        window_->set_user_scale(size.scale);
        frame();
    }
    static bool is_part(std::string_view name) {
        return name.starts_with("panel.") || name.starts_with("split.") || name.starts_with("picture.");
    }
    /// What a mouse can press or drag, by name: under its middle something takes the mouse.
    std::set<std::string> controls() {
        fresh_items();
        std::vector<std::pair<std::string, ui::ItemRect>> all(ui::items().begin(), ui::items().end());
        std::set<std::string> found;
        for (const auto& [name, rect] : all) {
            if (is_part(name) || !rect.visible()) continue;
            point_at((rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2);
            frame();
            if (ImGui::GetCurrentContext()->HoveredIdPreviousFrame != 0) found.insert(name);
        }
        point_at(-1, -1);
        return found;
    }
    const Picture& drawn(int instruction) {
        return shell_->memory().b.instructions.at(std::size_t(instruction)).motion.target();
    }
};

}  // namespace

TEST_F(CalmTest, AtMostThirtyControlsStandAroundThePicture) {
    for (const Size& size : {kSizes[0], kSizes[1]}) {
        show(size);
        for (const Scenario& scenario : all_scenarios()) {
            SCOPED_TRACE(fmt::format("{} at {}", scenario.info->id, size.width));
            go(std::string(scenario.info->id));
            const std::set<std::string> all = controls();
            EXPECT_LE(all.size(), 30u) << fmt::format("{}", fmt::join(all, " "));
            EXPECT_GT(all.size(), 15u);
            EXPECT_TRUE(all.contains("scenario") && all.contains("device")) << "the count sees what is there";
        }
    }
}

TEST_F(CalmTest, ThePictureHasMostOfTheHeight) {
    for (const Size& size : kSizes) {
        show(size);
        for (const Scenario& scenario : all_scenarios()) {
            SCOPED_TRACE(fmt::format("{} at {}", scenario.info->id, size.width));
            go(std::string(scenario.info->id));
            act(action::Focus{0});
            fresh_items();
            const ui::ItemRect &picture = ui::items().at("picture.0"),
                               &board = ui::items().at("board.access"), &plot = ui::items().at("panel.plot");
            EXPECT_GE(picture.h, 0.6f * (plot.y + plot.h - board.y));
        }
    }
}

TEST_F(CalmTest, NothingThatAWarpTouchesIsLeftOut) {
    for (const Size& size : kSizes) {
        show(size);
        for (const Scenario& scenario : all_scenarios())
            for (const Preset& preset : scenario.info->presets) {
                SCOPED_TRACE(fmt::format("{} {} at {}", scenario.info->id, preset.name, size.width));
                State to = initial_state(scenario, state().device);
                to.params = preset_params(scenario, preset);
                act(action::Change{to});
                set(&State::board, first_board());  // a scenario may begin with another one
                const auto& rows = session().frame().evidence->report.instructions;
                act(action::Focus{-1});
                fresh_items();
                for (int k = 0; k < int(rows.size()); ++k)
                    EXPECT_TRUE(!shows(fmt::format("picture.{}", k)) || drawn(k).folds == 0)
                        << k << " of all";
                for (int k = 0; k < int(rows.size()); ++k) {
                    act(action::Focus{k});
                    frame();
                    EXPECT_EQ(drawn(k).folds, 0) << rows[k].instruction.label;
                    const Space space = rows[k].access.space;
                    if (space != Space::global && space != Space::shared) continue;
                    const auto wires = std::ranges::count_if(drawn(k).shapes, [](const Shape& shape) {
                        return std::holds_alternative<Wire>(shape);
                    });
                    EXPECT_GE(wires, std::popcount(rows[k].access.active)) << rows[k].instruction.label;
                }
            }
    }
}

TEST_F(CalmTest, ThePlotIsAStripThatAClickOpensAndACloseFolds) {
    show(kSizes[1]);
    go("shared-tile");
    EXPECT_TRUE(shows("plot.open"));
    const float picture = ui::items().at("picture.0").h;
    const ui::ItemRect strip = ui::items().at("plot");
    click("plot", 0.5f, 0.5f);
    EXPECT_NEAR(state().params.padding, 8, 1) << "a click into the strip sets the parameter";
    click("plot.open");
    fresh_items();
    EXPECT_TRUE(view().plot_open);
    EXPECT_NEAR(state().params.padding, 8, 1) << "and that of its button does not";
    EXPECT_LT(ui::items().at("picture.0").h, picture);
    EXPECT_GT(ui::items().at("plot").h, strip.h);
    EXPECT_TRUE(session().saved().plot_open) << "the choice is kept";
    click("plot.close");
    fresh_items();
    EXPECT_EQ(ui::items().at("picture.0").h, picture);
}

TEST_F(CalmTest, WhatIsFoldedIsAClickAway) {
    show(kSizes[1]);
    go("shared-tile");
    EXPECT_FALSE(shows("knob.swizzle_bits"));
    EXPECT_FALSE(shows("number.requests"));
    click("knobs.more");
    click("numbers.more");
    fresh_items();
    for (const Knob& knob : state().scenario->info->knobs)
        EXPECT_TRUE(shows(fmt::format("knob.{}", knob.key))) << knob.key;
    EXPECT_TRUE(shows("number.requests"));
    click("numbers.more");
    fresh_items();
    EXPECT_FALSE(shows("number.requests"));
}

TEST_F(CalmTest, AFewNumbersStandAtOnceEachOnOneLine) {
    constexpr int kMost = 6;
    for (const Size& size : {kSizes[0], kSizes[1]}) {
        show(size);
        std::vector<std::string> links;
        for (const Scenario& scenario : all_scenarios())
            links.push_back(fmt::format("{}?board=access", scenario.info->id));
        for (const BoardInfo* board : all_boards())
            for (const char* id : {"matrix-multiply", "async-copy"})
                if (!board->wide) links.push_back(fmt::format("{}?board={}", id, board->key));
        for (const std::string& link : links) {
            SCOPED_TRACE(fmt::format("{} at {}", link, size.width));
            follow(link);
            act(action::Focus{-1});
            fresh_items();
            int shown = 0;
            for (const auto& [name, rect] : ui::items()) {
                if (!name.starts_with("number.")) continue;
                ++shown;
                EXPECT_LE(rect.h, 1.5f * ImGui::GetTextLineHeight()) << name << " needs two lines";
                EXPECT_GE(rect.bottom, rect.y + rect.h - 1) << name << " is cut";
            }
            EXPECT_GE(shown, 1);
            EXPECT_LE(shown, kMost);
        }
    }
}

TEST_F(CalmTest, WhatDiffersMostIsNotFoldedInAComparison) {
    show(kSizes[1]);
    go("transpose?variant=padded&compare=variant%3Dtile");
    act(action::Focus{-1});
    fresh_items();
    EXPECT_TRUE(shows("number.load tile: wavefronts")) << "32 in A, 1 in B";
}

// A flat line says nothing, but that nothing depends on the parameter does.
TEST_F(CalmTest, AStripWithoutAnythingToSeeSaysSo) {
    show(kSizes[1]);
    for (const auto& [link, same] : {std::pair{"shared-tile?walk=row", true}, {"shared-tile", false}}) {
        go(link);
        std::vector<ui::DrawnText> texts;
        ui::write_down_texts(&texts);
        frame();
        ui::write_down_texts(nullptr);
        EXPECT_EQ(std::ranges::any_of(texts,
                                      [](const ui::DrawnText& one) {
                                          return one.text == "Bandwidth: the same for any padding";
                                      }),
                  same)
            << link;
    }
}

TEST_F(CalmTest, NoNumberOfABoardIsBelowTheEndOfThePanel) {
    const auto numbers = [] {
        return std::ranges::count_if(ui::items(),
                                     [](const auto& item) { return item.first.starts_with("number."); });
    };
    for (const Size& size : {kSizes[0], kSizes[1]}) {
        show(size);
        for (const BoardInfo* board : all_boards()) {
            SCOPED_TRACE(fmt::format("{} at {}", board->key, size.width));
            go(fmt::format("matrix-multiply?board={}", board->key));
            frame();
            fresh_items();
            for (const auto& [name, rect] : ui::items())
                if (name.starts_with("number.")) {
                    EXPECT_GE(rect.bottom, rect.y + rect.h - 1) << name;
                }
        }
    }
    go("matrix-multiply?board=ladder");
    for (int i = 0; i < 3; ++i) frame();
    fresh_items();
    const auto few = numbers();
    click("numbers.more");
    fresh_items();
    EXPECT_GT(numbers(), few) << "the other rungs are a click away";
}

TEST_F(CalmTest, ABoardWithNothingToSayLeadsOnAndSaysItOnce) {
    show(kSizes[1]);
    for (const char* link : {"global-stride?board=hazards", "matrix-multiply?board=flight"}) {
        go(link);
        EXPECT_TRUE(shows("board.example")) << link;
        EXPECT_FALSE(shows("board.picture")) << link << ": it would repeat the headline, or Why";
        click("board.example");
        fresh_items();
        EXPECT_TRUE(shows("board.picture")) << link;
    }
}

// "tile[i] = fille…": a code that is cut says less than none.
TEST_F(CalmTest, NoWordOfTheseBoardsIsCut) {
    for (const Size& size : {kSizes[0], kSizes[1]}) {
        show(size);
        for (const Scenario& scenario : all_scenarios())
            for (const char* board : {"traffic", "hazards"}) {
                go(fmt::format("{}?board={}", scenario.info->id, board));
                if (!shows("board.picture")) continue;
                for (const Shape& shape : shell_->memory().b.board.motion.target().shapes)
                    if (const auto* label = std::get_if<Label>(&shape)) {
                        EXPECT_EQ(label->text.find("…"), std::string::npos)
                            << scenario.info->id << " " << board << ": " << label->text;
                    }
            }
    }
}

TEST_F(CalmTest, AtDoubleSizeNoNameOfANumberIsCutInsideAWord) {
    show({1920, 1080, 2});
    go("shared-tile");
    fresh_items();
    const float line = ui::items().at("number.ideal").h;
    for (const char* name : {"number.wavefronts", "number.cycles/request"})
        EXPECT_LE(ui::items().at(name).h, line) << name;
}

TEST_F(CalmTest, NoTooltipCoversWhatFollowsAPress) {
    const auto tooltip = [] {
        const ImGuiWindow* window = ImGui::FindWindowByName("##Tooltip_00");
        return window != nullptr && window->Active;
    };
    show(kSizes[1]);
    go("shared-tile");
    const ui::ItemRect knob = ui::items().at("knob.padding");
    point_at(knob.x + knob.w / 2, knob.y + knob.h / 2);
    frame();
    EXPECT_TRUE(tooltip()) << "of the slider";
    click("knob.padding");
    frame();
    EXPECT_FALSE(tooltip()) << "after the press";
    point_at(1, 1);
    frame();
    point_at(knob.x + knob.w / 2, knob.y + knob.h / 2);
    frame();
    EXPECT_TRUE(tooltip()) << "when the mouse comes back";
}

TEST_F(CalmTest, TheRightButtonOffersWhatThePictureCanDo) {
    show(kSizes[1]);
    go("shared-tile");
    const ui::ItemRect picture = ui::items().at("picture.0");
    point_at(picture.x + picture.w / 2, picture.y + picture.h / 2);
    for (const bool down : {true, false}) {
        window_->button(down, ImGuiMouseButton_Right);
        frame();
    }
    fresh_items();
    for (const char* entry : {"copy", "data", "command", "link", "export", "compare", "fixes", "bits"})
        EXPECT_TRUE(shows(fmt::format("picture.menu.{}", entry))) << entry;
    click("picture.menu.bits");
    EXPECT_TRUE(state().bits);
}

TEST_F(CalmTest, ADoubleClickOnAKnobsNameBringsItsDefaultBack) {
    show(kSizes[1]);
    go("global-stride?stride=7&offset=3");
    fresh_items();
    click("label.stride", 0.5f, 0.5f, 2);
    EXPECT_EQ(state().params.stride, 1);
    EXPECT_EQ(state().params.offset, 3) << "the others stay";
    click("label.offset", 0.5f, 0.5f, 2);
    EXPECT_EQ(state().params.offset, 0);
    act(action::Do::undo);
    EXPECT_EQ(state().params.offset, 3);
    go("?board=occupancy&occupancy.threads=96");
    fresh_items();
    click("label.occupancy.threads", 0.5f, 0.5f, 2);
    EXPECT_EQ(state().boards[kOccupancyThreads], kOccupancyThreads.usual);
}

// What a person opens would lie below the tour, unseen, and Esc would close that first.
TEST_F(CalmTest, WhatIsOpenedEndsTheTour) {
    show(kSizes[1]);
    const std::pair<int, int> keys[] = {
        {GLFW_KEY_E, GLFW_MOD_CONTROL}, {GLFW_KEY_K, GLFW_MOD_CONTROL}, {GLFW_KEY_F5, 0}};
    for (const auto& [key, modifiers] : keys) {
        act(action::set(&View::tour, 0));
        frame();
        press(key, modifiers);
        EXPECT_EQ(view().tour, -1) << key;
        EXPECT_TRUE(session().figures.dialog() != nullptr || view().finder || view().projector) << key;
        press(GLFW_KEY_ESCAPE);
    }
}

TEST_F(CalmTest, PageDownLeadsThroughEveryCourse) {
    show(kSizes[1]);
    for (const Course& course : courses()) {
        act(action::OpenCourse{course.id});
        for (std::size_t step = 0; step < course.steps.size(); ++step) {
            for (int i = 0; i < 4; ++i) frame();  // an editor has the keyboard by then
            ASSERT_NE(session().learning.step(), nullptr) << course.id << ", step " << step + 1;
            EXPECT_EQ(session().learning.step(), &course.steps[step]) << course.id << ", step " << step + 1;
            press(GLFW_KEY_PAGE_DOWN);
        }
        EXPECT_EQ(session().learning.step(), nullptr) << course.id;
    }
}

// In front of a class the answer comes before the next step, and the next course after the last step.
TEST_F(CalmTest, AClickerAsksAndAnswers) {
    show(kSizes[1]);
    const Course& course = courses().front();
    act(action::OpenCourse{course.id});
    press(GLFW_KEY_F5);
    std::size_t questions = 0;
    for (std::size_t step = 0; step < course.steps.size(); ++step) {
        for (int i = 0; i < 4; ++i) frame();
        ASSERT_EQ(session().learning.step(), &course.steps[step]) << step + 1;
        if (session().frame().counts_hidden) {
            ++questions;
            fresh_items();
            EXPECT_FALSE(shows("present.speed")) << step + 1;
            press(GLFW_KEY_PAGE_DOWN);
            frame();
            EXPECT_FALSE(session().frame().counts_hidden) << step + 1;
            EXPECT_EQ(session().learning.step(), &course.steps[step]) << step + 1;
        }
        press(step % 2 == 0 ? GLFW_KEY_PAGE_DOWN : GLFW_KEY_RIGHT);
    }
    EXPECT_GE(questions, 2u);
    EXPECT_NE(session().learning.finished(), nullptr);
    press(GLFW_KEY_PAGE_DOWN);
    EXPECT_EQ(session().learning.step(), &courses()[1].steps.front());
}

// The table of memories says which of two answers sooner, and its headline does, too.
TEST_F(CalmTest, AMapIsHiddenWhileAQuizAsksAboutTheMachine) {
    show(kSizes[1]);
    act(action::StartQuiz{"42", 4});
    frames_until([this] { return session().frame().learning->quiz() != nullptr; });
    const auto answer = [this] {
        act(action::Answer{session().frame().learning->quiz()->question().right});
        frame();
    };
    for (int i = 0; i < 3; ++i) {
        answer();
        act(action::Do::next_question);
        frame();
    }
    ASSERT_EQ(session().frame().learning->quiz()->question().kind, QuestionKind::machine);
    EXPECT_FALSE(state().board->instructions);
    fresh_items();
    EXPECT_FALSE(shows("board.picture"));
    EXPECT_FALSE(shows("verdict"));
    answer();
    fresh_items();
    EXPECT_TRUE(shows("board.picture"));
}

TEST_F(CalmTest, OneSettingHasOneColour) {
    std::set<Tone> seen;
    for (const Scenario& scenario : all_scenarios())
        for (const Preset& preset : scenario.info->presets)
            for (const char* gpu : {"H200", "K80", "T4"}) {
                State one = initial_state(scenario, find_device(devices_, gpu).value());
                one.params = preset_params(scenario, preset);
                const auto table = std::make_shared<const Devices>(devices_);
                const Evidence evidence = gather_evidence(one, devices_);
                const Tone kernel = tone_of(evidence, devices_[one.device]);
                seen.insert(kernel);
                for (const BoardInfo* board : all_boards()) {
                    if (!board->about_scenario) continue;
                    one.board = board;
                    Store store(JobsRun::at_once);
                    const BoardWords words =
                        answer(BoardKey{one, std::make_shared<const Evidence>(evidence), table}, store);
                    const Tone tone = words.tone;
                    EXPECT_TRUE(tone == Tone::plain || !words.example)
                        << scenario.info->id << " " << board->key << ": nothing to say is no praise";
                    EXPECT_TRUE(tone == kernel || (tone == Tone::plain && !board->instructions))
                        << scenario.info->id << " " << preset.name << " " << board->key;
                    const bool latency = evidence.prediction.speed_unit == SpeedUnit::cycles;
                    EXPECT_TRUE(kernel != Tone::good || !latency || board->key != "roofline" ||
                                tone == kernel)
                        << scenario.info->id << ": a roof does not judge a latency";
                }
            }
    EXPECT_EQ(seen.size(), 3u) << "all tones occur";
}

}  // namespace warplens::test::window_calm_tests
