#include "app/gl/desktop_motion.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace warplens::test::desktop_motion_tests {
namespace {

class DesktopMotion : public ::testing::Test {
protected:
    void SetUp() override { std::filesystem::remove_all(folder_); }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    void write(const std::string& file, const std::string& text) const {
        const auto path = folder_ / file;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }
    bool wanted() const { return desktop_wants_motion(folder_.string()); }

private:
    std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / "desktop_motion";
};

TEST_F(DesktopMotion, IsOnWhereNothingIsSet) {
    EXPECT_TRUE(wanted());
    EXPECT_TRUE(desktop_wants_motion(""));
    write("gtk-3.0/settings.ini", "[Settings]\ngtk-theme-name=Adwaita\n");
    EXPECT_TRUE(wanted());
}

TEST_F(DesktopMotion, GtkAsksForNone) {
    write("gtk-3.0/settings.ini", "[Settings]\ngtk-enable-animations=0\n");
    EXPECT_FALSE(wanted());
    write("gtk-4.0/settings.ini", "[Settings]\ngtk-enable-animations = true\n");
    EXPECT_TRUE(wanted()) << "the newer one counts";
    write("gtk-4.0/settings.ini", "[Settings]\ngtk-enable-animations = false\n");
    EXPECT_FALSE(wanted());
}

TEST_F(DesktopMotion, KdeAsksForNone) {
    write("kdeglobals", "[KDE]\nAnimationDurationFactor=0.5\n");
    EXPECT_TRUE(wanted());
    write("kdeglobals", "[KDE]\nAnimationDurationFactor=0\n");
    EXPECT_FALSE(wanted());
}

}  // namespace
}  // namespace warplens::test::desktop_motion_tests
