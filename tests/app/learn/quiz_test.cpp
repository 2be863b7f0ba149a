// Laws of the quiz: a seed means the same questions everywhere, and each right answer is the report's.
#include "app/learn/quiz.h"
#include "app/base/errors.h"
#include "app/boards/list.h"
#include "app/experiment/devices.h"
#include "app/learn/predict.h"
#include "app/model/access/counts.h"
#include "tests/sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace warplens::test::quiz_tests {

namespace {

std::size_t device() { return find_device(device_table(), kDefaultDevice).value(); }
Quiz quiz(std::uint32_t seed, int count = 10, std::optional<Space> space = {}) {
    return make_quiz(seed, count, {space, {}}, device(), device_table());
}

const std::vector<Question>& many() {
    static const std::vector<Question> questions = [] {
        std::vector<Question> all;
        for (std::uint32_t seed = 0; seed < 20; ++seed) {
            for (Question& question : quiz(seed, 12).questions) all.push_back(std::move(question));
        }
        return all;
    }();
    return questions;
}

Report report(const State& state) { return analyze(*state.scenario, state.params, device_table()[device()]); }

const InstructionReport& row(const Report& all, const Question& question) {
    return all.instructions.at(static_cast<std::size_t>(question.instruction));
}

}  // namespace

TEST(Quiz, TheSameSeedGivesTheSameQuestions) {
    const Quiz first = quiz(2026), second = quiz(2026), other = quiz(2027);
    EXPECT_EQ(quiz_csv(first, {}, true), quiz_csv(second, {}, true));
    EXPECT_NE(quiz_csv(first, {}, true), quiz_csv(other, {}, true));
}

/// More questions of a seed begin with those of fewer.
TEST(Quiz, ALongerOneBeginsLikeAShorterOne) {
    const std::string few = quiz_csv(quiz(5, 4), {}, true), more = quiz_csv(quiz(5, 9), {}, true);
    EXPECT_EQ(more.substr(0, few.size()), few);
}

/// Written down once, so that another compiler or library that draws differently is noticed.
TEST(Quiz, IsMadeQuestionByQuestion) {
    auto making = quiz_in_steps(3, 10, {}, device(), device_table());
    int steps = 1;
    double far = 0;
    for (; making.step(); ++steps) {
        EXPECT_GE(making.how_far(), far);
        far = making.how_far();
    }
    EXPECT_GE(steps, 10);
    EXPECT_EQ(quiz_csv(making.take(), {}, true),
              quiz_csv(make_quiz(3, 10, {}, device(), device_table()), {}, true));
}

TEST(Quiz, TheQuestionsOfASeedDoNotDependOnThePlatform) {
    std::string drawn;
    for (const Question& question : quiz(2026, 5).questions)
        drawn += std::string(question.settings.front().scenario->info->id) + " " + question.settings_text() +
                 " -> " + question.right + "\n";
    EXPECT_EQ(
        drawn,
        "constant-lookup words=6,pattern=interleaved,mask=0xff -> 6\n"
        "transpose variant=swizzled,tile=8 -> 4\n"
        "shared-matrix-load width=32 -> 16\n"
        "latency-hiding defaults -> 5\n"
        "atomic-histogram A: memory=warp,data=one,update=sum | B: memory=global,data=one,update=sum -> A\n");
}

TEST(Quiz, EveryCountIsTheReports) {
    int counted = 0;
    for (const Question& question : many()) {
        if (question.kind != QuestionKind::count) continue;
        ++counted;
        const Report all = report(question.settings.front());
        const InstructionReport& asked = row(all, question);
        const CostWords cost = cost_of(asked.instruction.space, all.sector_rules);
        EXPECT_EQ(question.right, std::to_string(cost.cost(asked.warp))) << question.situation;
        EXPECT_EQ(question.right_kind, Provenance::exact);
        EXPECT_TRUE(question.choices.empty());
    }
    EXPECT_GT(counted, 100);
}

TEST(Quiz, EveryShareIsTheReportsAndOneOfFour) {
    int counted = 0;
    for (const Question& question : many()) {
        if (question.kind != QuestionKind::share) continue;
        ++counted;
        const Report all = report(question.settings.front());
        const Totals& warp = row(all, question).warp;
        const double share = 100.0 * double(warp.bytes_used) / double(warp.bytes_moved);
        ASSERT_EQ(question.choices.size(), 4u);
        int right = 0;
        for (const std::string& choice : question.choices) {
            const double value = parse_guess(choice).value();
            right += std::abs(value - share) < 0.01 * share ? 1 : 0;
            EXPECT_EQ(is_right(question, choice), choice == question.right) << choice;
        }
        EXPECT_EQ(right, 1) << question.situation;
    }
    EXPECT_GT(counted, 10);
}

TEST(Quiz, EveryComparisonIsTheReportsAndClear) {
    int fewer = 0, faster = 0;
    for (const Question& question : many()) {
        if (question.settings.size() != 2) continue;
        const std::size_t wins = question.right == "A" ? 0 : 1;
        const State &winner = question.settings[wins], &loser = question.settings[1 - wins];
        const Report best = report(winner), worst = report(loser);
        if (question.kind == QuestionKind::fewer) {
            ++fewer;
            EXPECT_LT(row(best, question).warp.lines, row(worst, question).warp.lines) << question.situation;
        } else {
            ++faster;
            ASSERT_EQ(question.kind, QuestionKind::faster);
            EXPECT_NE(question.text.find("recorded on an NVIDIA H200"), std::string::npos) << question.text;
            EXPECT_NE(why_right(question, device_table()).find("Recorded on an NVIDIA H200: A "),
                      std::string::npos);
            EXPECT_EQ(question.right_kind, Provenance::recorded);
        }
        int differ = 0;
        for (const Knob& knob : winner.scenario->info->knobs)
            differ += winner.params.*knob.field != loser.params.*knob.field ? 1 : 0;
        EXPECT_GE(differ, 1);
        EXPECT_EQ(question.choices, (std::vector<std::string>{"A", "B"}));
    }
    EXPECT_GT(fewer, 5);
    EXPECT_GT(faster, 5);
}

/// A sheet on which most answers are 1 asks for nothing.
void expect_few_trivial(std::uint32_t seed, int count, std::optional<Space> space) {
    int trivial = 0, asked = 0;
    for (const Question& question : quiz(seed, count, space).questions) {
        trivial += question.right == "1" || question.right == "100 %" ? 1 : 0;
        ASSERT_LE(100 * trivial, 15 * ++asked) << "seed " << seed << ", question " << asked;
    }
}

TEST(Quiz, FewAnswersAreTrivial) {
    const std::uint32_t seeds = all_cases() ? 1000 : 200;
    for (std::uint32_t seed = 0; seed < seeds; ++seed) expect_few_trivial(seed * 7919, 40, {});
    for (const Space space : quiz_spaces())
        for (std::uint32_t seed = 0; seed < 20; ++seed) expect_few_trivial(seed, kMostQuestions, space);
}

TEST(Quiz, QuestionsDoNotRepeatAndGoRoundTheScenarios) {
    for (const std::uint32_t seed : {1u, 7u, 99u}) {
        std::set<std::string> texts, scenarios;
        for (const Question& question : quiz(seed, 12).questions) {
            EXPECT_TRUE(texts.insert(question.situation + question.text).second) << question.situation;
            scenarios.insert(std::string(question.settings.front().scenario->info->id));
        }
        EXPECT_GE(scenarios.size(), 7u);
    }
}

// Copies, and memory of the host, are not about how lanes access an array alone.
TEST(Quiz, ASheetAboutOneScenarioDoesNotRepeatItself) {
    for (const char* id : {"async-copy", "host-memory", "atomic-histogram"}) {
        int ways = 0;
        for (std::uint32_t seed = 1; seed <= 5; ++seed) {
            std::set<std::string> texts;
            const State here = initial_state(*find_scenario(id), device());
            for (const Question& question :
                 make_quiz(seed, 10, {{}, here}, device(), device_table()).questions) {
                EXPECT_TRUE(texts.insert(question.situation + question.text).second) << question.situation;
                ways += question.kind == QuestionKind::faster;
            }
        }
        EXPECT_GE(ways, 3) << id;
    }
}

// What is asked is one short sentence; the rule of the memory stands apart from it.
TEST(Quiz, BeginsWithWhatIsReadSoonest) {
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        const std::vector<Question> questions = quiz(seed, 8).questions;
        const auto length = [&](std::size_t i) {
            return questions[i].situation.size() + questions[i].rule.size();
        };
        EXPECT_LE(length(0), length(1)) << seed;
        EXPECT_LE(length(1), length(2)) << seed;
        for (const Question& question : questions) {
            EXPECT_EQ(question.text.back(), '?') << question.text;
            EXPECT_LE(question.text.size(), 120u) << question.text;
        }
    }
}

TEST(Quiz, KeepsToOneMemory) {
    for (const Space space : quiz_spaces()) {
        for (const Question& question : quiz(3, 8, space).questions) {
            const Report all = report(question.settings.front());
            EXPECT_EQ(row(all, question).instruction.space, space) << question.situation;
        }
    }
    EXPECT_THROW(quiz(3, 8, Space::registers), UsageError);
}

TEST(Quiz, ManyQuestionsOfASmallMemoryComeToAnEnd) {
    EXPECT_EQ(quiz(1, kMostQuestions, Space::texture).questions.size(),
              static_cast<std::size_t>(kMostQuestions));
}

TEST(Quiz, EveryAnswerHasAReason) {
    for (const Question& question : quiz(8, 12).questions) {
        const std::string why = why_right(question, device_table());
        EXPECT_GT(why.size(), 20u) << question.text;
        EXPECT_EQ(why.find("\nB: ") != std::string::npos, question.settings.size() == 2);
    }
}

TEST(Quiz, AnswersAreReadAsPeopleTypeThem) {
    Question number;
    number.right = "1024";
    EXPECT_TRUE(is_right(number, " 1 024 "));
    EXPECT_FALSE(is_right(number, "1025"));
    EXPECT_FALSE(is_right(number, ""));
    Question choice;
    choice.right = "A";
    EXPECT_TRUE(is_right(choice, "a"));
    EXPECT_FALSE(is_right(choice, "b"));
    Question share;
    share.right = "12.5 %";
    EXPECT_TRUE(is_right(share, "12.5"));
    EXPECT_TRUE(is_right(share, "12,5 %"));
}

// Occupancy, scope and lifetime, latencies, hazards: all occur, and what can be computed in another way is
// right.
TEST(Quiz, EveryFourthIsAboutTheMachine) {
    std::map<std::string_view, int> boards;
    std::set<std::string> hazards;
    for (const Question& question : many()) {
        if (question.kind != QuestionKind::machine) continue;
        const State& state = question.settings.front();
        ++boards[state.board->key];
        EXPECT_GT(why_right(question, device_table()).size(), 20u) << question.situation;
        EXPECT_TRUE(is_right(question, question.right));
        if (!question.choices.empty()) {
            EXPECT_EQ(std::ranges::count(question.choices, question.right), 1) << question.situation;
            EXPECT_GE(question.choices.size(), 2u);
            EXPECT_LE(question.choices.size(), 4u);
        }
        if (state.board->key == "hazards") {
            EXPECT_NE(question.code.find("// left out"), std::string::npos);
            hazards.insert(question.right);
        }
        if (state.board->key != "occupancy") continue;
        const Evidence evidence = gather_evidence(state, device_table());
        const std::vector<Quantity> shown = board_numbers({state, device_table(), evidence});
        EXPECT_EQ(question.right, std::ranges::find(shown, "blocks per SM", &Quantity::name)->text)
            << question.situation;
    }
    EXPECT_GE(boards["occupancy"], 5);
    EXPECT_GE(boards["spaces"], 10);
    EXPECT_GE(boards["hazards"], 5);
    EXPECT_GE(hazards.size(), 2u);
    const auto of = [](std::size_t i) { return quiz(11, 12).questions[i].kind == QuestionKind::machine; };
    for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(of(i), i % 4 == 3) << i;
}

TEST(Quiz, TheTableHasItsColumns) {
    const Quiz three = quiz(2026, 3);
    const std::string csv = quiz_csv(three, {three.questions[0].right, "nonsense"}, true);
    EXPECT_EQ(csv.substr(0, csv.find('\n')),
              "seed,number,scenario,settings,question,answer,right_answer,correct,points");
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 4);
    EXPECT_NE(csv.find("," + three.questions[0].right + "," + three.questions[0].right + ",yes,1\n"),
              std::string::npos)
        << csv;
    EXPECT_NE(csv.find(",nonsense,"), std::string::npos);
    EXPECT_NE(csv.find(",no,0\n"), std::string::npos);
    EXPECT_TRUE(csv.ends_with(",,\n")) << "the third was not answered";
    EXPECT_EQ(quiz_csv(three, {}, false).find(",yes,"), std::string::npos);
}

}  // namespace warplens::test::quiz_tests
