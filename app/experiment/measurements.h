#pragma once

#include "app/measure/worker.h"
#include "app/model/catalogue.h"
#include "app/pictures/plot/curve.h"

#include <functional>
#include <unordered_map>
#include <vector>

namespace warplens {

/// All that has been measured, by scenario and setting, so far in this session or in a recording.
class Measurements {
public:
    using Outcome = std::variant<Timing, Unavailable>;

    /// @param most  how many outcomes are kept at most. When there would be more, all are forgotten, so that
    /// a long session needs little memory.
    explicit Measurements(std::size_t most) : most_(most) {}
    Measurements() : Measurements(16384) {}

    void add(const MeasureResult& result);
    void add(const CountResult& result);
    /// The same for a typed kernel, which no id names.
    void add(const Scenario& scenario, const CountResult& result);
    void add(const Scenario& scenario, const Params& params, Outcome outcome);

    /// The outcome for a setting. Null if it was not measured yet. Knobs that only choose the picture do not
    /// matter if the whole grid is timed.
    const Outcome* find(const Scenario& scenario, const Params& params) const;

    /// The hardware counters of a setting. Null if they were not read yet.
    const CountResult* find_counts(const Scenario& scenario, const Params& params) const;

    /// The measured points of a curve: every value of its knob that has been measured while all other knobs
    /// are as in params.
    std::vector<MeasuredPoint> points(const Scenario& scenario, const Params& params, const Knob& axis,
                                      const DeviceFacts& device) const;

    /// Visits every setting of a scenario that has been measured, in no particular order. Knobs that the
    /// measured kernel does not depend on have their defaults.
    void for_each(const Scenario& scenario,
                  const std::function<void(const Params&, const Outcome&)>& visit) const;

    /// Jobs for settings, in their order. Settings that have been timed already are left out unless `again`
    /// is set.
    std::vector<MeasureJob> jobs(const Scenario& scenario, const std::vector<Params>& settings,
                                 bool again) const;

    /// The jobs for a plot: the present setting first, then the other points, the nearest first. Settings
    /// that have been timed already are left out unless `again` is set.
    std::vector<MeasureJob> jobs(const Scenario& scenario, const Params& params, const Knob* axis,
                                 bool again = false) const;

private:
    struct Key {
        const Scenario* scenario;  ///< of typed kernels any with the same text
        Params params;             ///< knobs that the measured kernel does not depend on have their defaults
        bool operator==(const Key& other) const;
    };
    struct KeyHash {
        std::size_t operator()(const Key& setting) const;
    };
    static Key setting_of(const Scenario& scenario, const Params& params);
    static Key launch_of(const Scenario& scenario, const Params& params);

    std::size_t most_;
    std::unordered_map<Key, Outcome, KeyHash> outcomes_;
    /// A setting in outcomes_ that is the same launch, by launch_of: what was timed with another value of a
    /// knob without effect is found as well.
    std::unordered_map<Key, Key, KeyHash> settings_;
    std::unordered_map<Key, CountResult, KeyHash> counts_;
};

/// How fast a GPU ran a setting.
struct Observation {
    Timing timing;
    MeasuredPoint point;  ///< in the unit of the plot
    std::string where;    ///< "Measured on NVIDIA H200", "recorded on NVIDIA H200, 2026-11-21"
    Provenance provenance = Provenance::measured;
    /// How a recording of the GPU in question compares with the variant before and with
    /// NVIDIA's library. "2.1 times as fast as tiled (recorded, NVIDIA H200)." Empty if that is not known.
    std::string gain = {};
};

/// A timing in the unit of a plot, with quartiles. 0 if it has no value in that unit.
struct PlottedTiming {
    double median = 0, lower = 0, upper = 0;
};
PlottedTiming plotted_timing(const Timing& timing, SpeedUnit speed_unit);

/// The same as a point of the scenario's plot. If the plot is in GB/s but the timing is in cycles per
/// request, as for shared memory, the point is what all SMs would move if each repeated the pictured request.
/// @param device  the GPU that was measured.
MeasuredPoint measured_point(const Scenario& scenario, const Params& params, const Timing& timing,
                             const DeviceFacts& device);

}  // namespace warplens
