#pragma once

#include "app/measure/recording.h"

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <string_view>

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

}  // namespace warplens
