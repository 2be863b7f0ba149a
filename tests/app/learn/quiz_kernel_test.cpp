// The quiz about a typed kernel: each right answer follows from the addresses of its lanes, counted here
// without the model, and nothing is asked that is trivial, twice there or not on the sheet.
#include "app/base/errors.h"
#include "app/experiment/devices.h"
#include "app/experiment/typed_kernel.h"
#include "app/learn/quiz.h"

#include "tests/app/typed/typed_examples.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

namespace warplens::test::quiz_kernel_tests {
namespace {

using testing::HasSubstr;

std::size_t device() { return find_device(device_table(), kDefaultDevice).value(); }

Quiz quiz_of(const std::string& text, std::uint32_t seed = 1, int count = kMostQuestions,
             std::optional<Space> space = {}) {
    return make_quiz(seed, count, {space, initial_state(open_kernel(text, "mine.cu"), 0)}, device(),
                     device_table());
}

std::string complaint(const std::string& text, std::optional<Space> space = {}) {
    try {
        quiz_of(text, 1, 5, space);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "(none)";
}

/// All kernels that the tests have, with what the launch needs to be counted.
const std::map<std::string, std::string>& kernels() {
    static const std::map<std::string, std::string> all = [] {
        std::map<std::string, std::string> some = shipped_kernels();
        for (const TypedExample& example : typed_examples()) some.emplace(example.name, example.text);
        return some;
    }();
    return all;
}

/// What the first warp accesses in a question's setting. Words of an array of its own lie lane by lane.
WarpAccess access_of(const Question& question, std::size_t setting = 0) {
    const State& state = question.settings.at(setting);
    WarpAccess access = state.scenario->warp(state.params, question.instruction, {0, 0}, 0, 0);
    if (state.scenario->instruction(state.params, question.instruction).space == Space::local)
        for (std::size_t i = 0; i < kWarpLanes; ++i)
            access.byte_address[i] = (access.byte_address[i] / 4 * 32 + i) * 4;
    return access;
}

Space space_of(const Question& question) {
    const State& state = question.settings.front();
    return state.scenario->instruction(state.params, question.instruction).space;
}

std::set<std::uint64_t> bytes_of(const WarpAccess& access) {
    std::set<std::uint64_t> bytes;
    for (std::size_t i = 0; i < kWarpLanes; ++i)
        for (int b = 0; (access.active >> i & 1u) != 0 && b < access.bytes_per_lane; ++b)
            bytes.insert(access.byte_address[i] + static_cast<std::uint64_t>(b));
    return bytes;
}

/// Sectors, or the wavefronts of 32 banks that serve 32, 16 or 8 lanes together.
long cost_of(Space space, const WarpAccess& access) {
    if (space != Space::shared) {
        std::set<std::uint64_t> sectors;
        for (const std::uint64_t byte : bytes_of(access)) sectors.insert(byte / 32);
        return static_cast<long>(sectors.size());
    }
    const std::size_t together =
        kWarpLanes / static_cast<std::size_t>(std::max(1, access.bytes_per_lane / 4));
    long total = 0;
    for (std::size_t group = 0; group < kWarpLanes; group += together) {
        std::map<std::uint64_t, std::set<std::uint64_t>> words;  // by bank
        for (std::size_t i = group; i < group + together; ++i)
            for (int b = 0; (access.active >> i & 1u) != 0 && b < access.bytes_per_lane; b += 4) {
                const std::uint64_t word = (access.byte_address[i] + static_cast<std::uint64_t>(b)) / 4;
                words[word % 32].insert(word);
            }
        std::size_t most = 0;
        for (const auto& [bank, wanted] : words) most = std::max(most, wanted.size());
        total += static_cast<long>(most);
    }
    return total;
}

std::string expected(const Question& question) {
    const Space space = space_of(question);
    const WarpAccess access = access_of(question);
    const long cost = cost_of(space, access);
    switch (question.kind) {
        case QuestionKind::excess:
            return std::to_string(cost - 1);
        case QuestionKind::change: {
            const long then = cost_of(space, access_of(question, 1));
            return then < cost ? "fewer" : then == cost ? "as many" : "more";
        }
        case QuestionKind::share: {
            const double share =
                100.0 * static_cast<double>(bytes_of(access).size()) / (32.0 * static_cast<double>(cost));
            const auto near = std::ranges::min_element(question.choices, {}, [&](const std::string& choice) {
                return std::abs(std::stod(choice) - share);
            });
            EXPECT_NEAR(std::stod(*near), share, 0.051);
            return *near;
        }
        default:
            return std::to_string(cost);
    }
}

TEST(KernelQuiz, EveryAnswerFollowsFromTheAddresses) {
    std::map<QuestionKind, int> kinds;
    std::map<std::string, int> answers;
    for (const auto& [name, text] : kernels()) {
        for (const std::uint32_t seed : {1u, 77u, 2026u}) {
            for (const Question& question : quiz_of(text, seed).questions) {
                SCOPED_TRACE(name + ": " + question.situation + " " + question.text);
                ++kinds[question.kind];
                EXPECT_EQ(question.right, expected(question));
                EXPECT_EQ(question.right_kind, Provenance::exact);
                if (question.kind == QuestionKind::change) ++answers[question.right];
            }
        }
    }
    for (const QuestionKind kind :
         {QuestionKind::count, QuestionKind::share, QuestionKind::excess, QuestionKind::change})
        EXPECT_GT(kinds[kind], 5) << static_cast<int>(kind);
    for (const char* answer : {"fewer", "as many", "more"}) EXPECT_GT(answers[answer], 2) << answer;
}

TEST(KernelQuiz, NothingIsTrivialOrTwiceThere) {
    for (const auto& [name, text] : kernels()) {
        std::set<std::string> asked;
        for (const Question& question : quiz_of(text).questions) {
            EXPECT_TRUE(asked.insert(question.situation + question.text).second) << question.situation;
            EXPECT_NE(question.right, "1") << name;
            EXPECT_NE(question.right, "100 %") << name;
            const bool chosen = !question.choices.empty();
            EXPECT_EQ(std::ranges::count(question.choices, question.right), chosen ? 1 : 0)
                << question.situation;
            const State& state = question.settings.front();
            EXPECT_EQ(state.scenario->typed->problem(state.params), "") << question.situation;
            EXPECT_THAT(why_right(question, device_table()), testing::Not(testing::IsEmpty()));
        }
        EXPECT_GT(asked.size(), 1u) << name;
    }
}

TEST(KernelQuiz, TheSameSeedGivesTheSameQuestionsAndALongerOneBeginsAlike) {
    const std::string text = shipped_kernels().at("own-stride");
    const std::string few = quiz_csv(quiz_of(text, 5, 4), {}, true),
                      more = quiz_csv(quiz_of(text, 5, 9), {}, true);
    EXPECT_EQ(more.substr(0, few.size()), few);
    EXPECT_EQ(quiz_csv(quiz_of(text, 5, 9), {}, true), more);
    EXPECT_NE(quiz_csv(quiz_of(text, 6, 9), {}, true), more);
}

/// A stride of 12 bytes: 32 lanes in 96 words, of which a third is used.
TEST(KernelQuiz, SaysAllThatMustBeKnown) {
    const std::string text =
        "// launch grid=4 block=64\n"
        "__global__ void k(const float* in,  // in [1024]\n"
        "                  float* out) {     // out [256]\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (threadIdx.x < 24) out[i] = in[3 * i];\n"
        "}\n";
    const Quiz quiz = quiz_of(text);
    EXPECT_THAT(quiz.code, HasSubstr("  5      if (threadIdx.x < 24) out[i] = in[3 * i];\n  6  }"));
    ASSERT_EQ(quiz.questions.size(), 3u) << "the share of the store is 100 %";
    std::map<std::string, std::string> right;
    for (const Question& question : quiz.questions) {
        right[question.text.substr(0, 40)] = question.right;
        EXPECT_EQ(question.code, "  5  if (threadIdx.x < 24) out[i] = in[3 * i];");
        EXPECT_THAT(question.situation, HasSubstr(", line 5, for the first time. Each lane "));
        EXPECT_THAT(question.situation, HasSubstr("s 4 bytes. Only lanes 0-23 take part."));
        EXPECT_THAT(question.asked(), HasSubstr("Arrays start at multiples of 256 bytes."));
    }
    EXPECT_EQ(right["How many sectors of 32 bytes does this l"], "9");
    EXPECT_EQ(right["How many sectors of 32 bytes does this s"], "3");
    EXPECT_EQ(right["Which share of the bytes that this load "], "33.3 %");
}

TEST(KernelQuiz, TellsWhatAParameterChanges) {
    int changes = 0;
    for (const Question& question : quiz_of(shipped_kernels().at("own-stride")).questions) {
        if (question.kind != QuestionKind::change) continue;
        ++changes;
        ASSERT_EQ(question.settings.size(), 2u);
        EXPECT_THAT(question.situation, HasSubstr(" A: stride=2. B: stride="));
        EXPECT_THAT(why_right(question, device_table()), HasSubstr("\nB: "));
        EXPECT_EQ(question.right, question.settings[1].params.own1 < 2 ? "fewer" : "more");
    }
    EXPECT_EQ(changes, 2) << "one for each answer";
}

/// Values of an array choose them, and those are not on the sheet.
TEST(KernelQuiz, PrintsTheAddressesThatAnIndexArrayChooses) {
    int gathered = 0;
    for (const Question& question : quiz_of(typed_example("gather").text).questions) {
        EXPECT_NE(question.kind, QuestionKind::change);
        const std::string before = "From a multiple of 256 bytes on they access the bytes ";
        const std::size_t at = question.situation.find(before);
        ASSERT_NE(at, std::string::npos) << question.situation;
        std::istringstream numbers(question.situation.substr(at + before.size()));
        std::set<long> sectors;
        for (long byte = 0; numbers >> byte; numbers.ignore(2)) sectors.insert(byte / 32);
        if (question.kind != QuestionKind::count || space_of(question) != Space::global) continue;
        ++gathered;
        EXPECT_EQ(question.right, std::to_string(sectors.size())) << question.situation;
    }
    EXPECT_GE(gathered, 2);
}

TEST(KernelQuiz, KeepsToOneMemoryAndToTheSettingOfTheQuiz) {
    const std::string text = shipped_kernels().at("padded-transpose");
    for (const Question& question : quiz_of(text, 3, 20, Space::shared).questions)
        EXPECT_EQ(space_of(question), Space::shared);
    const Scenario& kernel = open_kernel(shipped_kernels().at("own-stride"), "mine.cu");
    State state = initial_state(kernel, 0);
    state.params = with_knob(kernel, state.params, *find_knob(kernel, "n"), 300);
    const Quiz quiz = make_quiz(1, 20, {{}, state}, device(), device_table());
    EXPECT_TRUE(std::ranges::all_of(quiz.questions, [](const Question& question) {
        return question.settings[0].params.own0 == 300 || question.settings[0].params.own1 == 2;
    })) << "one parameter moves at a time";
}

TEST(KernelQuiz, AKernelThatHasNothingToAskAboutSaysSo) {
    EXPECT_EQ(
        complaint(
            "__global__ void k(float* a) {  // out [32]\n  a[0] = 1.0f;\n}\n// launch grid=1 block=32\n",
            Space::shared),
        "there is nothing to ask about mine.cu and shared memory: its first warp has no load or store that "
        "takes more than one sector, wavefront or request");
    EXPECT_EQ(complaint("// launch grid=1 block=64\n__global__ void k(float* a) {  // out [64]\n"
                        "  if (threadIdx.x >= 32) a[threadIdx.x] = 1.0f;\n}"),
              "there is nothing to ask about mine.cu: its first warp has no load or store that takes more "
              "than one sector, wavefront or request");
    const Scenario& kernel = open_kernel(
        "// knob n = 64 in 64..128\n// launch grid=1 block=n\n"
        "__global__ void k(float* a) {  // out [64]\n  a[threadIdx.x] = 1.0f;\n}",
        "mine.cu");
    State wrong = initial_state(kernel, 0);
    wrong.params = with_knob(kernel, wrong.params, *find_knob(kernel, "n"), 128);
    try {
        make_quiz(1, 5, {{}, wrong}, device(), device_table());
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(),
                    HasSubstr("there is nothing to ask about mine.cu as long as this is wrong: Line 4"));
    }
}

TEST(ScenarioQuiz, KeepsToOneScenario) {
    for (const Scenario& scenario : all_scenarios()) {
        const QuizAbout about{{}, initial_state(scenario, device())};
        if (!has_quiz(scenario)) {
            EXPECT_THROW(make_quiz(1, 5, about, device(), device_table()), UsageError) << scenario.info->id;
            continue;
        }
        for (std::uint32_t seed = 0; seed < 3; ++seed)
            for (const Question& question :
                 make_quiz(seed, kMostQuestions, about, device(), device_table()).questions)
                EXPECT_EQ(question.settings.front().scenario, &scenario);
    }
    const QuizAbout neither{Space::texture, initial_state(*find_scenario("transpose"), device())};
    try {
        make_quiz(1, 5, neither, device(), device_table());
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_STREQ(error.what(),
                     "there are no questions about texture memory in transpose: choose another memory");
    }
}

}  // namespace
}  // namespace warplens::test::quiz_kernel_tests
