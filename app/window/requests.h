#pragma once

#include "app/experiment/evidence.h"
#include "app/measure/accesses/access_list.h"
#include "app/window/frame.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warplens {

/// The file of recorded requests that a window has open. It is read and counted on a thread of its own, again
/// for another device, because it may be long; until that is done the old counts stay.
class RequestDesk {
public:
    /// @param wake  called from any thread when a file has been counted
    explicit RequestDesk(std::function<void()> wake) : wake_(std::move(wake)) {}
    ~RequestDesk();

    /// Begin to read a file. Another one that is being read is given up.
    void open(const std::string& path, const DeviceFacts& device);
    /// Count the open file again, if it was counted for another device.
    void count_for(const DeviceFacts& device);
    struct Outcome {
        std::string message;  ///< one sentence for a person
        bool opened = false;  ///< If not, the message says why.
        bool again = false;   ///< whether it was open before
    };
    /// What became of the file since the last call. Waits at most 80 ms, so that short files are there at
    /// once.
    std::optional<Outcome> advance();
    /// "reading trace.csv, 42 %". Empty if nothing is read.
    std::string busy() const;
    /// Give up reading. @return  a message for the person
    std::string cancel();
    void close();

    bool is_open() const { return list_ != nullptr; }
    const std::string& path() const { return path_; }
    /// Show an instruction. @param index  in the list; the last one if it is too large
    void choose(std::size_t index);
    RequestsView view() const;

private:
    struct Reading {
        std::string path;
        DeviceFacts device;
        std::stop_source stop;
        std::shared_ptr<std::atomic<std::int64_t>> bytes;
        std::int64_t size = 0;  ///< of the file [bytes]
        std::future<std::optional<AccessList>> list;
    };

    std::function<void()> wake_;
    std::optional<Reading> reading_;
    std::vector<std::future<std::optional<AccessList>>> abandoned_;  ///< until their threads have ended
    std::string path_;
    std::unique_ptr<const AccessList> list_;
    DeviceFacts device_;  ///< for which it was counted
    std::size_t chosen_ = 0;
    Evidence evidence_;
    std::uint64_t generation_ = 0;
};

}  // namespace warplens
