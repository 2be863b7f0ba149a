#include "app/window/window_figures.h"

#include "app/base/process.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <vector>

extern char** environ;

namespace warplens {
namespace {

struct Helper {
    const char* display;  ///< environment variable of the window system that it is for
    std::vector<const char*> arguments;
};
const std::vector<Helper>& helpers() {
    static const std::vector<Helper> all = {
        {"WAYLAND_DISPLAY", {"wl-copy", "--type", "image/png"}},
        {"DISPLAY", {"xclip", "-selection", "clipboard", "-t", "image/png"}},
    };
    return all;
}

bool is_set(const char* variable) {
    const char* value = std::getenv(variable);
    return value != nullptr && *value != '\0';
}

using Clock = std::chrono::steady_clock;
/// A program that has not taken the picture by then waits in vain, for example for a Wayland compositor that
/// never gives it the focus.
constexpr auto kPatience = std::chrono::seconds(5);

/// Write everything into a pipe whose reader may end or stop reading. @return  whether all was taken.
bool write_all(int pipe, std::string_view bytes, Clock::time_point until) {
    sigset_t broken_pipe, before;
    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken_pipe, &before);
    bool ok = true;
    while (ok && !bytes.empty()) {
        const ssize_t written = write(pipe, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0 && errno == EAGAIN && Clock::now() < until) {
            pollfd room{pipe, POLLOUT, 0};
            poll(&room, 1, 100);
            continue;
        }
        ok = written > 0;
        if (ok) bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    if (!ok) {  // remove the pending signal before signals are unblocked
        const timespec now{};
        sigtimedwait(&broken_pipe, nullptr, &now);
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return ok;
}

/// Start it with the pipe as its standard input and without an output, because it outlives this program.
int start(const Helper& helper, int input, int other_end, pid_t& child) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_addclose(&actions, other_end);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::vector<char*> arguments;
    for (const char* argument : helper.arguments) arguments.push_back(const_cast<char*>(argument));
    arguments.push_back(nullptr);
    const int error = posix_spawnp(&child, arguments.front(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

std::string feed(const Helper& helper, std::string_view png) {
    const char* name = helper.arguments.front();
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return fmt::format("the picture is not copied: no pipe to {}: {}", name, std::strerror(errno));
    pid_t child = 0;
    const int error = start(helper, ends[0], ends[1], child);
    close(ends[0]);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    const Clock::time_point until = Clock::now() + kPatience;
    const bool taken = error == 0 && write_all(ends[1], png, until);
    close(ends[1]);
    if (error != 0)
        return fmt::format("the picture is not copied: {} does not start: {}", name, std::strerror(error));
    const std::optional<int> status = wait_for(child, until);
    if (taken && status && WIFEXITED(*status) && WEXITSTATUS(*status) == 0) return {};
    return fmt::format("the picture is not copied: {} failed; Ctrl+E writes it into a file", name);
}

}  // namespace

std::string copy_png(std::string_view png) {
    const char* wanted = "xclip";
    for (const Helper& helper : helpers()) {
        if (!is_set(helper.display)) continue;
        if (!find_program(helper.arguments.front()).empty()) return feed(helper, png);
        wanted = helper.arguments.front();
    }
    return fmt::format(
        "the picture is not copied: that needs the program {0}, and it is not installed (on Debian or "
        "Ubuntu: apt install {1}); Ctrl+E writes the picture into a file",
        wanted, std::string_view(wanted) == "wl-copy" ? "wl-clipboard" : wanted);
}

}  // namespace warplens
