#pragma once

#include "app/base/csv.h"
#include "app/measure/read_progress.h"

#include <array>
#include <cstdint>
#include <istream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// The value of one metric in one launch.
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
/// The same for somebody who waits. @return  nothing if it was given up
std::optional<NcuFile> read_ncu_csv(std::istream& input, const std::string& name,
                                    const ReadProgress& progress, const NcuLimits& limits = {});

/// Whether a file that begins like this is a page of Nsight Compute, of whatever kind: one of its lines names
/// the column of kernels.
bool looks_like_ncu(std::string_view head);

/// Which mark a profiler's locale puts before decimals. The other one, a blank or an apostrophe then parts
/// thousands: 65,536.5 or 65.536,5.
enum class DecimalMark { unknown, point, comma };

/// The decimal mark that a number shows: "65,536.5" and "0.25" say point, "27.595.520" says comma; "65,536"
/// could be either, and so could what is no number.
DecimalMark decimal_mark_of(std::string_view text);

/// A metric's value in the unit without a prefix: sectors, bytes.
struct NcuNumber {
    enum class State {
        number,
        none,       ///< the profiler has no value: empty, n/a, nan, inf, or marked by (!)
        unreadable  ///< anything else
    };
    State state = State::none;
    double value = 0;
    double rounding = 0;  ///< the true value differs by so much at most; 0 if all digits are printed
};

/// Read a value as Nsight Compute prints it. What stands behind it in brackets (instances) is left out.
///
/// @param mark   of the file; `unknown` is read as `point`.
/// @param unit   "sector", "Ksector", "Mbyte": prefixes K, M, G, T scale by 1000. Others are taken as they
/// are.
/// @param whole  it counts things: one mark before three digits parts thousands, whatever the locale.
NcuNumber read_ncu_number(std::string_view text, std::string_view unit, DecimalMark mark, bool whole);

/// How many of the base unit are one of this: 1000 for "Ksector", 1 for "sector" and for what is not known.
double unit_scale(std::string_view unit);

/// A metric of Nsight Compute that something here makes use of.
struct KnownMetric {
    std::string_view metric;  ///< the one spelling that is used from here on
    bool whole = true;        ///< it counts things, so it has no decimals
};

/// Find a column or a row's name: a metric, with or without its ".sum", or the label of a section.
/// @return  null if nothing makes use of it.
const KnownMetric* find_known_metric(std::string_view name);

/// The metrics that `ncu --metrics` is to collect, separated by commas.
std::string ncu_metric_list();

}  // namespace warplens
