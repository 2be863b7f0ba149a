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

/// The size of a file [bytes]. 0 if it is not known.
inline double size_of_file(const std::string& path) {
    std::error_code ignored;
    const auto size = std::filesystem::file_size(path, ignored);
    return ignored ? 0 : double(size);
}

/// Reads a file in one piece, and knows how much of it has been read.
/// @tparam Read  std::optional<T> Read(const ReadProgress&): nothing if it was given up
template <class T, class Read>
Work<T> read_file(const std::string& path, Read read) {
    struct Reading : Slow<T> {
        Reading(double of_file, Read function) : size(of_file), read(std::move(function)) {}
        bool step() override {
            this->result = read(ReadProgress{this->unwanted, &bytes});
            return false;
        }
        double how_far() const override { return size > 0 ? std::min(1.0, double(bytes) / size) : 0; }
        const double size;
        std::atomic<std::int64_t> bytes = 0;
        Read read;
    };
    return std::make_unique<Reading>(size_of_file(path), std::move(read));
}

/// "reading trace.csv, 42 %"
std::string reading_text(const std::string& path, double done);

}  // namespace warplens
