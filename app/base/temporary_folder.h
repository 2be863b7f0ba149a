#pragma once

#include <string>

namespace warplens {

/// A folder of a name that nobody else has, which is removed with all that is in it.
class TemporaryFolder {
public:
    TemporaryFolder();  ///< Errors: std::runtime_error if none can be made.
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::string& path() const { return path_; }

private:
    std::string path_;
};

}  // namespace warplens
