#pragma once

// The folder app/model/time/ predicts how long a launch takes, which memory or unit limits it, and how
// many bytes are transferred between the memories: bandwidth, arithmetic, latency, spilling, the flow of
// bytes and the roofline. The constants are in limits.h, with their sources. Measured times come from
// kernels/timing/ and app/measure/.

#include "app/model/access/report.h"
#include "app/model/time/limits.h"
#include "app/model/time/traffic.h"
#include "app/model/time/transfer.h"

#include <array>
#include <string>
#include <string_view>

namespace warplens {

/// The expected performance of a scenario. Provenance: always approximate.
struct Prediction {
    SpeedUnit speed_unit = SpeedUnit::gb_per_s;
    double value = 0;  ///< in the unit of speed_unit; 0 if not known
    /// The line in the plot: for GB/s the bandwidth of DRAM, or of the link to the host, by the datasheet, or
    /// the peak of shared memory. 0 if there is none.
    double peak = 0;
    Limiter limiter = Limiter::none;
    bool shared_memory = false;  ///< whether the scenario accesses nothing beyond the SM, so that the peak is
                                 ///< that of shared memory
    bool cold = false;           ///< for a launch with an empty L2; otherwise it follows a launch like it
    bool follows_from_data = false;  ///< So nothing is predicted: atomic operations meet as data have it.
    bool fits_l2 = false;            ///< the footprint fits into the L2, so a repeated run measures the cache
    /// The bytes requested by all active lanes of the grid. In shared memory a word that several lanes of a
    /// request share counts once, because it leaves its bank once [bytes].
    double useful_bytes = 0;
    /// DRAM traffic of the whole grid; 0 for shared memory, and for what the L2 holds [bytes].
    double dram_bytes = 0;
    double footprint_bytes = 0;  ///< distinct bytes of DRAM that are accessed [bytes]
    double time_us = 0;          ///< the measured time that is expected for one launch; 0 if not known [us]
    Transfer transfer{};         ///< from the host, as a part of the time
    /// The time that each part of the GPU alone would need for the launch. Unused entries at the end have no
    /// limiter. All are unused for SpeedUnit::cycles, and if too little is known about the device.
    std::array<limits::Limit, limits::kMostLimits> limits{};
    // For a scenario that computes (SpeedUnit::gflop_per_s):
    double flop = 0;  ///< operations of the whole grid; 0 if not counted
    /// arithmetic intensity: flop per byte that lanes load from global memory; 0 if not known
    double intensity = 0;
    double l2_bytes = 0;  ///< between the SMs and the L2, for the whole grid; 0 if not known [bytes]

    /// Whether the bytes are counted: not of what cannot be launched, or follows from data.
    bool knows_bytes() const { return value > 0 || useful_bytes > 0; }
    /// Whether the peak is a limit of the value. Caches deliver more than the peak of DRAM.
    bool below_peak() const { return peak > 0 && value <= peak; }
    /// The share of the requested bytes that do not come from DRAM, where the value is above its peak. Else
    /// 0.
    double cached_share() const {
        const bool above = dram_bytes > 0 && peak > 0 && value > peak;
        return above && transfer.carrier == Carrier::none ? 1 - dram_bytes / useful_bytes : 0;
    }
};

/// The name of launches that find an empty L2, wherever text says it: links, options, files, JSON.
inline constexpr const char* kColdKey = "cold";

/// The bandwidth of a scenario on a device, in requested bytes, as it is measured for a launch of its grid.
///
/// The time is the longest that any part of the GPU needs (app/model/time/limits.h: bytes and rows of DRAM,
/// the path to the L2, banks, block launch overhead, bytes in flight, ...), with a smooth transition if
/// several are close, and the overhead of a measured launch. For scenarios in shared memory only: SMs * clock
/// * bytes per wavefront.
/// @param cold  whether the L2 is empty before the launch; otherwise it holds what a launch like it left
/// there, as when launches are repeated.
/// Source: see each constant; tests/data/h200_bandwidth.csv shows the error.
/// Errors: none; 0 for a device without a known peak.
Prediction predict_bandwidth(LaunchCounts& launch, bool cold);
Prediction predict_bandwidth(const Scenario& scenario, const Params& params, const DeviceFacts& device,
                             bool cold = false);

/// Cycles of one request of the pictured warp if each waits for the one before and nothing else runs
/// (SpeedUnit::cycles). They follow from the memory, from its size against that of the caches, and from how
/// often the request is served.
/// Source: the latencies of the device (assets/gpus.json) and the constants in latency.cpp.
/// Errors: none; 0 if the latency of the device is not known.
Prediction predict_cycles(const Scenario& scenario, const Params& params, const DeviceFacts& device);

/// The prediction in the unit of the scenario's plot.
/// @param cold  as in predict_bandwidth; measurements are warm by default.
/// Errors: none; the value is 0 if too little is known about the device.
Prediction predict(LaunchCounts& launch, bool cold);
Prediction predict(const Scenario& scenario, const Params& params, const DeviceFacts& device,
                   bool cold = false);

/// "DRAM", or, where that limits and more arrives than it delivers, "DRAM, beside which caches deliver 54 %
/// of the bytes".
std::string limiter_words(const Prediction& predicted);

/// How a quantity is called.
struct SpeedWords {
    std::string_view title;  ///< "Bandwidth": "… against stride"
    std::string_view name;   ///< "useful bandwidth"
    std::string_view unit;   ///< "GB/s"
    std::string_view row;    ///< in the table of numbers: "useful GB/s"
    std::string_view key;    ///< in files: "useful_gb_per_s"
    std::string_view meaning;
};
const SpeedWords& speed_words(SpeedUnit speed_unit);

}  // namespace warplens
