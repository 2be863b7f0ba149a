#include "app/base/output.h"

#include "app/base/errors.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace warplens {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, int error) {
    throw UsageError(fmt::format("cannot write '{}': {}", path, std::strerror(error)));
}

/// Owns a file descriptor, and removes the file unless it was kept.
class NewFile {
public:
    NewFile(std::string path, int flags, bool temporary)
        : path_(std::move(path)), descriptor_(::open(path_.c_str(), flags | O_WRONLY | O_CLOEXEC, 0666)) {
        remove_ = temporary && descriptor_ >= 0;
    }
    ~NewFile() {
        if (descriptor_ >= 0) ::close(descriptor_);
        if (remove_) ::unlink(path_.c_str());
    }
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    bool is_open() const { return descriptor_ >= 0; }

    /// @return  0, or errno.
    int write(std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) return errno;
            bytes.remove_prefix(static_cast<std::size_t>(written));
        }
        return 0;
    }

    int close() {
        const int descriptor = descriptor_;
        descriptor_ = -1;
        return ::close(descriptor) == 0 ? 0 : errno;
    }

    int rename_to(const std::string& target) {
        if (::fsync(descriptor_) != 0) return errno;
        struct stat old {};  // an existing file keeps its permissions
        if (::stat(target.c_str(), &old) == 0 && ::fchmod(descriptor_, old.st_mode & 07777) != 0)
            return errno;
        if (const int error = close()) return error;
        if (::rename(path_.c_str(), target.c_str()) != 0) return errno;
        remove_ = false;
        return 0;
    }

private:
    std::string path_;
    int descriptor_;
    bool remove_ = false;
};

/// The file that a path leads to.
struct Target {
    std::string path;  ///< after following symbolic links
    bool device;       ///< not a regular file, so it cannot be replaced
    std::string beside() const { return fmt::format("{}.{}.part", path, ::getpid()); }
};

Target resolve(const std::string& path) {
    std::error_code ignored;
    const fs::path resolved = fs::weakly_canonical(path, ignored);
    Target target{resolved.empty() ? path : resolved.string(), false};
    const fs::file_status status = fs::status(target.path, ignored);
    if (path.empty()) fail(path, ENOENT);
    if (fs::is_directory(status)) fail(path, EISDIR);
    target.device = fs::exists(status) && !fs::is_regular_file(status);
    return target;
}

}  // namespace

void write_output(const std::string& path, std::string_view bytes) {
    const Target target = resolve(path);
    NewFile file(target.device ? target.path : target.beside(), target.device ? 0 : O_CREAT | O_EXCL,
                 !target.device);
    if (!file.is_open()) fail(path, errno);
    if (const int error = file.write(bytes)) fail(path, error);
    if (target.device) return;
    if (const int error = file.rename_to(target.path)) fail(path, error);
}

void check_output(const std::string& path) {
    const Target target = resolve(path);
    NewFile file(target.device ? target.path : target.beside(), target.device ? 0 : O_CREAT | O_EXCL,
                 !target.device);
    if (!file.is_open()) fail(path, errno);
}

}  // namespace warplens
