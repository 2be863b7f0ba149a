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

/// Reads a file, and knows how much of it has been read.
template <class T>
class FileWork : public Slow<T> {
public:
    explicit FileWork(const std::string& path) {
        std::error_code ignored;
        const auto size = std::filesystem::file_size(path, ignored);
        if (!ignored) size_ = double(size);
    }
    double how_far() const override { return size_ > 0 ? std::min(1.0, double(bytes_) / size_) : 0; }

protected:
    std::atomic<std::int64_t> bytes_ = 0;  ///< read so far

private:
    double size_ = 0;  ///< [bytes]; 0 if it is not known
};

/// The same in one piece.
/// @tparam Read  std::optional<T> Read(const ReadProgress&): nothing if it was given up
template <class T, class Read>
class FileInOnePiece : public FileWork<T> {
public:
    FileInOnePiece(const std::string& path, Read read) : FileWork<T>(path), read_(std::move(read)) {}
    bool step() override {
        this->result = read_(ReadProgress{this->unwanted, &this->bytes_});
        return false;
    }

private:
    Read read_;
};

template <class T, class Read>
Work<T> read_file(const std::string& path, Read read) {
    return std::make_unique<FileInOnePiece<T, Read>>(path, std::move(read));
}

/// "reading trace.csv, 42 %"
std::string reading_text(const std::string& path, double done);

}  // namespace warplens
