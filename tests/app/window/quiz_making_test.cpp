// A quiz about a typed kernel is made beside the window, which goes on and can give it up.
#include "app/base/assets.h"
#include "app/experiment/typed_kernel.h"
#include "app/learn/learn_keys.h"
#include "tests/app/window/headless_fixture.h"

#include <fmt/format.h>

#include <thread>

namespace warplens::test::quiz_making_tests {
namespace {

using action::Do;

/// A quiz of it takes long enough to be seen in the making; where it does not, a test begins again.
std::string long_kernel() {
    return "// knob stride = 3 in 1..6\n"
           "// launch grid=1 block=256\n"
           "__global__ void walk(const float* in, float* out, int stride) {\n"
           "    // in [1048576]\n"
           "    // out [256]\n"
           "    float sum = 0;\n"
           "    for (int i = 0; i < 1500; ++i) sum += in[(i + threadIdx.x) * stride % 1048576];\n"
           "    out[blockIdx.x * 256 + threadIdx.x] = sum;\n"
           "}\n";
}

QuizKey key_about(const std::string& text) {
    return {.seed = 5,
            .count = 8,
            .about = {{}, initial_state(open_kernel(text, "mine.cu"), 0)},
            .device = find_device(device_table(), kDefaultDevice).value(),
            .table = std::make_shared<const Devices>(device_table())};
}

class QuizMakingTest : public HeadlessFixture {
protected:
    void SetUp() override {
        HeadlessFixture::SetUp();
        WindowOptions options = plain_options();
        options.wait = false;  // as in a real window
        shell_ = fresh(options);
        open_text(long_kernel());
    }
    void open_text(const std::string& text) {
        act(action::OpenKernel{text, "mine.cu"});
        frames_until([&] { return state().scenario->typed != nullptr && !session().typing.reading(); });
    }
    const Learning& learning() { return *session().frame().learning; }
    void begin() { apply(session(), action::StartQuiz{"5", 8, -1, {}, true}); }
    /// Begins a quiz, until a frame has shown that it is being made.
    void begin_and_see() {
        frames_until([this] {
            act(Do::leave_quiz);
            begin();
            fresh_items();
            return shows("quiz.making");
        });
    }
    void expect_given_up() {
        EXPECT_FALSE(learning().making_quiz());
        EXPECT_FALSE(session().learning.making_quiz());
        for (int i = 0; i < 3; ++i) frame();
        EXPECT_EQ(learning().quiz(), nullptr);
        EXPECT_FALSE(learning().has_card());
    }
};

}  // namespace

TEST(QuizMaking, MakesTheSameQuizBesideTheWindow) {
    const QuizKey key = key_about(std::string(asset("assets/typed/padded-transpose.cu")));
    EXPECT_EQ(key.kernel(), key.about.here->scenario);
    Store store(JobsRun::on_workers);
    while (is_pending(store.get(key))) std::this_thread::yield();
    const Quiz expected = make_quiz(key.seed, key.count, key.about, key.device, device_table());
    EXPECT_EQ(quiz_csv(*known_of(store.get(key)), {}, true), quiz_csv(expected, {}, true));
}

TEST(QuizMaking, AQuizThatIsGivenUpIsNoQuiz) {
    std::stop_source stop;
    stop.request_stop();
    const QuizKey key = key_about(long_kernel());
    EXPECT_TRUE(make_quiz(1, 8, key.about, key.device, device_table(), stop.get_token()).questions.empty());
    EXPECT_TRUE(make_quiz(1, 8, {}, key.device, device_table(), stop.get_token()).questions.empty());
}

TEST_F(QuizMakingTest, TheCardSaysThatItIsMadeUntilItIsThere) {
    begin_and_see();
    EXPECT_TRUE(shows("quiz.cancel"));
    EXPECT_FALSE(shows("quiz.leave"));
    EXPECT_EQ(session().frame().busy, "making the quiz");
    EXPECT_FALSE(session().frame().counts_hidden) << "nothing is asked yet";
    frames_until([this] { return learning().quiz() != nullptr; });
    EXPECT_FALSE(learning().making_quiz());
    fresh_items();
    EXPECT_FALSE(shows("quiz.making"));
    EXPECT_TRUE(shows("quiz.code"));
    EXPECT_TRUE(session().frame().counts_hidden);
    EXPECT_TRUE(session().frame().busy.empty());
}

TEST_F(QuizMakingTest, ItIsGivenUpByItsButtonAndByEscape) {
    frames_until([this] {  // unless it is there before the click
        begin_and_see();
        click("quiz.cancel");
        return !learning().making_quiz() && learning().quiz() == nullptr;
    });
    expect_given_up();
    begin();
    act(Do::leave);  // Esc
    expect_given_up();
    begin();
    act(Do::cancel_busy);
    expect_given_up();
}

TEST_F(QuizMakingTest, ItIsGivenUpWhenTheTextChanges) {
    begin();
    apply(session(), action::TypeKernel{long_kernel()});  // as it was
    EXPECT_TRUE(learning().making_quiz());
    act(action::TypeKernel{long_kernel() + "// "});
    expect_given_up();
    frames_until([this] { return !session().typing.reading(); });
    begin();
    act(action::OpenKernel{std::string(asset("assets/typed/own-stride.cu")), ""});
    expect_given_up();
    frames_until([this] { return !session().typing.reading(); });
    open_text(long_kernel());
    begin();
    act(action::FollowLink{"transpose"});
    expect_given_up();
}

TEST_F(QuizMakingTest, GoesOnInTheNextRunWhereItWasLeft) {
    const std::vector<action::StartQuiz> quizzes = {{"2026", 5},
                                                    {"7", 3, static_cast<int>(Space::shared)},
                                                    {"1", 1, -1, "figure-4.7"},
                                                    {"5", 2, -1, {}, true}};
    for (const action::StartQuiz& wanted : quizzes) {
        const auto ready = [this] { return learning().quiz() != nullptr; };
        open_text(std::string(asset("assets/typed/own-stride.cu")));
        act(wanted);
        frames_until(ready);
        act(action::Answer{learning().quiz()->question().right});
        act(Do::next_question);
        act(action::Answer{"no such answer"});
        const std::string asked = quiz_csv(learning().quiz()->quiz, learning().quiz()->answers, true);
        const std::string why = learning().quiz()->why;
        for (int run = 0; run < 2; ++run) {
            const SavedState kept = read_state(write_state(session().saved()));
            shell_ = fresh(plain_options());
            session().restore(kept, true);
            EXPECT_EQ(session().saved().quiz, kept.quiz) << "also while it is being made";
            frames_until(ready);
            const QuizRun& quiz = *learning().quiz();
            EXPECT_EQ(quiz_csv(quiz.quiz, quiz.answers, true), asked);
            EXPECT_EQ(quiz.at, 1u);
            EXPECT_EQ(quiz.score(), 1);
            EXPECT_EQ(quiz.why, why);
        }
        act(Do::leave_quiz);
        EXPECT_EQ(session().saved().quiz, SavedQuiz());
    }
}

TEST_F(QuizMakingTest, WhatWasOpenBeforeStaysUnlessThereIsAQuiz) {
    act(action::OpenCourse{courses().front().id});
    const Course* course = learning().course();
    ASSERT_NE(course, nullptr);
    open_text(long_kernel());
    begin_and_see();
    EXPECT_EQ(learning().course(), course);
    act(Do::leave_quiz);
    EXPECT_EQ(learning().course(), course);
    begin();
    act(action::OpenCourse{courses().back().id});
    EXPECT_FALSE(learning().making_quiz()) << "the course was chosen later";
    EXPECT_FALSE(session().learning.making_quiz());
    open_text(long_kernel());
    act(action::StartQuiz{"5", 8, static_cast<int>(Space::constant), {}, true});
    frames_until([this] { return !learning().making_quiz(); });
    EXPECT_EQ(learning().quiz(), nullptr);
    EXPECT_TRUE(session().messages().last().text.starts_with("there is nothing to ask about"))
        << session().messages().last().text;
    EXPECT_EQ(learning().course(), &courses().back());
    act(Do::leave_course);
    begin();
    frames_until([this] { return !learning().making_quiz(); });
    ASSERT_NE(learning().quiz(), nullptr);
    EXPECT_EQ(learning().quiz()->quiz.seed, 5u);
    frame();
    const Question& question = learning().quiz()->question();
    act(action::Answer{question.choices.empty() ? "1" : question.choices.front()});
    const int right = is_right(question, learning().quiz()->answers.front()) ? 1 : 0;
    act(Do::leave_quiz);
    EXPECT_EQ(session().messages().last().text, "quiz 5: " + std::to_string(right) + " of 1 answers right");
    act(action::StartQuiz{"7", 3});
    frames_until([this] { return !learning().making_quiz(); });
    EXPECT_EQ(learning().quiz()->quiz.questions.size(), 3u);
    EXPECT_EQ(learning().course(), nullptr);
}

}  // namespace warplens::test::quiz_making_tests
