#pragma once

#include "app/answers/file_work.h"
#include "app/answers/setting_keys.h"
#include "app/measure/accesses/access_list.h"
#include "app/window/frame.h"

#include <cstddef>
#include <optional>
#include <string>

namespace warplens {

/// A file of recorded requests, counted for a device.
struct RequestsKey {
    FileAsked file;
    DeviceFacts device;
    friend bool operator==(const RequestsKey&, const RequestsKey&) = default;
};
Work<AccessList> answer(const RequestsKey& key, Store&);
std::size_t bytes_of(const AccessList& list);

/// The evidence of an instruction's worst request. @param group  index into the list's groups
struct RequestKey {
    Ready<AccessList> list;
    std::size_t group = 0;
    DeviceFacts device;
    friend bool operator==(const RequestKey&, const RequestKey&) = default;
};
Evidence answer(const RequestKey& key, Store&);

/// How it ended to open a person's file.
struct FileOutcome {
    std::string message;  ///< one sentence for a person
    bool opened = false;  ///< If not, the message says why.
    bool again = false;   ///< whether it was open before
};

/// The file of recorded requests that a window has open. It may be long, so it is counted in the background,
/// again for another device; until that is done the old counts stay.
class RequestDesk {
public:
    /// Begin to read a file. Another one that is being read is given up.
    void open(const std::string& path, const DeviceFacts& device);
    /// Count the open file again, if it was counted for another device.
    void count_for(const DeviceFacts& device);
    /// Must be called once per frame. @return  what became of the file since the last call
    std::optional<FileOutcome> advance(Store& store);
    /// "reading trace.csv, 42 %". Empty if nothing is read.
    std::string busy() const { return wanted_ ? reading_text(wanted_->file.path, done_) : std::string(); }
    /// Give up reading. @return  a message for the person
    std::string cancel();
    void close();

    bool is_open() const { return shown_.list != nullptr; }
    const std::string& path() const { return read_.file.path; }
    /// Show an instruction. @param index  in the list; the last one if it is too large
    void choose(std::size_t index);
    RequestsView view() const { return shown_; }

private:
    std::optional<RequestsKey> wanted_;  ///< what is being read
    double done_ = 0;                    ///< how much of it
    std::uint64_t asked_ = 0;
    RequestsKey read_;     ///< what is shown
    DeviceFacts counted_;  ///< for which device it was counted, or could not be counted
    RequestsView shown_;
};

}  // namespace warplens
