#pragma once

#include "app/experiment/recordings.h"
#include "app/measure/recording.h"

#include <deque>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <vector>

namespace warplens {

/// The recordings that a window has open, those that it is reading, and the files that it opened recently.
/// Files are read one after the other on a separate thread, because large ones take seconds.
class RecordingShelf {
public:
    /// @param wake  called from any thread when a file has been read
    explicit RecordingShelf(std::function<void()> wake) : wake_(std::move(wake)) {}

    /// Add a file to those that are to be read. advance() reports the result.
    void read(const std::string& path) { to_read_.push_back(path); }
    /// The result of reading a file.
    struct Outcome {
        std::string path;
        std::string message;  ///< one sentence for a person
        bool opened = false;  ///< If not, the message says why.
    };
    /// Return the files that were read since the last call, and begin with the next ones. Waits at most 80 ms
    /// for each file, so that small ones are there at once.
    std::vector<Outcome> advance(const std::vector<DeviceFacts>& devices);
    /// The file that is being read. Empty if there is none.
    std::string reading() const { return reading_ ? reading_->path : std::string(); }
    /// Give up reading, also of waiting files. The thread cannot be stopped, so its result is thrown away.
    /// @return  a message for the person
    std::string cancel();

    Recordings recordings;            ///< all that are open
    std::vector<std::string> recent;  ///< files that were opened, the last one first, at most 8
    std::string message;              ///< what happened with the last file. Empty if there was none.

    void remember(const std::string& path);  ///< Add a file to `recent`.

private:
    struct Reading {
        std::string path;
        std::future<ReadRecording> read;
    };
    Outcome finish(Reading done, const std::vector<DeviceFacts>& devices);

    std::function<void()> wake_;
    std::deque<std::string> to_read_;
    std::optional<Reading> reading_;
    std::vector<std::future<ReadRecording>> abandoned_;  ///< kept until their threads have ended
};

}  // namespace warplens
