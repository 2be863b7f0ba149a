#include "app/base/output.h"

#include "app/base/errors.h"

#include <emscripten.h>
#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace warplens {
namespace {

namespace fs = std::filesystem;

/// Hands a file to the page, which keeps it or has the browser save it. Node has no page.
void hand_over(const std::string& path) {
    EM_ASM({ Module['handOver'] ?.(UTF8ToString($0)); }, path.c_str());
}

/// Writes what `write` puts into the file, which is in memory.
template <class Write>
void write_whole(const std::string& path, Write write) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    const bool written = file != nullptr && write(file);
    const bool closed = file != nullptr && std::fclose(file) == 0;
    if (!written || !closed)
        throw UsageError(fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
    if (fs::is_regular_file(path)) hand_over(path);
}

}  // namespace

void write_output(const std::string& path, std::string_view bytes) {
    write_whole(path, [bytes](std::FILE* file) {
        return std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    });
}

void write_output(const std::string& path, std::FILE* bytes) {
    write_whole(path, [bytes](std::FILE* file) {
        std::array<char, 1 << 14> block;
        if (std::fseek(bytes, 0, SEEK_SET) != 0) return false;
        while (const std::size_t read = std::fread(block.data(), 1, block.size(), bytes))
            if (std::fwrite(block.data(), 1, read, file) != read) return false;
        return std::ferror(bytes) == 0;
    });
}

void check_output(const std::string& path) {
    const fs::path folder = fs::path(path).parent_path();
    if (path.empty() || (!folder.empty() && !fs::is_directory(folder)))
        throw UsageError(fmt::format("cannot write '{}': {}", path, std::strerror(ENOENT)));
}

// A page has no signals, and leaves no unfinished files behind.
void guard_process() {}
LateInterrupt::LateInterrupt(std::function<void()>) {}
LateInterrupt::~LateInterrupt() = default;
bool LateInterrupt::came() const { return false; }

}  // namespace warplens
