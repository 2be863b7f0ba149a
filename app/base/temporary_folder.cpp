#include "app/base/temporary_folder.h"

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace warplens {

TemporaryFolder::TemporaryFolder()
    : path_((std::filesystem::temp_directory_path() / "warplens-XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr)
        throw std::runtime_error("no temporary folder can be made in " +
                                 std::filesystem::temp_directory_path().string());
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
}

}  // namespace warplens
