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

/// The recordings that a window has open, those that it is reading, and the files it opened lately. A file is
/// read on a thread of its own, because large ones take seconds; one after the other.
class RecordingShelf {
public:
    /// @param wake  called from any thread when a file has been read
    explicit RecordingShelf(std::function<void()> wake) : wake_(std::move(wake)) {}

    /// Read a file soon; advance() says what became of it.
    void read(const std::string& path) { to_read_.push_back(path); }
    /// What became of a file.
    struct Outcome {
        std::string path;
        std::string message;  ///< one sentence for a person
        bool opened = false;  ///< else the message says why not
    };
    /// Files that have been read since, and on to the next ones. Waits at most 80 ms for each small one.
    std::vector<Outcome> advance(const std::vector<DeviceFacts>& devices);
    /// The file that is being read; empty: none.
    std::string reading() const { return reading_ ? reading_->path : std::string(); }
    /// Give up reading, also of files that wait. The thread cannot be stopped; what it reads is thrown away.
    /// @return  what a person should know
    std::string cancel();

    Recordings recordings;            ///< all that are open
    std::vector<std::string> recent;  ///< files that were opened, the last one first, at most 8
    std::string message;              ///< what became of the last file; empty: there was none

    void remember(const std::string& path);  ///< as opened lately

private:
    struct Reading {
        std::string path;
        std::future<ReadRecording> read;
    };
    Outcome finish(Reading done, const std::vector<DeviceFacts>& devices);

    std::function<void()> wake_;
    std::deque<std::string> to_read_;
    std::optional<Reading> reading_;
    std::vector<std::future<ReadRecording>> abandoned_;  ///< until their threads are through
};

}  // namespace warplens
