#include "app/base/output.h"

#include "app/base/errors.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <filesystem>
#include <new>
#include <utility>

namespace warplens {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const char* why) {
    throw UsageError(fmt::format("cannot write '{}': {}", path, why));
}

/// The name of a file that is not finished. What ends the program early removes it.
class Unfinished {
public:
    Unfinished() = default;
    ~Unfinished() { set({}); }
    Unfinished(const Unfinished&) = delete;
    Unfinished& operator=(const Unfinished&) = delete;

    /// Sets another name in place of the present one. Empty for none.
    void set(const std::string& path) {
        if (slot_ != nullptr) slot_->state = Slot::free;
        slot_ = nullptr;
        if (path.empty() || path.size() >= PATH_MAX) return;
        for (Slot& slot : slots_) {
            int expected = Slot::free;
            if (!slot.state.compare_exchange_strong(expected, Slot::claimed)) continue;
            std::memcpy(slot.path, path.c_str(), path.size() + 1);
            slot.state = Slot::named;
            slot_ = &slot;
            return;
        }
    }

    /// Calls only what a signal handler may call.
    static void remove_all() {
        for (const Slot& slot : slots_)
            if (slot.state == Slot::named) ::unlink(slot.path);
    }

private:
    struct Slot {
        enum { free, claimed, named };
        std::atomic<int> state = free;
        char path[PATH_MAX] = {};
    };
    static Slot slots_[8];  // more than the files that are ever written at once
    Slot* slot_ = nullptr;
};
Unfinished::Slot Unfinished::slots_[8];

/// A file that takes the place of another one when it is finished, and vanishes otherwise. Until then it has
/// no name if the file system can do so, and else a name that nobody has.
class NewFile {
public:
    explicit NewFile(const std::string& target) : folder_(fs::path(target).parent_path()) {
        if (::access("/proc/self/fd", X_OK) == 0)  // through which it gets its name
            descriptor_ = ::open(folder_.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
        if (descriptor_ < 0)
            with_new_name([this] {
                descriptor_ = ::open(name_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
                return descriptor_ >= 0;
            });
    }
    ~NewFile() {
        if (descriptor_ >= 0) ::close(descriptor_);
        // If it cannot be removed for a moment, as on a network, it is tried again: nothing may stay
        // behind.
        for (int left = 3; !name_.empty() && left > 0 && ::unlink(name_.c_str()) != 0; --left) {
        }
    }
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    int descriptor() const { return descriptor_; }

    /// @return  0, or errno.
    int rename_to(const std::string& target) {
        if (::fsync(descriptor_) != 0) return errno;
        struct stat old {};  // an existing file keeps its permissions
        if (::stat(target.c_str(), &old) == 0 && ::fchmod(descriptor_, old.st_mode & 07777) != 0)
            return errno;
        const std::string unnamed = fmt::format("/proc/self/fd/{}", descriptor_);
        const auto give_name = [&] {
            return ::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name_.c_str(), AT_SYMLINK_FOLLOW) == 0;
        };
        if (name_.empty() && !with_new_name(give_name)) return errno;
        if (::close(std::exchange(descriptor_, -1)) != 0) return errno;
        if (::rename(name_.c_str(), target.c_str()) != 0) return errno;
        name_.clear();
        return 0;
    }

private:
    /// Looks for a name with which `create` succeeds.
    /// @return  whether there is one; otherwise errno says why not.
    template <class Create>
    bool with_new_name(Create create) {
        for (std::uint64_t attempt = 0; attempt < 100; ++attempt) {
            std::uint64_t bits = std::uint64_t(::getpid()) << 32 | attempt;
            [[maybe_unused]] const ssize_t random = ::getrandom(&bits, sizeof bits, 0);
            name_ = (folder_ / fmt::format(".warplens-{:016x}.part", bits)).string();
            unfinished_.set(name_);  // earlier than the file, so that no signal comes in between
            if (create()) return true;
            if (errno != EEXIST) break;
        }
        const int error = errno;
        unfinished_.set({});
        name_.clear();
        errno = error;
        return false;
    }

    fs::path folder_;
    std::string name_;  ///< Empty while it has none.
    int descriptor_ = -1;
    Unfinished unfinished_;
};

/// @return  0, or errno.
int write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        bytes.remove_prefix(std::size_t(written));
    }
    return 0;
}

/// The file that a path leads to.
struct Target {
    std::string path;  ///< absolute, after following symbolic links
    bool device;       ///< not a regular file, so it cannot be replaced
};

Target resolve(const std::string& path) {
    if (path.empty()) fail(path, std::strerror(ENOENT));
    std::error_code error;
    const fs::path whole = fs::absolute(path, error);
    Target target{error ? path : fs::weakly_canonical(whole, error).string(), false};
    if (error) fail(path, error.message().c_str());
    struct stat old {};
    if (::stat(target.path.c_str(), &old) != 0) return target;
    if (S_ISDIR(old.st_mode)) fail(path, std::strerror(EISDIR));
    // Root may write into every file; but who made it read-only meant that.
    if ((old.st_mode & 0222) == 0 || ::access(target.path.c_str(), W_OK) != 0)
        fail(path, "the file is read-only");
    target.device = !S_ISREG(old.st_mode);
    return target;
}

int write_all(int descriptor, std::FILE* bytes) {
    std::array<char, std::size_t{1} << 16> block;
    if (std::fseek(bytes, 0, SEEK_SET) != 0) return errno;
    while (const std::size_t read = std::fread(block.data(), 1, block.size(), bytes))
        if (const int error = write_all(descriptor, std::string_view(block.data(), read))) return error;
    return std::ferror(bytes) != 0 ? EIO : 0;
}

template <class Bytes>
int write_device(const std::string& path, Bytes bytes) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return errno;
    const int error = write_all(descriptor, bytes);
    return ::close(descriptor) != 0 && error == 0 ? errno : error;
}

template <class Bytes>
int write_file(const std::string& path, Bytes bytes) {
    NewFile file(path);
    if (file.descriptor() < 0) return errno;
    if (const int error = write_all(file.descriptor(), bytes)) return error;
    return file.rename_to(path);
}

extern "C" void end_by_signal(int signal) {
    const int error = errno;  // of a call that was interrupted
    Unfinished::remove_all();
    std::signal(signal, SIG_DFL);
    ::raise(signal);  // it waits until this function has ended
    errno = error;
}

volatile std::sig_atomic_t interrupted = 0;
std::atomic<std::time_t> interrupted_at = 0;  // [s] of a clock that only goes forwards
std::atomic<int> waker = -1;                  // the pipe of a LateInterrupt that wakes somebody

extern "C" void note_signal(int signal) {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    if (interrupted == 0) interrupted_at = now.tv_sec;
    // Programs such as timeout send a signal twice at once, to the process and to its group.
    if (interrupted != 0 && now.tv_sec > interrupted_at + 1) end_by_signal(signal);
    interrupted = 1;
    const int error = errno;
    if (waker >= 0 && ::write(waker, "", 1) < 0) errno = error;
}

constexpr int kEndingSignals[] = {SIGINT, SIGTERM, SIGHUP};

/// Signals that the person has switched off, as nohup does, stay so.
void on_ending_signals(void (*handler)(int)) {
    for (const int signal : kEndingSignals)
        if (std::signal(signal, handler) == SIG_IGN) std::signal(signal, SIG_IGN);
}

/// For what nobody catches, such as a failed allocation where none may be reported.
[[noreturn]] void end_at_once() {
    Unfinished::remove_all();
    const std::exception_ptr thrown = std::current_exception();
    const char* why = "a mistake in the program ended it";
    try {
        if (thrown) std::rethrow_exception(thrown);
    } catch (const std::bad_alloc&) {
        why = kNoMemory;
    } catch (const std::exception& error) {
        why = error.what();
    } catch (...) {  // there is nothing to say about it
    }
    // The JSON library ends the program when an exception that is on its way has left half a value behind.
    if (!thrown && std::uncaught_exceptions() > 0) why = kNoMemory;
    std::fprintf(stderr, "warplens: %s\n", why);
    std::_Exit(int(ExitCode::failed));
}

}  // namespace

void write_output(const std::string& path, std::string_view bytes) {
    const Target target = resolve(path);
    if (const int error = target.device ? write_device(target.path, bytes) : write_file(target.path, bytes))
        fail(path, std::strerror(error));
}

void write_output(const std::string& path, std::FILE* bytes) {
    const Target target = resolve(path);
    if (const int error = target.device ? write_device(target.path, bytes) : write_file(target.path, bytes))
        fail(path, std::strerror(error));
}

void check_output(const std::string& path) {
    const Target target = resolve(path);
    if (target.device) {
        if (const int error = write_device(target.path, std::string_view())) fail(path, std::strerror(error));
    } else if (NewFile(target.path).descriptor() < 0) {
        fail(path, std::strerror(errno));
    }
}

void guard_process() {
    // Without them the next file that is opened would take what is written to standard output.
    for (int standard = 0; standard <= 2; ++standard)
        if (::fcntl(standard, F_GETFD) < 0) ::open("/dev/null", O_RDONLY);
    std::signal(SIGPIPE, SIG_IGN);  // so that the calls fail and say why
    std::signal(SIGXFSZ, SIG_IGN);
    on_ending_signals(end_by_signal);
    std::set_terminate(end_at_once);
}

LateInterrupt::LateInterrupt(std::function<void()> wake) {
    interrupted = 0;
    if (wake && ::pipe2(pipe_, O_CLOEXEC) == 0) {
        waker_.emplace([from = pipe_[0], wake = std::move(wake)] {
            for (char byte = 0; ::read(from, &byte, 1) > 0;) wake();
        });
        waker = pipe_[1];
    }
    on_ending_signals(note_signal);
}
LateInterrupt::~LateInterrupt() {
    on_ending_signals(end_by_signal);
    if (!waker_) return;
    waker = -1;
    ::close(pipe_[1]);  // which ends the thread
    waker_->join();
    ::close(pipe_[0]);
}
bool LateInterrupt::came() const { return interrupted != 0; }

}  // namespace warplens
