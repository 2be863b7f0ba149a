// A kernel that is typed into the window: pictures follow, mistakes leave the last good one, nothing is lost.
#include "app/base/assets.h"
#include "app/window/apply_parts.h"
#include "tests/app/window/headless_fixture.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace warplens::test::typing_tests {
namespace {

namespace fs = std::filesystem;
using action::Do;
using testing::HasSubstr;

class TypingTest : public HeadlessFixture {
protected:
    void SetUp() override {
        fs::create_directories(folder_);
        HeadlessFixture::SetUp();
    }
    void TearDown() override {
        HeadlessFixture::TearDown();
        fs::remove_all(folder_);
    }
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
    const Scenario& scenario() { return *session().state().scenario; }
    std::string text() { return session().typing.text(); }
    static std::string with(std::string text, const std::string& from, const std::string& to) {
        const std::size_t at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        return text.replace(at, from.size(), to);
    }

    fs::path folder_ =
        fs::path(testing::TempDir()) /
        (std::string("warplens_typing_") + testing::UnitTest::GetInstance()->current_test_info()->name());
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
    std::ifstream saved(path);
    const std::string kept{std::istreambuf_iterator<char>(saved), {}};
    EXPECT_TRUE(kept.ends_with("// the end\n"));
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
    EXPECT_EQ(session().saved().unsaved_kernel, "") << "the link to the place has it";
    const std::string unfinished = with(text(), "stride];", "stride");
    type_text(unfinished);
    ASSERT_TRUE(session().typing.problem());
    const SavedState kept = read_state(write_state(session().saved()));
    EXPECT_EQ(kept.unsaved_kernel, unfinished);
    new_kernel();
    session().restore(kept, false);
    EXPECT_NE(text(), unfinished) << "the command line names a place";
    EXPECT_EQ(session().saved().unsaved_kernel, unfinished);
    session().restore(kept, true);
    frames_until_understood();
    EXPECT_EQ(text(), unfinished);
    EXPECT_TRUE(view().editing);
    EXPECT_TRUE(session().typing.problem());
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
