#include "app/base/input.h"

#include "app/base/errors.h"
#include "app/base/text.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace warplens {
namespace {

class InputFile {
public:
    explicit InputFile(const std::string& path)
        : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
        if (descriptor_ < 0) fail(errno);
        struct stat status {};
        const bool known = ::fstat(descriptor_, &status) == 0;
        const int error = errno;
        if (known && S_ISREG(status.st_mode)) {
            size_ = static_cast<std::uintmax_t>(status.st_size);
            return;
        }
        ::close(descriptor_);  // no destructor runs after an exception in a constructor
        if (!known) fail(error);
        throw UsageError("it is not a file");
    }
    ~InputFile() { ::close(descriptor_); }
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    std::uintmax_t size() const { return size_; }

    std::string read(std::uintmax_t bytes, const std::stop_token& stop) {
        constexpr std::size_t kPiece = std::size_t{1} << 20;
        std::string text(std::size_t(bytes), '\0');
        std::size_t done = 0;
        while (done < text.size()) {
            if (stop.stop_requested()) throw UsageError("cancelled");
            const ssize_t got = ::read(descriptor_, text.data() + done, std::min(kPiece, text.size() - done));
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) fail(errno);
            if (got == 0) break;  // somebody has cut it meanwhile
            done += std::size_t(got);
        }
        text.resize(done);
        return text;
    }

private:
    [[noreturn]] static void fail(int error) {
        throw UsageError(error == ENOENT ? "there is no such file" : std::strerror(error));
    }

    int descriptor_;
    std::uintmax_t size_ = 0;
};

}  // namespace

std::string read_input(const std::string& path, std::uintmax_t most, const std::stop_token& stop) {
    InputFile file(path);
    if (file.size() > most)
        throw UsageError(fmt::format("it has {:.1f} MiB, and at most {} MiB are read",
                                     double(file.size()) / (1 << 20), most >> 20));
    return file.read(file.size(), stop);
}

std::string read_input_start(const std::string& path, std::uintmax_t most, const std::stop_token& stop) {
    InputFile file(path);
    return file.read(std::min(file.size(), most), stop);
}

std::ifstream open_input(const std::string& path) {
    std::error_code ignored;
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    const bool folder = std::filesystem::is_directory(path, ignored);
    if (!file || folder)
        throw UsageError(
            fmt::format("cannot read '{}': {}", printable(path), std::strerror(folder ? EISDIR : errno)));
    return file;
}

}  // namespace warplens
