#pragma once

// The folder app/base/ contains what all other folders may need and what needs none of them: errors and
// exit codes, whole-file writes, embedded files, names that were probably meant. It knows no scenario, no
// GPU and no window.

#include "app/base/text.h"

#include <stdexcept>
#include <string>

namespace warplens {

/// The program's exit code.
enum class ExitCode : int { done = 0, failed = 1, usage = 2, no_display = 3, no_gpu = 4 };

/// When it does: the table of --help.
struct ExitCodeMeaning {
    ExitCode code;
    const char* meaning;
};
inline constexpr ExitCodeMeaning kExitCodes[] = {
    {ExitCode::done, "done"},
    {ExitCode::failed, "failed"},
    {ExitCode::usage,
     "bad usage or input: unknown name, value out of range, malformed file, unwritable output"},
    {ExitCode::no_display, "no display, or no OpenGL"},
    {ExitCode::no_gpu, "no NVIDIA GPU where one is required"}};

/// The message when an allocation fails.
inline constexpr const char* kNoMemory = "there is not enough memory for this";

/// An error that ends a command. `what()` is one sentence for a person: what was expected, where, and what to
/// do. It is printable and on one line, whatever names and words of others it quotes.
class Error : public std::runtime_error {
public:
    Error(ExitCode code, const std::string& sentence)
        : std::runtime_error(printable(sentence, kMostMessageBytes)), code_(code) {}
    ExitCode code() const { return code_; }

private:
    ExitCode code_;
};

template <ExitCode its_code>
struct ErrorWith : Error {
    explicit ErrorWith(const std::string& sentence) : Error(its_code, sentence) {}
};
using UsageError = ErrorWith<ExitCode::usage>;
using NoDisplay = ErrorWith<ExitCode::no_display>;
using NoGpu = ErrorWith<ExitCode::no_gpu>;
using Failure = ErrorWith<ExitCode::failed>;

}  // namespace warplens
