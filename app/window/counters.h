#pragma once

#include "app/answers/file_work.h"
#include "app/experiment/ncu/compared_page.h"
#include "app/window/frame.h"
#include "app/window/requests.h"

#include <cstddef>
#include <optional>
#include <string>

namespace warplens {

/// A file of Nsight Compute.
struct NcuFileKey {
    FileAsked file;
    friend bool operator==(const NcuFileKey&, const NcuFileKey&) = default;
};
Work<NcuFile> answer(const NcuFileKey& key, Store&);
std::size_t bytes_of(const NcuFile& file);

/// Its launches beside what is expected of them.
struct ComparedKey {
    Ready<NcuFile> file;
    std::string name;
    NcuBasis basis;
    friend bool operator==(const ComparedKey&, const ComparedKey&) = default;
};
Work<ComparedPage> answer(const ComparedKey& key, Store&);

/// The page of Nsight Compute that a window has open. It is read and compared in the background, and compared
/// again with another basis; until that is done the old comparison stays.
class CounterDesk {
public:
    /// Begin to read a file. Another one that is being read is given up.
    void open(const std::string& path, const NcuBasis& basis);
    /// Compare the open file with something else, if it was compared with another basis.
    void compare_with(const NcuBasis& basis);
    /// Must be called once per frame. @return  what became of the file since the last call
    std::optional<FileOutcome> advance(Store& store);
    /// "reading page.csv, 42 %". Empty if nothing is read.
    std::string busy() const { return wanted_ ? reading_text(wanted_->file.path, done_) : std::string(); }
    /// Give up reading. @return  a message for the person
    std::string cancel();
    void close();

    bool is_open() const { return shown_.page != nullptr; }
    /// Show a launch. @param index  in the page's order; the last one if it is too large
    void choose(std::size_t index);
    CountersView view() const { return shown_; }
    /// The command that prints the same comparison.
    std::string command() const;

private:
    FileOutcome show(Ready<ComparedPage> page);

    std::optional<NcuFileKey> wanted_;  ///< what is being read or compared
    double done_ = 0;                   ///< how much of it is read
    std::uint64_t asked_ = 0;
    NcuFileKey read_;  ///< what is shown
    NcuBasis basis_;   ///< with what it is compared, or could not be compared
    CountersView shown_;
    bool picked_ = false;  ///< by a person; else the first one is shown
};

}  // namespace warplens
