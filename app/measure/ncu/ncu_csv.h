#pragma once

#include "app/base/csv.h"
#include "app/measure/read_progress.h"
#include "app/model/counters/agreement.h"

#include <array>
#include <cstdint>
#include <istream>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// The value of one metric in one launch.
struct NcuCount {
    double value = 0;     ///< in sectors, bytes, ...: without a prefix; times in ns
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

enum class NcuPage {
    details,
    raw,
    text  ///< the table that is printed without --csv
};
std::string_view page_name(NcuPage page);  ///< "details"

struct NcuFile {
    NcuPage page = NcuPage::raw;  ///< of its last table
    std::vector<NcuLaunch> launches;
    std::vector<std::string> unread;  ///< metrics that were asked for and that nothing makes use of
    long skipped_lines = 0;           ///< lines between rows that the profiled program printed
};

/// How much of a file is taken.
struct NcuLimits {
    std::size_t launches = 10000;
    std::int64_t bytes = std::int64_t{1} << 30;
};

/// Read what `ncu` printed: with --csv the pages details and raw, several tables one after the other
/// included, also saved again with semicolons or tabs; without --csv the text. Lines before the first table
/// and lines between rows may be of the profiler (==) or of the program.
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

/// The command whose output is read.
inline constexpr std::string_view kHowToCount =
    "ncu --csv --page raw --metrics \"$(warplens import-ncu --metrics)\"";

/// The sentence that says which other profiler's table or report a file begins with, or that it is no UTF-8,
/// and how to make one that is read. Empty if it is none that is known.
/// @param name  of the file; its end tells reports apart
std::string other_profiler(std::string_view head, std::string_view name = {});

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
/// The base unit of time is ns.
double unit_scale(std::string_view unit);

/// A metric of Nsight Compute that something here makes use of.
struct KnownMetric {
    std::string_view metric;  ///< the one spelling that is used from here on
    bool whole = true;        ///< it counts things, so it has no decimals
};

/// Find a column or a row's name: a metric, with or without its ".sum", or the label of a section.
/// @return  null if nothing makes use of it.
const KnownMetric* find_known_metric(std::string_view name);

// Sums over the addresses of a launch, which the profiler counts by changing the machine code.
inline constexpr std::string_view kNcuExcessWavefronts = "derived__memory_l1_wavefronts_shared_excessive";
inline constexpr std::string_view kNcuIdealSectors = "memory_l2_theoretical_sectors_global_ideal";
inline constexpr std::string_view kNcuExcessSectors =
    "derived__memory_l2_theoretical_sectors_global_excessive";

/// Numbers that people collect beside the counters that the model predicts: times, resources, occupancy,
/// totals.
std::span<const CounterWords> profile_words();
inline constexpr std::string_view kNcuTime = "gpu__time_duration.sum";
inline constexpr std::string_view kNcuConflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum";
inline constexpr std::string_view kNcuRegisters = "launch__registers_per_thread";
inline constexpr std::string_view kNcuStatic = "launch__shared_mem_per_block_static";
inline constexpr std::string_view kNcuDynamic = "launch__shared_mem_per_block_dynamic";
inline constexpr std::string_view kNcuShareSize = "launch__shared_mem_config_size";  ///< of an SM
inline constexpr std::string_view kNcuGridSize = "launch__grid_size";                ///< blocks, in all
inline constexpr std::string_view kNcuBlockSize = "launch__block_size";              ///< threads, in all
inline constexpr std::string_view kNcuTheoretical = "sm__maximum_warps_per_active_cycle_pct";
inline constexpr std::string_view kNcuAchieved = "sm__warps_active.avg.pct_of_peak_sustained_active";

/// Whether somebody wanted a metric that stands in a file. The profiler attaches attributes of GPU and launch
/// unasked, and to each sum its mean, least and largest.
bool was_asked_for(std::string_view metric);

/// The metrics that `ncu --metrics` is to collect, separated by commas.
std::string ncu_metric_list();

}  // namespace warplens
