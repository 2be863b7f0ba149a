// Find anything: what can be found, in which order, and the list in a window without a screen.
#include "app/window/finder.h"

#include "app/base/system.h"
#include "app/base/text.h"
#include "app/learn/courses.h"
#include "app/learn/glossary.h"
#include "app/window/keys.h"
#include "tests/app/window/headless_fixture.h"
#include "tests/app/window/item_laws.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

namespace warplens::test::finder_tests {
namespace {

using Kind = Findable::Kind;
using testing::Contains;
using testing::ElementsAre;

Findable called(const std::string& title, std::vector<std::string> others = {}) {
    Findable one{Kind::term, title, {}, {}, {}, {lower_case(title)}};
    one.names.insert(one.names.end(), others.begin(), others.end());
    return one;
}

std::vector<std::string> found(const std::vector<Findable>& all, std::string_view typed) {
    std::vector<std::string> titles;
    for (const std::size_t i : find_in(all, typed, 12)) titles.push_back(all[i].title);
    return titles;
}

class FinderTest : public HeadlessFixture {
protected:
    std::vector<Findable> all() { return findables(session().frame()); }
    /// The kind and title of what is found first.
    std::string best(std::string_view typed) {
        const std::vector<Findable> list = all();
        const std::vector<std::size_t> at = find_in(list, typed, 1);
        return at.empty() ? "" : fmt::format("{}: {}", kind_name(list[at[0]].kind), list[at[0]].title);
    }
    void find(const std::string& text) {
        press(GLFW_KEY_K, GLFW_MOD_CONTROL);
        type(text);
    }
};

TEST(Finder, BeginningsComeBeforeInsidesBeforeLettersInOrder) {
    const std::vector<Findable> all = {called("Letters: b x a x n x k"), called("Riverbank"),
                                       called("The bank"), called("Bank conflict"), called("Bank")};
    EXPECT_THAT(found(all, "bank"),
                ElementsAre("Bank", "Bank conflict", "The bank", "Riverbank", "Letters: b x a x n x k"));
    EXPECT_THAT(found(all, "BaNk"),
                ElementsAre("Bank", "Bank conflict", "The bank", "Riverbank", "Letters: b x a x n x k"));
    EXPECT_TRUE(found(all, "bankq").empty());
}

TEST(Finder, TakesSeveralWordsInAnyOrderAndOtherNames) {
    const std::vector<Findable> all = {called("Matrix transpose", {"transpose"}),
                                       called("Matrix multiply", {"matrix-multiply"}),
                                       called("Something", {"matrix of old"})};
    EXPECT_THAT(found(all, "trans mat"), ElementsAre("Matrix transpose"));
    EXPECT_THAT(found(all, "  matrix   "), ElementsAre("Matrix transpose", "Matrix multiply", "Something"));
    EXPECT_THAT(found(all, ""), ElementsAre("Matrix transpose", "Matrix multiply", "Something"));
    EXPECT_EQ(find_in(all, "m", 2).size(), 2u);
}

TEST_F(FinderTest, EverythingIsFoundByItsOwnName) {
    go("transpose");
    const std::vector<Findable> list = all();
    std::set<std::pair<Kind, std::string>> seen;
    for (const Findable& one : list) {
        SCOPED_TRACE(one.title);
        EXPECT_FALSE(one.actions.empty());
        EXPECT_TRUE(seen.emplace(one.kind, one.title).second) << "twice in the list";
        const std::vector<std::string> titles = found(list, one.title);
        EXPECT_THAT(titles, Contains(one.title));
    }
    const auto count = [&](Kind kind) {
        return static_cast<std::size_t>(std::ranges::count(list, kind, &Findable::kind));
    };
    EXPECT_EQ(count(Kind::scenario), all_scenarios().size());
    EXPECT_EQ(count(Kind::board), all_boards().size());
    EXPECT_EQ(count(Kind::parameter), state().scenario->info->knobs.size());
    EXPECT_EQ(count(Kind::course), courses().size());
    EXPECT_EQ(count(Kind::term), glossary().size());
    EXPECT_EQ(count(Kind::gpu), devices_.size());
    EXPECT_GE(count(Kind::lesson), all_scenarios().size());
    for (const Scenario& scenario : all_scenarios()) {
        const std::vector<std::size_t> at = find_in(list, scenario.info->id, 1);
        ASSERT_EQ(at.size(), 1u);
        EXPECT_EQ(list[at[0]].actions, std::vector<Action>{action::GoTo{&scenario}}) << scenario.info->id;
    }
}

TEST_F(FinderTest, AnEarlierTitleFindsItsScenarioOnce) {
    EXPECT_THAT(found(all(), "private array"), ElementsAre("Per-thread array"));
    EXPECT_EQ(best("walk over a tile"), "scenario: Tile: bank conflicts and padding");
    EXPECT_EQ(best("structures or arrays"), "scenario: Structures or arrays");
    EXPECT_EQ(best("exchange between lanes"), "scenario: Warp shuffle");
    EXPECT_EQ(best("another block's shared"), "scenario: Distributed shared memory");
}

TEST_F(FinderTest, AScenariosPresetsDoNotCrowdOutWhatIsCalledLikeIt) {
    go("global-stride");
    const std::vector<std::string> titles = found(all(), "strid");
    for (const char* title : {"Stride and offset", "Stride and banks", "Stride", "stride"})
        EXPECT_THAT(titles, Contains(title));
    EXPECT_EQ(best("every other"), "preset: Stride and offset: every other");
}

TEST_F(FinderTest, ACommandIsThereForEveryKeyThatCountsAtAnyTime) {
    const std::vector<Findable> list = all();
    for (const KeyBinding& binding : key_table()) {
        if (binding.when != When::always && binding.when != When::no_control) continue;
        for (const KeyChord& chord : binding.chords) {
            if (chord.action == Action(action::Toggle{&View::finder})) continue;
            const bool there = std::ranges::any_of(list, [&](const Findable& one) {
                return one.actions == std::vector<Action>{chord.action} && !one.keys.empty();
            });
            EXPECT_TRUE(there) << binding.keys;
        }
    }
    for (const KeyCommand& command : key_commands()) {
        const auto known = std::ranges::find_if(key_table(), [&](const KeyBinding& binding) {
            return binding.keys.find(command.keys) != std::string_view::npos;
        });
        EXPECT_NE(known, key_table().end()) << command.title << " has the keys " << command.keys;
    }
    EXPECT_EQ(best("swap"), "command: Swap A and B");
}

TEST_F(FinderTest, OffersToAskForFilesWhereNobodyNamesPaths) {
    const bool offered = std::ranges::any_of(all(), [](const Findable& one) {
        return one.actions == std::vector<Action>{action::Do::choose_files};
    });
    EXPECT_NE(offered, kHasPaths);
}

// Found by random inputs: Dear ImGui 1.86 divides by zero for a frame that is a millionth wider than two
// pixels.
TEST_F(FinderTest, GoesOnInAWindowOfAnyWidth) {
    for (int width = 1; width <= 110; ++width) {
        open(width, 600);
        frame();
        act(action::Show{&View::finder, true});
        for (int i = 0; i < 3; ++i) frame();
        EXPECT_TRUE(view().finder) << width;
    }
}

TEST_F(FinderTest, TheListOpensByItsKeyAndGoesWhereItSays) {
    frame();
    find("tile shared");
    EXPECT_TRUE(view().finder);
    fresh_items();
    ASSERT_TRUE(shows("find.0"));
    expect_inside("find.0", ui::items().at("find.0"));
    press(GLFW_KEY_ENTER);
    EXPECT_FALSE(view().finder);
    EXPECT_EQ(state().scenario->info->id, "shared-tile");
}

TEST_F(FinderTest, DownChoosesTheNextRowAndUpTheOneBefore) {
    frame();
    const std::vector<Findable> list = all();
    const std::vector<std::size_t> found = find_in(list, "matrix", 12);
    ASSERT_EQ(list[found[1]].kind, Kind::scenario);
    const auto* there = std::get_if<action::GoTo>(&list[found[1]].actions[0]);
    ASSERT_NE(there, nullptr);
    find("matrix");
    press(GLFW_KEY_DOWN);
    press(GLFW_KEY_DOWN);
    press(GLFW_KEY_UP);
    press(GLFW_KEY_ENTER);
    EXPECT_EQ(state().scenario, there->scenario);
}

TEST_F(FinderTest, EscapeAndAClickBesideItCloseItAndChangeNothing) {
    frame();
    const State before = state();
    find("transpose");
    press(GLFW_KEY_ESCAPE);
    EXPECT_FALSE(view().finder);
    find("transpose");
    EXPECT_TRUE(view().finder);
    point_at(20, 780);
    window_->button(true);
    frame();
    window_->button(false);
    frame();
    frame();
    EXPECT_FALSE(view().finder);
    EXPECT_EQ(state(), before);
    find("transpose");
    press(GLFW_KEY_K, GLFW_MOD_CONTROL);
    EXPECT_FALSE(view().finder);
}

TEST_F(FinderTest, AClickOnARowGoesThere) {
    frame();
    find("constant-lookup");
    fresh_items();
    click("find.0", 0.5f);
    EXPECT_EQ(state().scenario->info->id, "constant-lookup");
    EXPECT_FALSE(view().finder);
}

TEST_F(FinderTest, AParameterGetsTheKeyboard) {
    go("global-stride?board=occupancy");
    ASSERT_EQ(state().board->key, "occupancy");
    act(action::ShowBoard{first_board()});
    find("stride");
    const std::vector<Findable> list = all();
    const std::vector<std::size_t> found = find_in(list, "stride", 12);
    const auto row = std::ranges::find_if(
        found, [&](std::size_t i) { return list[i].kind == Kind::parameter && list[i].title == "Stride"; });
    ASSERT_NE(row, found.end());
    for (auto at = found.begin(); at != row; ++at) press(GLFW_KEY_DOWN);
    press(GLFW_KEY_ENTER);
    for (int i = 0; i < 3; ++i) frame();
    EXPECT_TRUE(ImGui::GetIO().WantTextInput) << "a number can be typed at once";
    type("7");
    press(GLFW_KEY_ENTER);
    EXPECT_EQ(state().params.stride, 7);
}

TEST_F(FinderTest, AParameterIsShownWhereItIsNotOnScreen) {
    open(640, 800);
    go("transpose?board=occupancy");
    const Knob& knob = state().scenario->info->knobs.back();
    act(action::FocusKnob{&knob});
    fresh_items();
    EXPECT_TRUE(shows(fmt::format("knob.{}", knob.key)));
    act(action::Do::projector);
    act(action::FocusKnob{&knob});
    EXPECT_FALSE(view().projector) << "it has few of the parameters only";
}

TEST_F(FinderTest, AWordOpensTheHelpPageThere) {
    frame();
    find("wavefront");
    ASSERT_EQ(best("wavefront"), "word: wavefront");
    press(GLFW_KEY_ENTER);
    for (int i = 0; i < 3; ++i) frame();
    EXPECT_TRUE(view().help && view().help_page == HelpPage::words);
    EXPECT_EQ(view().help_at, "wavefront");
    fresh_items();
    ASSERT_TRUE(shows("word.wavefront"));
    EXPECT_TRUE(ui::items().at("word.wavefront").visible()) << "it is scrolled to";
    press(GLFW_KEY_ESCAPE);
    frame();
    EXPECT_TRUE(view().help_at.empty());
}

TEST_F(FinderTest, AHeadingOfTheManualOpensThere) {
    frame();
    find("your kernel on a gpu");
    press(GLFW_KEY_ENTER);
    for (int i = 0; i < 3; ++i) frame();
    EXPECT_EQ(view().help_page, HelpPage::manual);
    fresh_items();
    ASSERT_TRUE(shows("link.manual:exactness#kernels-made-by-chance"));
    EXPECT_TRUE(ui::items().at("link.manual:exactness#kernels-made-by-chance").visible())
        << "it is scrolled to";
    click("link.manual:exactness#kernels-made-by-chance", 0.5f);
    EXPECT_EQ(view().help_at, "exactness#kernels-made-by-chance");
    act(action::ShowHelp{HelpPage::manual, "window#lessons-courses-and-quizzes"});
    for (int i = 0; i < 3; ++i) frame();
    fresh_items();
    click("link.global-stride", 0.5f);
    EXPECT_EQ(state().scenario->info->id, "global-stride");
    EXPECT_FALSE(view().help);
    EXPECT_EQ(view().tab, 2) << "its lesson";
}

// A keystroke must not make the list of candidates again.
TEST_F(FinderTest, TheWindowSleepsWhileTheListIsOpenAndLiesInTheWindowAtEverySize) {
    for (const auto& [width, height] : {std::pair{640, 480}, {1024, 768}, {1920, 1080}}) {
        SCOPED_TRACE(width);
        open(width, height);
        for (const bool projector : {false, true}) {
            frame();
            if (projector) act(action::Do::projector);
            find("a");
            for (int i = 0; i < 6; ++i) frame();
            EXPECT_EQ(window_->frames_asked(), 0);
            fresh_items();
            for (const auto& [name, item] : ui::items())
                if (name.starts_with("find.")) expect_inside(name, item);
            EXPECT_TRUE(shows("find.0"));
            press(GLFW_KEY_ESCAPE);
            EXPECT_EQ(view().projector, projector) << "Esc closes one thing";
        }
    }
}

}  // namespace
}  // namespace warplens::test::finder_tests
