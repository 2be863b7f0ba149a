#include "tests/source_dir.h"

#include <cstdlib>
#include <filesystem>

std::string in_source(const char* path) { return std::string(WARPLENS_SOURCE_DIR "/") + path; }

namespace {

/// testing::TempDir() is a folder of this process, so that tests can run beside themselves.
struct OwnTemporaryFolder {
    OwnTemporaryFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "warplens-tests-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) return;
        path = name;
        ::setenv("TEST_TMPDIR", name.c_str(), 1);
    }
    ~OwnTemporaryFolder() {
        std::error_code ignored;
        if (!path.empty()) std::filesystem::remove_all(path, ignored);
    }
    std::filesystem::path path;
} const own_temporary_folder;

}  // namespace
