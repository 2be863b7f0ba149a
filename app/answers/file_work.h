#pragma once

#include "app/answers/store.h"
#include "app/measure/read_progress.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace warplens {

/// A file as a person asked for it. Asked for again it is read again, because it may have changed.
struct FileAsked {
    std::string path;
    std::uint64_t time = 0;  ///< counts what was asked for
    friend bool operator==(const FileAsked&, const FileAsked&) = default;
};

/// Reads a file in one piece, and knows how much of it has been read.
/// @tparam Read  std::optional<T> Read(const ReadProgress&): nothing if it was given up
template <class T, class Read>
class FileWork : public Slow<T> {
public:
    FileWork(const std::string& path, Read read) : read_(std::move(read)) {
        std::error_code ignored;
        const auto size = std::filesystem::file_size(path, ignored);
        if (!ignored) size_ = double(size);
    }
    bool step() override {
        this->result = read_(ReadProgress{this->unwanted, &bytes_});
        return false;
    }
    double how_far() const override { return size_ > 0 ? std::min(1.0, double(bytes_) / size_) : 0; }

private:
    Read read_;
    std::atomic<std::int64_t> bytes_ = 0;
    double size_ = 0;  ///< [bytes]; 0 if it is not known
};

template <class T, class Read>
Work<T> read_file(const std::string& path, Read read) {
    return std::make_unique<FileWork<T, Read>>(path, std::move(read));
}

/// "reading trace.csv, 42 %"
std::string reading_text(const std::string& path, double done);

}  // namespace warplens
