#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// A program on the PATH, or in one of more folders. @return  its path; empty if there is none.
std::string find_program(std::string_view name, std::initializer_list<std::string_view> more_folders = {});

/// The exit status of a child process (waitpid), which leads a process group if `group`. A child that has not
/// ended by then, or when a stop is requested, is killed, and the result is empty.
std::optional<int> wait_for(int child, std::chrono::steady_clock::time_point until, bool group = false,
                            const std::stop_token& stop = {});

/// Run a program without an input and without a shell; both of its outputs go to a file.
/// @param own_group  what it has started ends with it, but Ctrl+C in a terminal does not reach it
/// @return  its exit code; empty if it took longer than `at_most`, was stopped, or was ended by a signal.
/// Errors: std::runtime_error if it cannot be started.
std::optional<int> run_program(const std::vector<std::string>& arguments, const std::string& output,
                               std::chrono::seconds at_most, const std::stop_token& stop = {},
                               bool own_group = true);

/// The bytes of a file that such a program has written. Empty if there is none.
std::string contents_of(const std::string& path);

}  // namespace warplens
