#pragma once

#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace warplens {

/// Write a whole file or nothing: the bytes go to a new file beside it, which is then renamed. The old file
/// stays until then, and nothing is left behind on failure. A symbolic link is followed; a device or pipe is
/// written to directly; a file that is read-only is not replaced.
/// Errors: UsageError with one sentence that names the path and the reason, because the path comes from the
/// person.
void write_output(const std::string& path, std::string_view bytes);

/// The same with the bytes of an open file, from its beginning: an answer that is too long for memory.
void write_output(const std::string& path, std::FILE* bytes);

/// Check whether write_output could write there now, before long work is done. Leaves nothing behind.
/// Errors: as write_output.
void check_output(const std::string& path);

/// To be called once, before everything else: signals that end the program remove unfinished files, a file
/// that grows too large and a pipe that nobody reads are errors of the call, and what nobody catches is one
/// sentence and ExitCode::failed.
void guard_process();

/// While it lives, Ctrl+C (or TERM, HUP) does not end the program but is noted, so that long work can keep
/// what it has. Another one, two seconds later or more, ends the program. One at a time.
class LateInterrupt {
public:
    /// @param wake  called by another thread when it comes, for work that sleeps. May be null.
    explicit LateInterrupt(std::function<void()> wake = nullptr);
    ~LateInterrupt();
    LateInterrupt(const LateInterrupt&) = delete;
    LateInterrupt& operator=(const LateInterrupt&) = delete;

    bool came() const;

private:
    int pipe_[2] = {-1, -1};  // a signal handler may write into one, and do little else
    std::optional<std::thread> waker_;
};

}  // namespace warplens
