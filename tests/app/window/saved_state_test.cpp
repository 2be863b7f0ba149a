#include "app/window/saved_state.h"
#include "app/base/errors.h"
#include "app/base/process.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace warplens::test::saved_state_tests {
namespace fs = std::filesystem;

namespace {

SavedState sample() {
    SavedState state;
    state.place = "transpose?variant=padded&board=traffic&device=H200";
    state.scenarios = {"global-stride?stride=8", "shared-tile?padding=1"};
    state.look = {ThemeName::light, PaletteName::plasma};
    state.scale = 1.5f;
    state.width = 1920;
    state.height = 1080;
    state.left = 300;
    state.right = 400;
    state.plot_share = 0.5f;
    state.scope = 2;
    state.tab = 1;
    state.recent = {"/a/h200.json", "/b/with \"quotes\" and \xc3\xa9.json"};
    state.courses = {{"coalescing", 3, {0, 2}}, {"spaces", 0, {}}};
    state.course = "coalescing";
    state.quiz = {{{"8", "line 7"}, 1}, ~0u, 5, "shared", "shared-tile?padding=1", "figure-4.7"};
    state.predict_first = true;
    state.kernels = {{"k.cu", "/home/k.cu", "k", "__global__ void k(float* a) { a[0] = ", ""}};
    state.draft = true;
    return state;
}

class SavedStateFile : public testing::Test {
protected:
    SavedStateFile() { fs::remove_all(folder_); }
    ~SavedStateFile() override { fs::remove_all(folder_); }
    void write(const std::string& text) const {
        fs::create_directories(folder_);
        std::ofstream(path_) << text;
    }
    fs::path folder_ =
        fs::path(testing::TempDir()) /
        (std::string("warplens_state_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    std::string path_ = (folder_ / "state.json").string();
};

}  // namespace

TEST(SavedState, ComesBackAsItWas) { EXPECT_EQ(read_state(write_state(sample())), sample()); }

TEST(SavedState, ValuesOutOfRangeComeBackInRange) {
    const SavedState state = read_state(
        R"({"format":"warplens state","version":1,"view":{"scale":99,"width":1,"plot_share":-3,"tab":"x",
            "theme":"mauve","palette":"rainbow","left":null,"height":1e300},"recent":[1,"a"],"scenarios":"no list"})");
    EXPECT_EQ(state.scale, 3.0f);
    EXPECT_EQ(state.width, 320);
    EXPECT_EQ(state.plot_share, 0.2f);
    EXPECT_EQ(state.tab, 0);
    EXPECT_EQ(state.look, ThemeChoice());
    EXPECT_EQ(state.left, SavedState{}.left);
    EXPECT_EQ(state.recent, std::vector<std::string>{"a"});
    EXPECT_TRUE(state.scenarios.empty());
}

TEST(SavedState, OtherTextsAreRefused) {
    for (const char* text :
         {"", "{", "[]", "{}", "null", "\"warplens state\"", R"({"format":"warplens state"})",
          R"({"format":"warplens state","version":2})", R"({"format":"warplens recording","version":1})"}) {
        EXPECT_THROW(read_state(text), UsageError) << text;
    }
    const std::string whole = write_state(sample());
    for (std::size_t cut = 0; cut + 2 < whole.size(); cut += 7)
        EXPECT_THROW(read_state(std::string_view(whole).substr(0, cut)), UsageError) << cut;
}

TEST_F(SavedStateFile, IsWrittenIntoAFolderThatIsMadeForIt) {
    EXPECT_EQ(save_state(path_, sample()), "");
    const LoadedState loaded = load_state(path_);
    ASSERT_TRUE(loaded.state.has_value());
    EXPECT_EQ(*loaded.state, sample());
    EXPECT_EQ(loaded.message, "");
}

TEST_F(SavedStateFile, MissingIsNothingToTalkAbout) {
    const LoadedState loaded = load_state(path_);
    EXPECT_FALSE(loaded.state.has_value());
    EXPECT_EQ(loaded.message, "");
}

TEST_F(SavedStateFile, ADamagedOneIsSetAsideWithAMessageAndNeverOverAnother) {
    for (const std::string number : {"1", "2", "3"}) {
        const std::string cut = write_state(sample()).substr(0, 100) + number;
        write(cut);
        const LoadedState loaded = load_state(path_);
        EXPECT_FALSE(loaded.state.has_value());
        EXPECT_TRUE(loaded.keep);
        EXPECT_NE(loaded.message.find(path_ + ".damaged-" + number), std::string::npos) << loaded.message;
        EXPECT_FALSE(fs::exists(path_));
        EXPECT_EQ(contents_of(path_ + ".damaged-" + number), cut);  // nothing is lost
    }
    EXPECT_TRUE(contents_of(path_ + ".damaged-1").ends_with('1'));
}

TEST_F(SavedStateFile, WhatIsNotOursStaysAsItIs) {
    for (const std::string& text :
         {std::string("notes\n"), std::string("{}"), std::string("\0\0\0", 3), std::string(2 << 20, ' '),
          std::string(R"({"format":"warplens state","version":2})"),
          std::string(R"({"format":"warplens state","version":4294967297})"),
          std::string(R"({"format":"warplens state","version":18446744073709551615})")}) {
        write(text);
        const LoadedState loaded = load_state(path_);
        EXPECT_FALSE(loaded.state.has_value() || loaded.keep) << text;
        EXPECT_NE(loaded.message.find("it stays as it is"), std::string::npos) << loaded.message;
        EXPECT_EQ(contents_of(path_), text);
    }
    for (const std::string& other : {folder_.string(), std::string("/dev/zero")})
        EXPECT_FALSE(load_state(other).state.has_value() || load_state(other).keep) << other;
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST_F(SavedStateFile, AnEmptyFileIsFilled) {
    write("");
    EXPECT_TRUE(load_state(path_).keep);
    EXPECT_EQ(load_state(path_).message, "");
}

TEST_F(SavedStateFile, AfterTwoFailedStartsItIsSetAside) {
    EXPECT_EQ(save_state(path_, sample()), "");
    for (int start = 0; start < 5; ++start) {  // that all succeed
        ASSERT_TRUE(load_state(path_).state.has_value());
        begin_start(path_);
        finish_start(path_);
    }
    for (int start = 0; start < 2; ++start) {
        ASSERT_TRUE(load_state(path_).state.has_value());
        begin_start(path_);
    }
    const LoadedState loaded = load_state(path_);
    EXPECT_FALSE(loaded.state.has_value());
    EXPECT_NE(loaded.message.find("two starts with it have failed"), std::string::npos) << loaded.message;
    EXPECT_EQ(read_state(contents_of(path_ + ".damaged-1")), sample());
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1) << "the count begins anew";
}

TEST_F(SavedStateFile, WhatCannotBeWrittenIsSaid) {
    write("a file where a folder should be");
    const std::string problem = save_state(path_ + "/state.json", sample());
    EXPECT_NE(problem.find("cannot be kept"), std::string::npos) << problem;
}

}  // namespace warplens::test::saved_state_tests
