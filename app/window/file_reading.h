#pragma once

#include "app/base/text.h"
#include "app/measure/read_progress.h"
#include "app/window/host.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warplens {

/// What became of a file that a person opened.
struct FileOutcome {
    std::string message;  ///< one sentence for a person
    bool opened = false;  ///< If not, the message says why.
    bool again = false;   ///< whether it was open before
};

/// A file that is read on a thread of its own, because it may be long. One file at a time.
/// @tparam T  what becomes of it
template <class T>
class FileReading {
public:
    using Read = std::optional<T>;  ///< nothing if it was given up

    /// @param wake  called from any thread when a file has been read
    explicit FileReading(std::function<void()> wake) : wake_(std::move(wake)) {}
    ~FileReading() {  // which waits for the threads
        if (now_) now_->stop.request_stop();
    }
    FileReading& operator=(FileReading&&) = delete;

    /// Begin to read a file. Another one that is being read is given up.
    /// @param read  called on another thread: Read(const ReadProgress&). What it throws comes out of the
    /// future
    template <class Work>
    void start(const std::string& path, Work read) {
        cancel();
        std::error_code ignored;
        const auto size = std::filesystem::file_size(path, ignored);
        Now now{path,
                {},
                std::make_shared<std::atomic<std::int64_t>>(0),
                ignored ? 0 : static_cast<std::int64_t>(size),
                true,
                {}};
        now.read = std::async(
            std::launch::async,
            [work = std::move(read), stop = now.stop.get_token(), bytes = now.bytes, wake = wake_]() -> Read {
                struct Wake {
                    const std::function<void()>& wake;
                    ~Wake() { wake(); }
                } at_the_end{wake};
                return work(ReadProgress{stop, bytes.get()});
            });
        now_ = std::move(now);
    }

    bool is_running() const { return now_.has_value(); }

    /// What has become of the file, once. Waits at most 80 ms when a file was just begun, so that short files
    /// are there at once.
    std::optional<std::future<Read>> take() {
        std::erase_if(given_up_, is_ready<Read>);
        if (!now_) return std::nullopt;
        constexpr std::chrono::milliseconds kShort{80};
        if (std::exchange(now_->fresh, false)) now_->read.wait_for(kShort);
        if (!is_ready(now_->read)) return std::nullopt;
        std::future<Read> done = std::move(now_->read);
        now_.reset();
        return done;
    }

    /// "reading trace.csv, 42 %". Empty if nothing is read.
    std::string busy() const {
        if (!now_) return {};
        std::string text = "reading " + printable(std::filesystem::path(now_->path).filename().string());
        if (now_->size > 0)
            text += fmt::format(", {} %", std::min<std::int64_t>(100, 100 * *now_->bytes / now_->size));
        return text;
    }

    /// Give up reading. @return  a message for the person. Empty if nothing was read
    std::string cancel() {
        if (!now_) return {};
        const std::string message = fmt::format("did not open '{}': cancelled", printable(now_->path));
        now_->stop.request_stop();
        given_up_.push_back(std::move(now_->read));
        now_.reset();
        return message;
    }

private:
    struct Now {
        std::string path;
        std::stop_source stop;
        std::shared_ptr<std::atomic<std::int64_t>> bytes;
        std::int64_t size = 0;  ///< of the file [bytes]
        bool fresh = true;      ///< nobody has waited for it yet
        std::future<Read> read;
    };

    std::function<void()> wake_;
    std::optional<Now> now_;
    std::vector<std::future<Read>> given_up_;  ///< until their threads have ended
};

}  // namespace warplens
