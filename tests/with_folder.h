#pragma once

#include "app/base/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace warplens::test {

/// A part of a fixture: each of its tests has a folder of its own, gone afterwards.
class WithFolder {
    const TemporaryFolder temporary_;

protected:
    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    /// Writes a file there. @return  its path
    std::string file(const std::string& name, const std::string& text) const {
        std::ofstream(path(name), std::ios::binary) << text;
        return path(name);
    }
    std::size_t files() const {
        using Files = std::filesystem::directory_iterator;
        return std::size_t(std::distance(Files(folder_), Files()));
    }

    const std::filesystem::path folder_ = temporary_.path();
};

}  // namespace warplens::test
