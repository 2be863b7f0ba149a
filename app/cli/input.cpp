#include "app/cli/input.h"

#include "app/base/errors.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace warplens {

std::ifstream open_input(const std::string& path) {
    std::error_code ignored;
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    const bool folder = std::filesystem::is_directory(path, ignored);
    if (!file || folder)
        throw UsageError(fmt::format("cannot read '{}': {}", path, std::strerror(folder ? EISDIR : errno)));
    return file;
}

}  // namespace warplens
