// A kernel that is typed into the window: pictures follow, mistakes leave the last good one, nothing is lost.
#include "app/base/assets.h"
#include "app/base/process.h"
#include "app/window/apply_parts.h"
#include "tests/app/window/headless_fixture.h"
#include "tests/with_folder.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace warplens::test::typing_tests {
namespace {

namespace fs = std::filesystem;
using action::Do;
using testing::ElementsAre;
using testing::HasSubstr;

class TypingTest : public HeadlessFixture, protected WithFolder {
protected:
    void frames_until_understood() {
        frame();
        frames_until([this] { return !session().typing.reading(); });
        frame();
    }
    void new_kernel() {
        act(Do::new_kernel);
        frames_until_understood();
    }
    void type_text(const std::string& text) {
        act(action::TypeKernel{text});
        frames_until_understood();
    }
    std::vector<std::string> kept_texts() {
        std::vector<std::string> texts;
        for (const SavedKernel& one : session().saved().kernels) texts.push_back(one.text);
        return texts;
    }
    const Scenario& scenario() { return *session().state().scenario; }
    std::string text() { return session().typing.text(); }
    static std::string with(std::string text, const std::string& from, const std::string& to) {
        const std::size_t at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        return text.replace(at, from.size(), to);
    }
};

TEST_F(TypingTest, ANewKernelHasPicturesAndItsText) {
    new_kernel();
    ASSERT_NE(scenario().typed, nullptr);
    EXPECT_EQ(scenario().typed->text(), asset("assets/typed/own-stride.cu"));
    EXPECT_TRUE(view().editing);
    fresh_items();
    EXPECT_EQ(ui::items().count("editor.text"), 1u);
    EXPECT_EQ(ui::items().count("knob.stride"), 1u);
    EXPECT_EQ(ui::items().count("editor.problem"), 0u);
}

TEST_F(TypingTest, AMistakeIsSaidAndTheLastPictureStays) {
    new_kernel();
    const Scenario* before = &scenario();
    type_text(with(text(), "in[i * stride]", "in[i * cudaMalloc]"));
    EXPECT_EQ(&scenario(), before);
    ASSERT_TRUE(session().typing.problem());
    EXPECT_EQ(session().typing.problem()->line, 9);
    EXPECT_THAT(session().typing.problem()->sentence, HasSubstr("cudaMalloc"));
    fresh_items();
    EXPECT_EQ(ui::items().count("editor.problem"), 1u);
    EXPECT_EQ(ui::items().count("last_good"), 1u);
    type_text(with(text(), "cudaMalloc", "stride + 1"));
    EXPECT_FALSE(session().typing.problem());
    EXPECT_NE(&scenario(), before);
}

TEST_F(TypingTest, KnobsThatWereTurnedStayTurned) {
    new_kernel();
    State turned = session().state();
    turned.params = with_knob(scenario(), turned.params, *find_knob(scenario(), "stride"), 7);
    act(action::Change{turned});
    type_text(with(text(), "// in float", "// knob extra = 3 in 0..9\n// in float"));
    ASSERT_NE(find_knob(scenario(), "extra"), nullptr);
    EXPECT_EQ(session().state().params.*find_knob(scenario(), "stride")->field, 7);
    EXPECT_EQ(session().state().params.*find_knob(scenario(), "extra")->field, 3);
    // What the text says counts where nobody turned the knob.
    type_text(with(text(), "extra = 3", "extra = 5"));
    EXPECT_EQ(session().state().params.*find_knob(scenario(), "extra")->field, 5);
}

TEST_F(TypingTest, UndoBringsTheTextBack) {
    new_kernel();
    const std::string first = text();
    type_text(with(first, "i * stride", "stride * i"));
    const std::string second = text();
    act(Do::undo);
    frame();
    EXPECT_EQ(text(), first);
    EXPECT_EQ(scenario().typed->text(), first);
    act(Do::redo);
    frame();
    EXPECT_EQ(text(), second);
}

TEST_F(TypingTest, TypedLettersArriveAndEnterKeepsTheIndent) {
    new_kernel();
    frame();
    frame();
    type("//");  // at the begin of the first line
    frames_until_understood();
    EXPECT_TRUE(text().starts_with("//// Lesson")) << text().substr(0, 30);
}

TEST_F(TypingTest, WhatIsAssumedStandsAboveThePictureAndIsNotExact) {
    new_kernel();
    fresh_items();
    EXPECT_FALSE(shows("assumed"));
    type_text("// launch grid=4 block=64\n__global__ void k(float* c) { c[threadIdx.x] = q[threadIdx.x]; }");
    fresh_items();
    EXPECT_TRUE(shows("assumed"));
    EXPECT_FALSE(view().more_knobs);
    click("assumed");
    EXPECT_TRUE(view().more_knobs) << "which are all that can be assumed and set";
    const Report& report = session().frame().evidence->report;
    ASSERT_EQ(report.warnings.size(), 1u);
    EXPECT_THAT(report.warnings[0], HasSubstr("'q' is not in this text"));
    EXPECT_EQ(report.kind, Provenance::approximate) << "how wide its elements are is a guess";
}

TEST_F(TypingTest, BesideAnErrorThePictureSaysThatItIsOfAnEarlierText) {
    new_kernel();
    fresh_items();
    EXPECT_FALSE(shows("last_good"));
    type_text("__global__ void broken(");
    fresh_items();
    ASSERT_TRUE(session().typing.problem());
    EXPECT_TRUE(shows("last_good"));
}

TEST_F(TypingTest, EscapeLeavesTheTextAsItWasTyped) {
    new_kernel();
    frame();
    frame();
    type("//");
    frames_until_understood();
    const std::string typed = text();
    ASSERT_TRUE(typed.starts_with("//// "));
    press(GLFW_KEY_ESCAPE);
    frames_until_understood();
    EXPECT_EQ(text(), typed);
    EXPECT_EQ(scenario().typed->text(), typed);
}

TEST_F(TypingTest, AKernelOfAScenarioIsTheBegin) {
    go("vector-add");
    act(Do::edit_kernel);
    frames_until_understood();
    ASSERT_NE(scenario().typed, nullptr) << session().messages().last().text;
    EXPECT_THAT(text(), HasSubstr("// let n = 1000000\n"));
    EXPECT_THAT(text(), HasSubstr("__global__ void add("));
    EXPECT_EQ(scenario().info->title, "vector-add.cu");
    go("shared-matrix-load");
    EXPECT_FALSE(view().editing);
    act(Do::edit_kernel);
    frames_until_understood();
    EXPECT_EQ(scenario().typed, nullptr) << "not in the subset: the pictures stay";
    ASSERT_TRUE(session().typing.problem());
    EXPECT_TRUE(view().editing);
}

TEST_F(TypingTest, AFileIsOpenedAndSaved) {
    const std::string path = (folder_ / "mine.cu").string();
    std::ofstream(path) << asset("assets/typed/ragged-copy.cu");
    act(action::OpenFile{path});
    frame();
    frames_until([this] { return session().files.shelf.reading().empty() && session().typing.is_open(); });
    frames_until_understood();
    EXPECT_EQ(scenario().info->title, "mine.cu");
    type_text(text() + "// the end\n");
    act(Do::save_kernel);
    EXPECT_TRUE(contents_of(path).ends_with("// the end\n"));
    EXPECT_THAT(session().messages().last().text, HasSubstr("saved '"));
    // A new one gets a file of its own.
    session().view.figure.folder = folder_.string();
    new_kernel();
    act(Do::save_kernel);
    EXPECT_TRUE(fs::exists(folder_ / "kernel.cu"));
    new_kernel();
    act(Do::save_kernel);
    EXPECT_TRUE(fs::exists(folder_ / "kernel-2.cu"));
}

TEST_F(TypingTest, AFileWithAMistakeIsOpenedAllTheSame) {
    const std::string path = (folder_ / "wrong.cu").string();
    std::ofstream(path) << "__global__ void k(float* a) { a[0] = cudaMalloc(1); }";
    act(action::OpenFile{path});
    frame();
    frames_until([this] { return session().files.shelf.reading().empty() && session().typing.is_open(); });
    frames_until_understood();
    EXPECT_EQ(scenario().typed, nullptr);
    EXPECT_TRUE(view().editing);
    ASSERT_TRUE(session().typing.problem());
    EXPECT_THAT(session().typing.problem()->sentence, HasSubstr("cudaMalloc"));
}

TEST_F(TypingTest, AnUnfinishedTextIsThereTheNextTime) {
    new_kernel();
    EXPECT_TRUE(session().saved().kernels.empty()) << "it comes with the program";
    const std::string unfinished = with(text(), "stride];", "stride");
    type_text(unfinished);
    ASSERT_TRUE(session().typing.problem());
    const SavedState kept = read_state(write_state(session().saved()));
    ASSERT_EQ(kept.kernels.size(), 1u);
    EXPECT_EQ(kept.kernels[0].text, unfinished);
    EXPECT_TRUE(kept.draft);
    new_kernel();
    session().restore(kept, false);
    EXPECT_NE(text(), unfinished) << "the command line names a place";
    EXPECT_THAT(kept_texts(), ElementsAre(unfinished));
    session().restore(kept, true);
    frames_until_understood();
    EXPECT_EQ(text(), unfinished);
    EXPECT_TRUE(view().editing);
    EXPECT_TRUE(session().typing.problem());
}

TEST_F(TypingTest, ADraftOfAnOwnKernelIsThereTheNextTimeWithItsLastGoodPicture) {
    new_kernel();
    const std::string good = with(text(), "own_stride", "mine");
    type_text(good);
    const std::string draft = with(text(), "stride];", "stride");
    type_text(draft);
    const SavedState kept = read_state(write_state(session().saved()));
    for (int run = 0; run < 2; ++run) {
        open(1280, 800);
        session().restore(kept, true);
        frames_until_understood();
        EXPECT_EQ(text(), draft);
        EXPECT_TRUE(session().typing.problem());
        ASSERT_NE(scenario().typed, nullptr);
        EXPECT_EQ(scenario().typed->text(), good);
        EXPECT_THAT(kept_texts(), ElementsAre(draft)) << "the earlier text is no kernel beside it";
        EXPECT_EQ(write_state(session().saved()), write_state(kept));
    }
}

TEST_F(TypingTest, ADraftIsLeftByChoosingSomethingElse) {
    new_kernel();
    for (const char* other : {"vector-add", "transpose", "transpose"}) {
        act(Do::my_kernel);
        frames_until_understood();
        type_text("__global__ void broken(");
        ASSERT_TRUE(session().typing.problem());
        go(other);  // also what is dimmed behind the draft
        frames_until_understood();
        EXPECT_FALSE(view().editing);
        EXPECT_FALSE(session().typing.is_draft());
        EXPECT_EQ(scenario().info->id, other);
        EXPECT_THAT(kept_texts(), ElementsAre("__global__ void broken("));
        fresh_items();
        EXPECT_FALSE(shows("last_good"));
    }
}

TEST_F(TypingTest, TheEditorsPlaceIsClosedWithIt) {
    new_kernel();
    EXPECT_TRUE(view().reading);
    go("shared-tile");
    EXPECT_FALSE(view().reading) << "the editor opened it";
    act(action::Read{true, true});
    new_kernel();
    go("transpose");
    EXPECT_TRUE(view().reading) << "the person opened it";
}

// Before 0.2.0 the state had only this.
TEST_F(TypingTest, AnUnfinishedTextOfAnOlderStateIsThere) {
    session().restore(read_state(R"({"format": "warplens state", "version": 1, "unsaved_kernel": "__glob"})"),
                      true);
    frames_until_understood();
    EXPECT_EQ(text(), "__glob");
    EXPECT_TRUE(view().editing);
}

// Documents: kernels of one's own, which another kernel does not replace.

TEST_F(TypingTest, OwnKernelsStayWhenAnotherOneIsBegun) {
    new_kernel();
    const std::string first = with(text(), "own_stride", "first_one");
    type_text(first);
    State turned = session().state();
    turned.params = with_knob(scenario(), turned.params, *find_knob(scenario(), "stride"), 9);
    act(action::Change{turned});
    frame();
    new_kernel();
    EXPECT_NE(text(), first);
    const std::string second = with(text(), "own_stride", "second_one");
    type_text(second);
    EXPECT_THAT(kept_texts(), ElementsAre(second, first));
    act(action::OpenDocument{1});
    frames_until_understood();
    EXPECT_EQ(text(), first);
    EXPECT_EQ(scenario().info->title, "first_one");
    EXPECT_EQ(session().state().params.*find_knob(scenario(), "stride")->field, 9);
    EXPECT_THAT(kept_texts(), ElementsAre(first, second));
    go("vector-add");
    act(Do::my_kernel);
    frames_until_understood();
    EXPECT_EQ(text(), first);
    act(Do::undo);  // the steps of a person, from kernel to kernel
    act(Do::undo);
    act(Do::undo);
    frame();
    EXPECT_EQ(text(), second);
    EXPECT_THAT(kept_texts(), ElementsAre(second, first)) << "none is there twice";
}

TEST_F(TypingTest, KernelsAreThereTheNextTimeAsTheyWereSet) {
    new_kernel();
    type_text(with(text(), "own_stride", "mine"));
    State turned = session().state();
    turned.params = with_knob(scenario(), turned.params, *find_knob(scenario(), "stride"), 9);
    act(action::Change{turned});
    frame();
    new_kernel();
    go("vector-add");
    const SavedState kept = read_state(write_state(session().saved()));
    ASSERT_EQ(kept.kernels.size(), 1u);
    EXPECT_EQ(kept.kernels[0].title, "mine");
    open(1280, 800);
    session().restore(kept, true);
    frame();
    EXPECT_EQ(scenario().info->id, "vector-add");
    ASSERT_EQ(session().typing.documents().size(), 1u);
    act(Do::my_kernel);
    frames_until_understood();
    EXPECT_EQ(scenario().info->title, "mine");
    EXPECT_EQ(session().state().params.*find_knob(scenario(), "stride")->field, 9);
    EXPECT_EQ(read_state(write_state(session().saved())).kernels, kept.kernels);
}

TEST_F(TypingTest, ADraftStaysWhileAnotherScenarioIsLookedAt) {
    new_kernel();
    type_text(with(text(), "own_stride", "mine"));
    const Scenario& good = scenario();
    const std::string draft = with(text(), "stride];", "stride");
    type_text(draft);
    go("vector-add");
    act(action::GoTo{&good});
    frames_until_understood();
    EXPECT_EQ(text(), draft);
    EXPECT_TRUE(session().typing.problem());
    EXPECT_EQ(&scenario(), &good);
}

TEST_F(TypingTest, AnEmptiedKernelLeavesTheList) {
    new_kernel();
    type_text(with(text(), "own_stride", "mine"));
    type_text(" \n");
    EXPECT_TRUE(kept_texts().empty());
    new_kernel();
    EXPECT_EQ(session().typing.documents().size(), 1u);
}

TEST_F(TypingTest, AFileThatIsOpenedAgainIsReadAgainUnlessItWasChangedHere) {
    const std::string path = (folder_ / "mine.cu").string();
    const std::string text_there(asset("assets/typed/ragged-copy.cu"));
    session().typing.open(text_there, "mine.cu", path, 0);
    session().typing.open(text_there + "// 2\n", "mine.cu", path, 0);
    EXPECT_THAT(kept_texts(), ElementsAre(text_there + "// 2\n"));
    session().typing.type(text_there + "// 3\n", 0);
    session().typing.open(text_there + "// 4\n", "mine.cu", path, 0);
    EXPECT_THAT(kept_texts(), ElementsAre(text_there + "// 4\n", text_there + "// 3\n"));
    EXPECT_EQ(session().typing.documents()[1].path, "") << "only one is written into the file";
    // So it is in the next run.
    const SavedState kept = read_state(write_state(session().saved()));
    open(1280, 800);
    session().restore(kept, true);
    session().typing.open(text_there + "// 5\n", "mine.cu", path, 0);
    EXPECT_THAT(kept_texts(), ElementsAre(text_there + "// 5\n", text_there + "// 3\n"));
}

TEST_F(TypingTest, WordsAreUndoneInTheText) {
    new_kernel();
    frame();
    frame();
    const std::string before = text();
    for (const char letter : std::string("ab cd")) type({letter});
    frames_until_understood();
    ASSERT_EQ(text(), "ab cd" + before);
    press(GLFW_KEY_Z, GLFW_MOD_CONTROL);
    frame();
    EXPECT_EQ(text(), "ab " + before);
    press(GLFW_KEY_Z, GLFW_MOD_CONTROL);
    frame();
    EXPECT_EQ(text(), before);
    press(GLFW_KEY_Y, GLFW_MOD_CONTROL);
    frame();
    EXPECT_EQ(text(), "ab " + before);
    type("x");
    frame();
    EXPECT_EQ(text(), "ab x" + before) << "the caret stands where the text was changed";
}

TEST_F(TypingTest, AFixOfTheTextIsTakenOverAndUndone) {
    new_kernel();
    const std::string columns = R"(// launch grid=1 block=(32, 32)
__global__ void columns(float* out) {
    __shared__ float t[32][32];
    t[threadIdx.y][threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = t[threadIdx.x][threadIdx.y];
}
)";
    type_text(columns);
    frames_until([this] { return session().frame().fixes != nullptr; });
    act(action::TakeFix{0});
    frames_until_understood();
    EXPECT_EQ(text(), with(columns, "t[32][32]", "t[32][33]"));
    EXPECT_EQ(scenario().typed->text(), text());
    ASSERT_TRUE(session().state().compared);
    EXPECT_EQ(session().state().compared->scenario->typed->text(), columns);
    EXPECT_EQ(session().frame().evidence->report.instructions.at(view().focus).warp.wavefronts, 1);
    act(Do::undo_typing);
    frames_until_understood();
    EXPECT_EQ(text(), columns);
}

// Blocks that gather do different things, so at first some stand for all.
TEST_F(TypingTest, CountsBecomeExactInTheBackground) {
    act(action::OpenKernel{
        "// launch grid=2048 block=64\n// index int[131072] permuted\n__global__ void gather(const int* index, "
        "const float* in, // in float[131072]\nfloat* out) { // out float[131072]\n"
        "int i = blockIdx.x * 64 + threadIdx.x; out[i] = in[index[i]]; }",
        "gather.cu"});
    frames_until_understood();
    ASSERT_NE(scenario().typed, nullptr);
    frames_until([this] { return session().frame().evidence->report.kind == Provenance::exact; });
    EXPECT_EQ(session().frame().evidence->report.instructions[0].grid.instructions, 4096);
}

}  // namespace
}  // namespace warplens::test::typing_tests
