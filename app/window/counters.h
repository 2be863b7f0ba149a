#pragma once

#include "app/experiment/ncu/compared_page.h"
#include "app/window/file_reading.h"
#include "app/window/frame.h"

#include <memory>
#include <optional>
#include <string>

namespace warplens {

/// The page of Nsight Compute that a window has open. It is read and compared on a thread of its own, and
/// compared again with another basis; until that is done the old comparison stays.
class CounterDesk {
public:
    /// @param wake  called from any thread when a file has been read
    explicit CounterDesk(std::function<void()> wake) : reading_(std::move(wake)) {}

    /// Begin to read a file. Another one that is being read is given up.
    void open(const std::string& path, const NcuBasis& basis);
    /// Compare the open file with something else, if it was compared with another basis.
    void compare_with(const NcuBasis& basis);
    /// What became of the file since the last call.
    std::optional<FileOutcome> advance();
    /// "reading page.csv, 42 %". Empty if nothing is read.
    std::string busy() const { return reading_.busy(); }
    /// Give up reading. @return  a message for the person
    std::string cancel();
    void close();

    bool is_open() const { return page_ != nullptr; }
    /// Show a launch. @param index  in the page's order; the last one if it is too large
    void choose(std::size_t index);
    CountersView view() const { return {page_.get(), chosen_}; }
    /// The command that prints the same comparison.
    std::string command() const;

private:
    FileReading<ComparedPage> reading_;
    std::string read_path_;  ///< of the file that is read, or was read last
    NcuBasis read_with_;     ///< with what it is compared
    std::string path_;
    std::unique_ptr<const ComparedPage> page_;
    NcuBasis basis_;  ///< with what it was compared, or could not be compared
    std::size_t chosen_ = 0;
    bool picked_ = false;  ///< by a person; else the first one is shown
};

}  // namespace warplens
