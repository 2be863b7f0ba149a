#include "app/base/process.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

extern char** environ;

namespace warplens {

std::string find_program(std::string_view name, std::initializer_list<std::string_view> more_folders) {
    const auto in = [&](std::string_view folder) {
        std::string file = fmt::format("{}/{}", folder, name);
        return access(file.c_str(), X_OK) == 0 ? file : std::string();
    };
    const char* path = std::getenv("PATH");
    std::string_view rest = path == nullptr ? "" : path;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        if (std::string found = in(rest.substr(0, end)); !found.empty()) return found;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    for (const std::string_view folder : more_folders)
        if (std::string found = in(folder); !found.empty()) return found;
    return {};
}

std::optional<int> wait_for(int child, std::chrono::steady_clock::time_point until, bool group,
                            const std::stop_token& stop) {
    int status = 0;
    while (true) {
        const pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child) return status;
        if (ended < 0 && errno != EINTR) return std::nullopt;
        if (std::chrono::steady_clock::now() >= until || stop.stop_requested()) break;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    kill(group ? -child : child, SIGKILL);
    waitpid(child, &status, 0);
    return std::nullopt;
}

std::optional<int> run_program(const std::vector<std::string>& arguments, const std::string& output,
                               std::chrono::seconds at_most, const std::stop_token& stop, bool own_group) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    // A group of its own, so that what it has started ends with it.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    if (own_group) posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    std::vector<char*> pointers;
    for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
    pointers.push_back(nullptr);
    pid_t child = 0;
    const int error = posix_spawnp(&child, pointers.front(), &actions, &attributes, pointers.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
        throw std::runtime_error(
            fmt::format("{} does not start: {}", arguments.front(), std::strerror(error)));
    const std::optional<int> status =
        wait_for(child, std::chrono::steady_clock::now() + at_most, own_group, stop);
    if (!status || !WIFEXITED(*status)) return std::nullopt;
    return WEXITSTATUS(*status);
}

std::string contents_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace warplens
