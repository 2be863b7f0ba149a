#include "app/base/output.h"

#include "app/base/errors.h"
#include "app/base/process.h"
#include "tests/with_folder.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <new>
#include <stdexcept>
#include <thread>

namespace warplens::test::output_tests {
namespace {

namespace fs = std::filesystem;

class OutputTest : public testing::Test, protected WithFolder {
protected:
};

TEST_F(OutputTest, WritesAndReplaces) {
    write_output(path("a"), "one");
    EXPECT_EQ(contents_of(path("a")), "one");
    fs::permissions(path("a"), fs::perms::owner_read | fs::perms::owner_write);
    write_output(path("a"), std::string("t\0wo", 4));
    EXPECT_EQ(contents_of(path("a")), std::string("t\0wo", 4));
    EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_EQ(files(), 1u);
}

TEST_F(OutputTest, FollowsSymbolicLinks) {
    write_output(path("target"), "old");
    fs::create_symlink("target", path("link"));
    write_output(path("link"), "new");
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_EQ(contents_of(path("target")), "new");
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
    EXPECT_EQ(contents_of(path("a")), "old");
    EXPECT_EQ(files(), 1u);
}

TEST_F(OutputTest, LongNamesAndForeignFilesBesideDoNotMatter) {
    const std::string longest(255, 'x');
    std::ofstream(path("a.1.part")) << "of an earlier version that was killed";
    for (const std::string& name : {longest, std::string("a")}) {
        check_output(path(name.c_str()));
        write_output(path(name.c_str()), "new");
        EXPECT_EQ(contents_of(path(name.c_str())), "new");
    }
    EXPECT_EQ(files(), 3u);
}

TEST_F(OutputTest, AReadOnlyFileIsNotReplaced) {
    write_output(path("a"), "old");
    fs::permissions(path("a"), fs::perms::owner_read);
    EXPECT_THROW(check_output(path("a")), UsageError);
    try {
        write_output(path("a"), "new");
        ADD_FAILURE() << "it was replaced";
    } catch (const UsageError& error) {
        EXPECT_EQ(error.what(), "cannot write '" + path("a") + "': the file is read-only");
    }
    EXPECT_EQ(contents_of(path("a")), "old");
    EXPECT_EQ(files(), 1u);
}

/// Runs a function in a child of this process. @return  its status, as waitpid has it.
template <class Function>
int status_of_child(Function function) {
    const pid_t child = ::fork();
    if (child == 0) {
        for (const int signal : {SIGINT, SIGTERM, SIGHUP})  // in the background shells have them ignored
            ::signal(signal, SIG_DFL);
        function();
        ::_exit(0);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    return status;
}

TEST_F(OutputTest, AFileThatGrowsTooLargeIsAnErrorAndLeavesNothing) {
    const int status = status_of_child([this] {
        guard_process();
        const rlimit small{4096, 4096};
        ::setrlimit(RLIMIT_FSIZE, &small);
        try {
            write_output(path("a"), std::string(10'000, 'x'));
        } catch (const UsageError&) {
            ::_exit(7);
        }
    });
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7) << status;
    EXPECT_EQ(files(), 0u);
}

/// Where /proc is not there, an unfinished file has a name.
bool leave_proc(const fs::path& folder) {
    return (::geteuid() == 0 || ::unshare(CLONE_NEWUSER) == 0) && ::chroot(folder.c_str()) == 0;
}

TEST_F(OutputTest, SignalsThatEndTheProgramRemoveUnfinishedFiles) {
    for (const bool named : {false, true}) {
        if (named && status_of_child([this] { ::_exit(leave_proc(folder_) ? 0 : 1); }) != 0)
            GTEST_SKIP() << "nobody may change the root folder here";
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
            const int status = status_of_child([&] {
                guard_process();
                if (named) leave_proc(folder_);
                const std::string to = named ? "/a" : path("a");
                const std::string bytes(1 << 20, 'x');
                std::thread([signal] {
                    std::this_thread::sleep_for(std::chrono::milliseconds(20));
                    ::kill(::getpid(), signal);
                }).detach();
                while (true) write_output(to, bytes);
            });
            EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal) << status;
            fs::remove(path("a"));
            EXPECT_EQ(files(), 0u) << (named ? "with a name, " : "without a name, ") << signal;
        }
    }
}

TEST_F(OutputTest, WhatAFailedAllocationLeavesBehindEndsTheProgramWithASentence) {
    struct HalfAValue {
        ~HalfAValue() { std::terminate(); }  // as JSON_ASSERT does
    };
    const std::string said = path("said");
    const int status = status_of_child([&said] {
        guard_process();
        if (::dup2(::creat(said.c_str(), 0600), STDERR_FILENO) < 0) ::_exit(2);
        try {
            const HalfAValue value;
            throw std::bad_alloc();
        } catch (const std::bad_alloc&) {
        }
    });
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == static_cast<int>(ExitCode::failed)) << status;
    EXPECT_EQ(contents_of(said), std::string("warplens: ") + kNoMemory + "\n");
}

TEST_F(OutputTest, LongWorkKeepsWhatItHasAfterTheFirstInterruptAndTheSecondEndsIt) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        const int kept = status_of_child([signal] {
            guard_process();
            bool came = false;
            {
                const LateInterrupt interrupt;
                const bool before = interrupt.came();
                ::raise(signal);
                came = !before && interrupt.came();
            }
            ::_exit(came && !LateInterrupt().came() ? 7 : 1);
        });
        EXPECT_TRUE(WIFEXITED(kept) && WEXITSTATUS(kept) == 7) << kept;
        for (const bool while_it_lives : {true, false}) {
            const int ended = status_of_child([&] {
                guard_process();
                {
                    const LateInterrupt interrupt;
                    ::raise(signal);
                    ::raise(signal);  // as timeout does
                    if (while_it_lives) std::this_thread::sleep_for(std::chrono::seconds(3));
                    if (while_it_lives) ::raise(signal);
                    if (while_it_lives) ::_exit(1);
                }
                ::raise(signal);
            });
            EXPECT_TRUE(WIFSIGNALED(ended) && WTERMSIG(ended) == signal) << ended;
        }
    }
    const int ignored = status_of_child([] {
        ::signal(SIGHUP, SIG_IGN);  // as nohup does
        guard_process();
        const LateInterrupt interrupt;
        ::raise(SIGHUP);
        ::_exit(interrupt.came() ? 1 : 7);
    });
    EXPECT_TRUE(WIFEXITED(ignored) && WEXITSTATUS(ignored) == 7) << ignored;
}

TEST_F(OutputTest, WhatNobodyCatchesIsOneSentence) {
    const std::function<void()> run_out = [] { throw std::bad_alloc(); };
    const auto fail = [&] {
        guard_process();
        [&]() noexcept { run_out(); }();
    };
    EXPECT_EXIT(fail(), testing::ExitedWithCode(1), "^warplens: there is not enough memory for this\n$");
}

}  // namespace
}  // namespace warplens::test::output_tests
