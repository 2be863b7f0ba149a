// Laws over all boards: whoever adds one gets these for nothing.
#include "app/boards/list.h"

#include "app/experiment/link.h"
#include "app/learn/courses.h"
#include "app/panels/speed.h"
#include "tests/app/learn/field_words.h"
#include "tests/app/learn/shown.h"
#include "tests/app/pictures/kit/pictures_of_settings.h"
#include "tests/random_states.h"
#include "tests/sample.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace warplens::test::list_tests {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Boards, KeysAreUniqueAndEveryBoardHasALabelAndATooltip) {
    std::set<std::string_view> keys, labels;
    for (const BoardInfo* board : all_boards()) {
        EXPECT_EQ(find_board(board->key), board) << board->key;
        EXPECT_EQ(board->key.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string_view::npos)
            << board->key << " stands in links and commands as it is";
        EXPECT_FALSE(board->tooltip.empty()) << board->key;
        EXPECT_TRUE(keys.insert(board->key).second) << board->key;
        EXPECT_TRUE(labels.insert(board->label).second) << board->label;
        State state = initial_state(all_scenarios().front(), 0);
        state.board = board;
        EXPECT_EQ(&board_of(state), board) << board->key;
        EXPECT_FALSE(lesson(lesson_key(state)).empty()) << board->key;
    }
    EXPECT_TRUE(first_board()->instructions) << "a window opens with the accesses";
}

TEST(Boards, KnobsAreNamedAfterTheirBoardAndStayInRange) {
    std::set<std::string_view> keys;
    for (const BoardInfo* board : all_boards()) {
        for (const BoardKnob* knob : board->knobs) {
            EXPECT_TRUE(knob->key.starts_with(std::string(board->key) + ".")) << knob->key;
            EXPECT_TRUE(keys.insert(knob->key).second) << knob->key;
            EXPECT_EQ(find_board_knob(knob->key), knob) << knob->key;
            EXPECT_FALSE(knob->label.empty() || knob->tooltip.empty()) << knob->key;
            EXPECT_LE(knob->min, knob->usual) << knob->key;
            EXPECT_LE(knob->usual, knob->max) << knob->key;
            EXPECT_GE(knob->step, 1) << knob->key;
            for (const int wanted : {knob->min - 7, knob->min, knob->max, knob->max + 7}) {
                BoardValues values;
                values.set(*knob, wanted);
                clamp_board(values);
                EXPECT_GE(values[*knob], knob->min) << knob->key;
                EXPECT_LE(values[*knob], board_limit(*knob, values)) << knob->key;
                reset_board(values, *board);
                EXPECT_EQ(values, BoardValues{}) << knob->key << ": what is at its usual value is not kept";
            }
        }
    }
    EXPECT_EQ(keys.size(), all_board_knobs().size());
}

TEST(Boards, AKnobWithASinglePossibleValueSaysWhy) {
    std::mt19937 random(seed(45));
    std::set<std::string_view> greyed;
    for (int round = 0; round < 300; ++round) {
        BoardValues values = random_subject(all_scenarios().front(), 1, random).boards;
        for (const BoardInfo* board : all_boards()) {
            for (const BoardKnob* knob : board->knobs) {
                if (knob->on_board || !has_one_value(*knob, values)) continue;
                greyed.insert(knob->key);
                EXPECT_FALSE(knob->idle.empty()) << knob->key;
            }
        }
    }
    EXPECT_TRUE(greyed.contains("program.prefetch"));
}

/// Each has a name, and a key that no other name has; what has a unit is a number, a range, or says in words
/// why not.
void expect_well_formed(const std::vector<Quantity>& numbers) {
    std::map<std::string, std::string> names;
    std::set<std::string> seen;
    for (const Quantity& number : numbers) {
        // Whether a number has changed is known by its name.
        EXPECT_TRUE(seen.insert(number.name).second) << number.name << " twice";
        EXPECT_FALSE(number.name.empty());
        EXPECT_FALSE(number.key.empty()) << number.name;
        EXPECT_EQ(number.key.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"), std::string::npos)
            << number.key;
        // "load in: sectors" and "store out: sectors" count the same of two instructions.
        const std::size_t colon = number.name.find(": ");
        const std::string name = colon == std::string::npos ? number.name : number.name.substr(colon + 2);
        EXPECT_EQ(names.try_emplace(number.key, name).first->second, name) << number.key;
        const bool range = number.text.find(" to ") != std::string::npos;
        EXPECT_TRUE(number.unit.empty() || range || number.amount ||
                    number.text.find_first_of("0123456789") != 0)
            << number.name;
    }
}

// A board that is empty for what is set leads to a setting for which it is not.
TEST(Boards, AnEmptyBoardLeadsToOneThatIsNot) {
    std::set<std::string_view> led;
    const auto example_of = [](const State& state) {
        const Evidence evidence = gather_evidence(state, all_devices());
        return words_of_board({state, all_devices(), evidence}, evidence).example;
    };
    for (const Scenario& scenario : all_scenarios())
        for (const char* key : {"traffic", "hazards", "flight"}) {
            State state = initial_state(scenario, find_device(all_devices(), kDefaultDevice).value());
            state.board = find_board(key);
            const auto example = example_of(state);
            if (!example) continue;
            led.insert(key);
            const State there = follow_link(std::string(example->link), state, all_devices()).state;
            EXPECT_EQ(there.board, state.board) << example->link;
            EXPECT_FALSE(example_of(there)) << example->link;
        }
    EXPECT_EQ(led.size(), 3u);
}

TEST(Boards, TheLadderSaysOfWhichMatrixItIs) {
    for (const int matrix : {1024, 4096}) {
        const State state = follow_link(fmt::format("matrix-ladder?board=ladder&matrix={}", matrix),
                                        initial_state(all_scenarios().front(), 0), all_devices())
                                .state;
        const Evidence evidence = gather_evidence(state, all_devices());
        EXPECT_THAT(explain_board({state, all_devices(), evidence}).headline,
                    HasSubstr(fmt::format("n = {}:", matrix)));
    }
}

// In a window of 1024 x 768 with three columns.
TEST(Boards, NamesAreNotCutInASmallWindow) {
    for (const char* link : {"?board=choose", "matrix-multiply?board=ladder&matrix=4096",
                             "matrix-multiply?board=hazards&hazards.barriers=1", "?board=occupancy"}) {
        const State state = follow_link(link, initial_state(all_scenarios().front(), 0), all_devices()).state;
        const Evidence evidence = gather_evidence(state, all_devices());
        int names = 0;
        for (const Shape& shape :
             draw_board({state, all_devices(), evidence}, style_of(ThemeName::light, {372, 620})).shapes) {
            const auto* label = std::get_if<Label>(&shape);
            if (label == nullptr) continue;
            // Half a number reads as another one.
            const bool fact = label->text.starts_with("●") || label->text.starts_with("▲");
            if (label->font != FontRole::strong && !fact) continue;
            ++names;
            EXPECT_FALSE(label->text.ends_with("…")) << link << ": " << label->text;
        }
        EXPECT_GT(names, 0) << link;
    }
}

TEST(Boards, EveryBoardWithAPictureDrawsCountsAndSpeaksForEveryScenario) {
    std::mt19937 random(seed(41));
    for (const Scenario& scenario : all_scenarios()) {
        State state = initial_state(scenario, random() % all_devices().size());
        const Evidence evidence = gather_evidence(state, all_devices());
        for (const BoardInfo* board : all_boards()) {
            if (!board->picture) continue;
            SCOPED_TRACE(fmt::format("{} of {}", board->key, scenario.info->id));
            state.board = board;
            const BoardInput input{state, all_devices(), evidence};
            EXPECT_FALSE(draw_board(input, style_of(ThemeName::light, {900, 600})).shapes.empty());
            EXPECT_FALSE(board_numbers(input).empty());
            expect_well_formed(board_numbers(input));
            EXPECT_FALSE(explain_board(input).verdict.empty());
            ASSERT_FALSE(board_caption(input).empty());
            for (const std::string& sentence : board_caption(input)) EXPECT_FALSE(sentence.empty());
        }
    }
}

/// The sentences of a text, without what ends them.
std::vector<std::string> sentences_of(const std::string& text) {
    std::vector<std::string> all;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find(". ", from), text.size());
        std::string one = text.substr(from, end - from);
        if (one.ends_with('.')) one.pop_back();
        all.push_back(one);
        from = end + 2;
    }
    return all;
}

/// "Why" is for the reason: the verdict stands beside it already. The back row gets one sentence.
void expect_no_repetition(const Explanation& words) {
    EXPECT_EQ(sentences_of(short_verdict(words)).size(), 1u) << words.verdict;
    EXPECT_EQ(word_out_of_use(words.verdict + " " + words.why), "");
    for (const std::string& sentence : sentences_of(words.why))
        EXPECT_THAT(words.verdict, Not(HasSubstr(sentence)));
    for (const std::string& sentence : sentences_of(words.verdict))
        EXPECT_THAT(words.why, Not(HasSubstr(sentence)));
}

TEST(Boards, WhyGivesAReasonAndNeverRepeatsTheVerdict) {
    for (const Scenario& scenario : all_scenarios()) {
        State state = initial_state(scenario, default_device());
        std::vector<Params> settings{state.params};
        for (const Preset& preset : scenario.info->presets)
            settings.push_back(preset_params(scenario, preset));
        for (const Params& params : settings) {
            state.params = params;
            const Evidence evidence = gather_evidence(state, all_devices());
            for (const BoardInfo* board : all_boards()) {
                if (!board->about_scenario) continue;
                SCOPED_TRACE(fmt::format("{} of {}, {}", board->key, scenario.info->id,
                                         describe_settings(scenario, params)));
                state.board = board;
                const Explanation words = explain_board({state, all_devices(), evidence});
                expect_no_repetition(words);
                // Each instruction of a kernel gives its own reason.
                if (!board->instructions && evidence.report.does_not_fit.empty()) {
                    EXPECT_FALSE(words.why.empty()) << words.verdict;
                }
            }
        }
    }
}

TEST(Boards, WhyOfBoardsWithTheirOwnParametersNeverRepeatsTheVerdict) {
    std::mt19937 random(seed(43));
    for (std::size_t device : {default_device(), std::size_t{0}}) {
        State state = initial_state(all_scenarios().front(), device);
        const Evidence evidence = gather_evidence(state, all_devices());
        for (const BoardInfo* board : all_boards()) {
            if (board->about_scenario || !board->picture) continue;
            state.board = board;
            for (int round = 0; round < 60; ++round) {
                SCOPED_TRACE(link_to(state, all_devices()));
                expect_no_repetition(explain_board({state, all_devices(), evidence}));
                state.boards = random_subject(*state.scenario, 1, random).boards;
            }
        }
    }
}

TEST(Boards, LinksLeadBackToTheBoardAndToWhatIsSetThere) {
    std::mt19937 random(seed(42));
    for (const BoardInfo* board : all_boards()) {
        for (int round = 0; round < 20; ++round) {
            State state = initial_state(all_scenarios().front(), 0);
            state.board = board;
            state.boards = random_subject(*state.scenario, 1, random).boards;
            const State start = initial_state(all_scenarios().back(), 1);
            const State there = follow_link(link_to(state, all_devices()), start, all_devices()).state;
            EXPECT_EQ(there.board, board) << link_to(state, all_devices());
            EXPECT_EQ(there.boards, state.boards) << link_to(state, all_devices());
        }
    }
}

}  // namespace
}  // namespace warplens::test::list_tests
