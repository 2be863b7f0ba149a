// What a frame throws: it is said, the window ends, and what was set is there the next time.
#include "app/cli/show_frames.h"

#include "app/base/errors.h"
#include "tests/app/window/headless_window.h"
#include "tests/with_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace warplens::test::show_frames_tests {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

/// A window in which show_frame throws while it draws a certain frame, with panels that are begun and not
/// ended.
class BreakingWindow final : public HeadlessWindow {
public:
    /// @param frame  from 0; negative for a window that does not break
    BreakingWindow(int frame, std::function<void()> fault)
        : HeadlessWindow(1280, 800), frame_(frame), fault_(std::move(fault)) {}
    Painter& painter() override {
        if (frames_drawn() == frame_) {
            ImGui::Begin("a window");
            ImGui::BeginChild("a panel");
            ImGui::PushStyleVar(ImGuiStyleVar_Alpha, 0.5f);
            fault_();
        }
        return HeadlessWindow::painter();
    }

private:
    int frame_;
    std::function<void()> fault_;
};

void break_it() { throw std::runtime_error("a picture is broken"); }
void use_all_memory() { throw std::bad_alloc(); }

class ShowFramesTest : public testing::Test, protected WithFolder {
protected:
    /// Shows ten frames at a link. @return  what was thrown. Empty if nothing was.
    std::string show(const std::string& link, int broken_frame,
                     const std::function<void()>& fault = break_it) {
        WindowOptions options;
        options.cpu = options.wait = true;
        options.shipped_recordings = false;
        options.frames = 10;
        options.link = link;
        options.state_path = path_;
        options.given.place = !link.empty();
        const LoadedState loaded = load_state(path_);
        had_state_ = loaded.state.has_value();
        const std::vector<DeviceFacts> devices = device_table();
        auto window = std::make_unique<BreakingWindow>(broken_frame, fault);
        try {
            last_ = show_frames(std::make_unique<Frames>(
                std::move(window), initial_state(all_scenarios().front(), 0), devices, options, loaded));
            return {};
        } catch (const Failure& failure) {
            return failure.what();
        }
    }
    std::string kept_place() const {
        const LoadedState loaded = load_state(path_);
        return loaded.state ? loaded.state->place : loaded.message;
    }
    std::string path_ = path("state.json");
    bool had_state_ = false;  ///< when show() began
    std::optional<Image> last_;
};

TEST_F(ShowFramesTest, WithoutAFaultItEndsWithItsLastFrame) {
    EXPECT_EQ(show("shared-tile?padding=1", -1), "");
    ASSERT_TRUE(last_);
    EXPECT_EQ(last_->width, 1280);
    EXPECT_THAT(kept_place(), HasSubstr("shared-tile?padding=1"));
}

TEST_F(ShowFramesTest, WhatAFrameThrowsIsSaidAndWhatIsSetIsKept) {
    for (const int frame : {1, 4, 9}) {
        const std::string link = "shared-tile?padding=" + std::to_string(frame);
        EXPECT_EQ(show(link, frame), "the window cannot be drawn any further: a picture is broken");
        EXPECT_THAT(kept_place(), HasSubstr(link));
        finish_start(path_);  // failed starts are another test's
    }
}

TEST_F(ShowFramesTest, NoMemoryIsSaidInWords) {
    EXPECT_EQ(show("transpose", 4, use_all_memory),
              std::string("the window cannot be drawn any further: ") + kNoMemory);
    EXPECT_THAT(kept_place(), HasSubstr("transpose"));
}

TEST_F(ShowFramesTest, ThatNothingCanBeKeptIsSaidAsWell) {
    std::ofstream(folder_ / "file") << "no folder";
    path_ = (folder_ / "file" / "state.json").string();
    const std::string said = show("transpose", 4);
    EXPECT_THAT(said, HasSubstr("a picture is broken; what is set cannot be kept for the next time: "));
    EXPECT_THAT(said, Not(HasSubstr("\n")));
}

TEST_F(ShowFramesTest, AStateThatBreaksTwoStartsIsSetAside) {
    ASSERT_EQ(show("transpose", -1), "");
    for (int start = 0; start < 2; ++start) {
        EXPECT_NE(show("", 1), "");
        EXPECT_TRUE(had_state_) << start;
    }
    EXPECT_EQ(show("", -1), "");
    EXPECT_FALSE(had_state_);
    EXPECT_TRUE(fs::exists(path_ + ".damaged-1"));
}

TEST_F(ShowFramesTest, AFaultLaterThanAStartLeavesTheState) {
    ASSERT_EQ(show("transpose", -1), "");
    for (int start = 0; start < 3; ++start) {
        EXPECT_NE(show("", 6), "");
        EXPECT_TRUE(had_state_) << start;
    }
    EXPECT_THAT(kept_place(), HasSubstr("transpose"));
}

}  // namespace
}  // namespace warplens::test::show_frames_tests
