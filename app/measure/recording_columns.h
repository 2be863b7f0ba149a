#pragma once

#include "app/measure/recording.h"

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <string_view>

namespace warplens {

inline constexpr std::string_view kRecordingSchema = "warplens recording";
inline constexpr int kRecordingVersion = 1;
inline constexpr std::string_view kMethodColumn = "method";     ///< number of a text in "methods"
inline constexpr std::string_view kCounterPrefix = "counter ";  ///< before a metric's name

/// One number of a recorded point, as the file has it. Writer and reader go through the same list.
struct RecordingColumn {
    std::string_view name;
    std::string_view takes;                         ///< for messages: "a number from 0 to 1e+12"
    bool each;                                      ///< stands in every point even when all are the same
    nlohmann::json (*write)(const RecordedPoint&);  ///< null: nothing to say
    bool (*read)(const nlohmann::json&, RecordedPoint& point);  ///< false: of a wrong type or out of range
};
std::span<const RecordingColumn> recording_columns();

/// A whole number without a point, so that 134217728 does not become 134217728.0.
nlohmann::json whole_if_possible(double value);

/// The number, if it is one from `least` to `most`.
bool read_number(const nlohmann::json& value, double least, double most, double& result);

/// As many digits as are kept, and quartiles on their sides of the median.
void round_timing(Timing& timing);

/// The method with # for the number of repeats, and back: few texts then serve for all points.
std::string method_pattern(const Timing& timing);
std::string method_text(const std::string& pattern, int repeats);

}  // namespace warplens
