#pragma once

#include "app/experiment/evidence.h"
#include "app/measure/accesses/access_list.h"
#include "app/window/file_reading.h"
#include "app/window/frame.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace warplens {

/// The file of recorded requests that a window has open. It is read and counted on a thread of its own, again
/// for another device, because it may be long; until that is done the old counts stay.
class RequestDesk {
public:
    /// @param wake  called from any thread when a file has been counted
    explicit RequestDesk(std::function<void()> wake) : reading_(std::move(wake)) {}

    /// Begin to read a file. Another one that is being read is given up.
    void open(const std::string& path, const DeviceFacts& device);
    /// Count the open file again, if it was counted for another device.
    void count_for(const DeviceFacts& device);
    /// What became of the file since the last call.
    std::optional<FileOutcome> advance();
    /// "reading trace.csv, 42 %". Empty if nothing is read.
    std::string busy() const { return reading_.busy(); }
    /// Give up reading. @return  a message for the person
    std::string cancel();
    void close();

    bool is_open() const { return list_ != nullptr; }
    const std::string& path() const { return path_; }
    /// Show an instruction. @param index  in the list; the last one if it is too large
    void choose(std::size_t index);
    RequestsView view() const;

private:
    FileReading<AccessList> reading_;
    std::string read_path_;  ///< of the file that is read, or was read last
    DeviceFacts read_for_;   ///< for which it is counted
    std::string path_;
    std::unique_ptr<const AccessList> list_;
    DeviceFacts device_;  ///< for which it was counted, or could not be counted
    std::size_t chosen_ = 0;
    Evidence evidence_;
    std::uint64_t generation_ = 0;
};

}  // namespace warplens
