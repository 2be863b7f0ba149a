#pragma once

#include "app/measure/recording.h"

#include <cmath>
#include <string>

namespace warplens::test {

inline GpuInfo h200_info() {
    GpuInfo gpu;
    gpu.name = "NVIDIA H200";
    gpu.cc_major = 9;
    gpu.sm_count = 132;
    gpu.clock_mhz = 1980;
    gpu.peak_gb_per_s = 4814.9;
    gpu.memory_bytes = 150754820096;
    gpu.l2_bytes = 62914560;
    gpu.shared_per_block_optin_bytes = 232448;
    gpu.max_threads_per_block = 1024;
    gpu.l2_fetch_granularity_bytes = 64;
    return gpu;
}

inline RecordedSession session(const std::string& date = "2026-11-21T20:15:50Z") {
    RecordedSession session;
    session.date = date;
    session.program = "warplens 0.1.0";
    session.versions = {true, 13000, 13010};
    session.conditions = {1980, 3201, 0, 120.5, 41, "580.65.06"};
    session.note = "quiet node";
    return session;
}

inline Timing timing(double us, double useful_bytes) {
    Timing timing;
    timing.median_us = us;
    timing.lower_us = us * 0.98;
    timing.upper_us = us * 1.03;
    timing.repeats = 12;
    timing.useful_bytes = useful_bytes;
    timing.method =
        "grid of 8 blocks of 256 threads; CUDA events round 4 launches on random data, 12 repeats "
        "(until the median was known well enough), median and quartiles";
    return timing;
}

inline Timing cycles(double per_request) {
    Timing timing = test::timing(40, 0);
    timing.cycles_per_request = per_request;
    timing.cycles_lower = per_request * 0.999;
    timing.cycles_upper = per_request * 1.001;
    return timing;
}

/// A row of settings of one knob, as a GPU might take them: `bytes` in a time that grows with the setting.
inline std::vector<RecordedPoint> points_along(const char* id, const char* key, int first, int last,
                                               double bytes = 134217728) {
    const Scenario& scenario = *find_scenario(id);
    const Knob& knob = *find_knob(scenario, key);
    std::vector<RecordedPoint> points;
    for (int value = first; value <= last; ++value) {
        RecordedPoint point;
        point.params = scenario.info->defaults;
        point.params.*knob.field = value;
        const double us = 62.1 + 11.3 * std::abs(value);
        point.timing = bytes > 0 ? timing(us, bytes) : cycles(1 + value % 8);
        points.push_back(std::move(point));
    }
    return points;
}

/// Strided reads at stride 1 to 32, and bank conflicts at stride 1 to 16.
inline Recording sample_recording(const std::string& date = "2026-11-21T20:15:50Z") {
    Recording recording;
    recording.gpu = h200_info();
    recording.sessions.push_back(session(date));
    add_series(recording, *find_scenario("global-stride"), points_along("global-stride", "stride", 1, 32));
    add_series(recording, *find_scenario("shared-stride"), points_along("shared-stride", "stride", 1, 16, 0));
    return recording;
}

}  // namespace warplens::test
