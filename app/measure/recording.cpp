#include "app/measure/recording.h"

#include "app/measure/recording_columns.h"

#include <fmt/format.h>

#include <algorithm>
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
    const auto date_of = [&](std::size_t s) -> const std::string& {
        return recording.sessions[recording.series[s].session].date;
    };
    for (std::size_t s = 0; s < recording.series.size(); ++s) {
        const RecordedSeries& series = recording.series[s];
        drop.emplace_back(series.points.size(), false);
        for (std::size_t p = 0; p < series.points.size(); ++p) {
            const std::string setting = recorded_setting(*series.scenario, series.points[p].params);
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

std::size_t session_index(Recording& recording, const RecordedSession& session) {
    const auto found = std::ranges::find_if(
        recording.sessions, [&](const RecordedSession& s) { return same_session(s, session); });
    if (found != recording.sessions.end())
        return static_cast<std::size_t>(found - recording.sessions.begin());
    recording.sessions.push_back(session);
    return recording.sessions.size() - 1;
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
    merged.replaced = keep_latest(merged.recording);
    drop_unused_sessions(merged.recording);
    return merged;
}

}  // namespace warplens
