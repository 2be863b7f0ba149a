#include "app/measure/recording.h"

#include "app/measure/recording_columns.h"
#include "app/model/time/prediction.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <unordered_map>

namespace warplens {
namespace {

bool same_session(const RecordedSession& a, const RecordedSession& b) {
    return a.date == b.date && a.program == b.program && a.note == b.note &&
           a.versions.driver == b.versions.driver && a.versions.runtime == b.versions.runtime;
}

std::string describe(const GpuInfo& gpu) {
    return fmt::format("{} (compute capability {}.{}, {} SMs)", gpu.name, gpu.cc_major, gpu.cc_minor,
                       gpu.sm_count);
}

bool same_model(const GpuInfo& a, const GpuInfo& b) {
    return a.name == b.name && a.cc_major == b.cc_major && a.cc_minor == b.cc_minor &&
           a.sm_count == b.sm_count;
}

/// The position of a setting's point of the latest session.
struct Place {
    std::size_t series, point;
};

/// Keep only the latest point of each setting.
/// @return  how many were removed.
std::size_t keep_latest(Recording& recording) {
    std::unordered_map<std::string, Place> latest;
    std::vector<std::vector<bool>> drop;
    std::size_t dropped = 0;
    std::unordered_map<std::string_view, std::size_t> kernels;  // by text
    const auto date_of = [&](std::size_t s) -> const std::string& {
        return recording.sessions[recording.series[s].session].date;
    };
    for (std::size_t s = 0; s < recording.series.size(); ++s) {
        const RecordedSeries& series = recording.series[s];
        drop.emplace_back(series.points.size(), false);
        std::string kernel;
        if (series.scenario->typed != nullptr)
            kernel = fmt::format(
                "{} ", kernels.try_emplace(series.scenario->typed->text(), kernels.size()).first->second);
        for (std::size_t p = 0; p < series.points.size(); ++p) {
            const std::string setting = kernel + recorded_setting(*series.scenario, series.points[p].params);
            const auto [known, is_new] = latest.try_emplace(setting, Place{s, p});
            if (is_new) continue;
            ++dropped;
            if (date_of(s) < date_of(known->second.series)) {
                drop[s][p] = true;
            } else {
                drop[known->second.series][known->second.point] = true;
                known->second = {s, p};
            }
        }
    }
    for (std::size_t s = 0; s < recording.series.size(); ++s) {
        std::vector<RecordedPoint> kept;
        for (std::size_t p = 0; p < drop[s].size(); ++p) {
            if (!drop[s][p]) kept.push_back(std::move(recording.series[s].points[p]));
        }
        recording.series[s].points = std::move(kept);
    }
    std::erase_if(recording.series, [](const RecordedSeries& series) { return series.points.empty(); });
    return dropped;
}

/// Removes sessions that have no series any more.
void drop_unused_sessions(Recording& recording) {
    std::vector<std::size_t> place(recording.sessions.size());
    std::vector<RecordedSession> kept;
    for (std::size_t i = 0; i < recording.sessions.size(); ++i) {
        const bool used =
            std::ranges::find(recording.series, i, &RecordedSeries::session) != recording.series.end();
        place[i] = kept.size();
        if (used) kept.push_back(std::move(recording.sessions[i]));
    }
    recording.sessions = std::move(kept);
    for (RecordedSeries& series : recording.series) series.session = place[series.session];
}

void check_kernels(const Recording& recording) {
    std::set<std::string_view> texts;
    for (const RecordedSeries& series : recording.series)
        if (series.scenario->typed != nullptr) texts.insert(series.scenario->typed->text());
    if (texts.size() > kMostRecordedKernels)
        throw RecordingError(
            fmt::format("together they have {} kernels that were typed, and a recording holds at most {}: "
                        "merge fewer of them",
                        texts.size(), kMostRecordedKernels));
}

std::size_t session_index(Recording& recording, const RecordedSession& session) {
    const auto found = std::ranges::find_if(
        recording.sessions, [&](const RecordedSession& s) { return same_session(s, session); });
    if (found != recording.sessions.end()) return std::size_t(found - recording.sessions.begin());
    recording.sessions.push_back(session);
    return recording.sessions.size() - 1;
}

using nlohmann::json;

constexpr double kMostTime = 1e12;    // [us], eleven days
constexpr double kMostAmount = 1e18;  // [bytes, operations]
constexpr std::string_view kTime = "a number from 0 to 1e+12", kAmount = "a number from 0 to 1e+18";
constexpr int kMostRepeats = 1'000'000'000;

double rounded(double value) {
    if (!std::isfinite(value) || value == 0) return 0;
    return std::strtod(fmt::format("{:.{}g}", value, kRecordedDigits).c_str(), nullptr);
}

template <double Timing::*field>
json write_field(const RecordedPoint& point) {
    return point.timing.*field > 0 ? whole_if_possible(point.timing.*field) : json();
}

template <double Timing::*field>
bool read_time(const json& value, RecordedPoint& point) {
    return read_number(value, 0, kMostTime, point.timing.*field);
}

template <double Timing::*field>
bool read_amount(const json& value, RecordedPoint& point) {
    return read_number(value, 0, kMostAmount, point.timing.*field);
}

template <double Timing::*field>
constexpr RecordingColumn time_column(std::string_view name, bool each) {
    return {name, kTime, each, write_field<field>, read_time<field>};
}

json write_repeats(const RecordedPoint& point) { return point.timing.repeats; }

bool read_repeats(const json& value, RecordedPoint& point) {
    double repeats = 0;
    if (!read_number(value, 0, kMostRepeats, repeats) || repeats != std::floor(repeats)) return false;
    point.timing.repeats = int(repeats);
    return true;
}

json write_fits_l2(const RecordedPoint& point) { return point.timing.fits_l2 ? json(true) : json(); }
json write_cold(const RecordedPoint& point) { return point.timing.cold ? json(true) : json(); }
json write_library(const RecordedPoint& point) {
    return point.timing.library.empty() ? json() : json(point.timing.library);
}

bool read_flag(const json& value, bool& flag) {
    if (!value.is_boolean()) return false;
    flag = value.get<bool>();
    return true;
}
bool read_fits_l2(const json& value, RecordedPoint& point) { return read_flag(value, point.timing.fits_l2); }
bool read_cold(const json& value, RecordedPoint& point) { return read_flag(value, point.timing.cold); }
bool read_library(const json& value, RecordedPoint& point) {
    constexpr std::size_t kLongest = 100;
    if (!value.is_string() || value.get_ref<const std::string&>().size() > kLongest) return false;
    point.timing.library = value.get<std::string>();
    return true;
}

constexpr std::array kColumns{
    time_column<&Timing::median_us>("median_us", true),
    time_column<&Timing::lower_us>("lower_us", true),
    time_column<&Timing::upper_us>("upper_us", true),
    RecordingColumn{"repeats", "a whole number from 0", true, write_repeats, read_repeats},
    time_column<&Timing::cycles_per_request>("cycles_per_request", true),
    time_column<&Timing::cycles_lower>("cycles_lower", true),
    time_column<&Timing::cycles_upper>("cycles_upper", true),
    time_column<&Timing::bank_cycles>("bank_cycles", true),
    time_column<&Timing::bank_cycles_lower>("bank_cycles_lower", true),
    time_column<&Timing::bank_cycles_upper>("bank_cycles_upper", true),
    time_column<&Timing::sm_clock_mhz>("sm_clock_mhz", false),
    RecordingColumn{"useful_bytes", kAmount, false, write_field<&Timing::useful_bytes>,
                    read_amount<&Timing::useful_bytes>},
    RecordingColumn{"flop", kAmount, false, write_field<&Timing::flop>, read_amount<&Timing::flop>},
    RecordingColumn{"fits_l2", "true or false", false, write_fits_l2, read_fits_l2},
    RecordingColumn{kColdKey, "true or false", false, write_cold, read_cold},
    RecordingColumn{"library", "a text", false, write_library, read_library},
    time_column<&Timing::library_us>("library_us", false),
};

void round_spread(double& lower, double& median, double& upper) {
    median = rounded(median);
    lower = std::min(rounded(lower), median);
    upper = std::max(rounded(upper), median);
}

}  // namespace

std::size_t Recording::point_count() const {
    std::size_t count = 0;
    for (const RecordedSeries& one : series) count += one.points.size();
    return count;
}

std::string Recording::days() const {
    if (sessions.empty()) return {};
    const auto [first, last] = std::ranges::minmax_element(sessions, {}, &RecordedSession::date);
    return first->day() == last->day() ? first->day() : first->day() + " to " + last->day();
}

std::string recorded_setting(const Scenario& scenario, const Params& params) {
    const std::string settings = describe_settings(scenario, params, ",");
    return std::string(scenario.info->id) + (settings.empty() ? "" : " ") + settings;
}

void add_series(Recording& recording, const Scenario& scenario, std::vector<RecordedPoint> points) {
    if (points.empty()) return;
    for (RecordedPoint& point : points) {
        point.timing.gpu = recording.gpu.name;
        round_timing(point.timing);
    }
    recording.series.push_back({&scenario, recording.sessions.size() - 1, std::move(points)});
}

MergedRecording merge_recordings(const std::vector<NamedRecording>& recordings) {
    MergedRecording merged;
    if (recordings.empty()) return merged;
    const NamedRecording& first = recordings.front();
    merged.recording.gpu = first.recording.gpu;
    for (const NamedRecording& next : recordings) {
        if (!same_model(first.recording.gpu, next.recording.gpu)) {
            throw RecordingError(fmt::format(
                "'{}' was recorded on {}, '{}' on {}: only recordings of one GPU model can be "
                "merged; open them side by side instead",
                first.name, describe(first.recording.gpu), next.name, describe(next.recording.gpu)));
        }
        for (RecordedSeries series : next.recording.series) {
            series.session = session_index(merged.recording, next.recording.sessions.at(series.session));
            merged.recording.series.push_back(std::move(series));
        }
    }
    check_kernels(merged.recording);
    merged.replaced = keep_latest(merged.recording);
    drop_unused_sessions(merged.recording);
    return merged;
}

std::span<const RecordingColumn> recording_columns() { return kColumns; }

json whole_if_possible(double value) {
    constexpr double kExact = 9007199254740992.0;  // 2^53
    if (value == std::floor(value) && std::abs(value) <= kExact) return std::int64_t(value);
    return value;
}

bool read_number(const json& value, double least, double most, double& result) {
    if (!value.is_number()) return false;
    const auto number = value.get<double>();
    if (!(number >= least && number <= most)) return false;  // also NaN
    result = number;
    return true;
}

void round_timing(Timing& timing) {
    round_spread(timing.lower_us, timing.median_us, timing.upper_us);
    round_spread(timing.cycles_lower, timing.cycles_per_request, timing.cycles_upper);
    round_spread(timing.bank_cycles_lower, timing.bank_cycles, timing.bank_cycles_upper);
    timing.sm_clock_mhz = rounded(timing.sm_clock_mhz);
    timing.library_us = rounded(timing.library_us);
}

std::string method_pattern(const Timing& timing) {
    std::string text = timing.method;
    const std::string count = std::to_string(timing.repeats) + " repeats";
    const std::size_t at = text.rfind(count);
    const bool whole_number = at != std::string::npos && (at == 0 || text[at - 1] == ' ');
    return whole_number ? text.replace(at, count.size(), "# repeats") : text;
}

std::string method_text(const std::string& pattern, int repeats) {
    const std::size_t at = pattern.rfind("# repeats");
    if (at == std::string::npos) return pattern;
    const std::string count = std::to_string(repeats);
    std::string text;
    text.reserve(pattern.size() + count.size());
    return text.append(pattern, 0, at).append(count).append(pattern, at + 1);
}

}  // namespace warplens
