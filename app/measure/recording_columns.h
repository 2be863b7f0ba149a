#pragma once

#include "app/base/json_place.h"
#include "app/measure/recording.h"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

inline constexpr std::string_view kRecordingSchema = "warplens recording";
inline constexpr int kRecordingVersion = 1;
inline constexpr std::string_view kMethodColumn = "method";     ///< the index of a text in "methods"
inline constexpr std::string_view kCounterPrefix = "counter ";  ///< stands before the name of a metric

/// One number of a recorded point, as the file contains it. Writer and reader use the same list.
struct RecordingColumn {
    std::string_view name;
    std::string_view takes;  ///< for messages, for example "a number from 0 to 1e+12"
    bool each;               ///< whether it is written for every point even if all are equal
    nlohmann::json (*write)(const RecordedPoint&);  ///< returns null if there is nothing to write
    bool (*read)(const nlohmann::json&,
                 RecordedPoint& point);  ///< returns false if the type is wrong or the value out of range
};
std::span<const RecordingColumn> recording_columns();

/// An integer is written without a decimal point, so that 134217728 does not become 134217728.0.
nlohmann::json whole_if_possible(double value);

/// Reads a number and checks that it lies between `least` and `most`.
bool read_number(const nlohmann::json& value, double least, double most, double& result);

/// Rounds to the stored digits, and keeps the quartiles on their sides of the median.
void round_timing(Timing& timing);

/// Replaces the number of repeats in the method by #, so that few texts serve all points.
std::string method_pattern(const Timing& timing);
std::string method_text(const std::string& pattern, int repeats);

inline constexpr std::size_t kLongestName = 200;  ///< of a GPU, a driver, a knob in a recording [bytes]

/// The kernels of a recording's file that persons typed. Each is opened when a series needs it.
class RecordedKernels {
public:
    RecordedKernels(const OpenKernel& open, std::stop_token stop) : open_(open), stop_(std::move(stop)) {}

    /// @param list  of objects with a text and perhaps a name
    /// Errors: JsonError for too many, and for a text that is too long.
    void read(const JsonPlace& list);

    /// @param unknown  becomes why it cannot be opened; stays empty if it can
    /// @return  null if it cannot
    const Scenario* open(const JsonPlace& index, std::string& unknown);

private:
    struct Kernel {
        std::string name, text;
        const Scenario* scenario = nullptr;
        std::string unknown = {};
    };
    const OpenKernel& open_;
    std::stop_token stop_;
    std::vector<Kernel> all_;
};

/// Reads the series of a recording's file one after the other, and counts what this program does not know.
class SeriesReader {
public:
    /// @param recording  the series are added to it; its GPU and sessions must be there already.
    /// @param defaults   an object with the values, by scenario, of knobs that a series does not name.
    SeriesReader(Recording& recording, const std::vector<std::string>& methods, RecordedKernels& kernels,
                 JsonPlace defaults)
        : recording_(recording), methods_(methods), kernels_(kernels), defaults_(std::move(defaults)) {}

    /// Errors: RecordingError for what no version would write.
    void read(const JsonPlace& place);

    /// One sentence. Empty if nothing was left out.
    std::string skipped() const;

private:
    /// The place where a number of a point is stored. Nothing is set for a column that this program does not
    /// know.
    struct Target {
        std::optional<Knob> knob = {};  ///< without limits that depend on other knobs
        const RecordingColumn* column = nullptr;
        bool method = false;
        std::string counter = {};
    };
    /// A point that is being read; the text of its method is completed at the end.
    struct Reading {
        RecordedPoint point;
        const std::string* method = nullptr;  ///< the pattern of its text
    };
    const Scenario* scenario_of(const JsonPlace& place, std::string& unknown) const;
    Target target_of(const std::string& column) const;
    std::string held_knobs(const JsonPlace& place, const Scenario& scenario, Params& held) const;
    void read_points(const JsonPlace& place, const std::vector<Target>& targets, const Reading& first,
                     RecordedSeries& series);
    std::string read_cell(const nlohmann::json& cell, const Target& target, Reading& reading) const;
    void skip(std::string why, std::size_t points) { skipped_[std::move(why)] += points; }

    Recording& recording_;
    const std::vector<std::string>& methods_;
    RecordedKernels& kernels_;
    JsonPlace defaults_;
    std::map<std::string, std::size_t> skipped_;  ///< the number of points, by reason
    std::size_t points_ = 0;
};

}  // namespace warplens
