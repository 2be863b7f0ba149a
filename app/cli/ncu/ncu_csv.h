#pragma once

#include "app/base/csv.h"
#include "app/cli/ncu/ncu_number.h"

#include <array>
#include <cstdint>
#include <istream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// What one launch shows of one metric.
struct NcuCount {
    double value = 0;     ///< in sectors, bytes, ...: without a prefix
    double rounding = 0;  ///< NcuNumber::rounding
    std::string unit;     ///< as it stands in the file
};

using Extent3 = std::array<std::int64_t, 3>;  ///< x, y, z

/// One launch of a kernel that was profiled.
struct NcuLaunch {
    std::string id;  ///< Nsight Compute's number of the launch
    std::string process_id, process;
    std::string kernel;  ///< on one line
    std::string cc;      ///< compute capability, "9.0"; empty if the file does not say it
    std::optional<Extent3> block, grid;
    /// By KnownMetric::metric. Metrics that nothing makes use of are left out.
    std::map<std::string_view, NcuCount> counts;
    std::vector<std::string_view> without_value;  ///< metrics that the profiler has no value for

    const NcuCount* find(std::string_view metric) const;
};

enum class NcuPage { details, raw };
std::string_view page_name(NcuPage page);  ///< "details"

struct NcuFile {
    NcuPage page = NcuPage::raw;  ///< of its last table
    std::vector<NcuLaunch> launches;
    long skipped_lines = 0;  ///< lines between rows that the profiled program printed
};

/// How much of a file is taken.
struct NcuLimits {
    std::size_t launches = 10000;
    std::int64_t bytes = std::int64_t{1} << 30;
};

/// Read what `ncu --csv` printed, pages details and raw, several tables one after the other included. Lines
/// before the first table and lines between rows may be of the profiler (==) or of the program.
/// @param name  of the input, for messages.
/// Errors: UsageError with one sentence: no table, another page, a row cut off, a value that is no number,
/// too large.
NcuFile read_ncu_csv(std::istream& input, const std::string& name, const NcuLimits& limits = {});

}  // namespace warplens
