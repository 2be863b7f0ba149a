#include "app/base/output.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace warplens::test::output_tests {
namespace {

namespace fs = std::filesystem;

class OutputTest : public testing::Test {
protected:
    OutputTest() { fs::create_directories(folder_); }
    ~OutputTest() override { fs::remove_all(folder_); }
    std::string path(const char* name) const { return (folder_ / name).string(); }
    std::size_t files() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
    }
    static std::string content(const std::string& file) {
        std::ifstream stream(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

    fs::path folder_ =
        fs::path(testing::TempDir()) /
        (std::string("warplens_atomic_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(OutputTest, WritesAndReplaces) {
    write_output(path("a"), "one");
    EXPECT_EQ(content(path("a")), "one");
    fs::permissions(path("a"), fs::perms::owner_read | fs::perms::owner_write);
    write_output(path("a"), std::string("t\0wo", 4));
    EXPECT_EQ(content(path("a")), std::string("t\0wo", 4));
    EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_EQ(files(), 1u);
}

TEST_F(OutputTest, FollowsSymbolicLinks) {
    write_output(path("target"), "old");
    fs::create_symlink("target", path("link"));
    write_output(path("link"), "new");
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_EQ(content(path("target")), "new");
}

TEST_F(OutputTest, FailuresSayWhyAndLeaveNothing) {
    for (const std::string& bad : {path("no/such/file"), path(""), std::string(), std::string(5000, 'x')}) {
        EXPECT_THROW(write_output(bad, "x"), std::runtime_error) << bad;
        EXPECT_THROW(check_output(bad), std::runtime_error) << bad;
    }
    EXPECT_EQ(files(), 0u);
}

TEST_F(OutputTest, DevicesAreWrittenToDirectly) {
    EXPECT_NO_THROW(write_output("/dev/null", "x"));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
    EXPECT_THROW(write_output("/dev/full", "x"), std::runtime_error);
}

TEST_F(OutputTest, CheckingLeavesEverythingAsItIs) {
    write_output(path("a"), "old");
    check_output(path("a"));
    check_output(path("b"));
    EXPECT_EQ(content(path("a")), "old");
    EXPECT_EQ(files(), 1u);
}

}  // namespace
}  // namespace warplens::test::output_tests
