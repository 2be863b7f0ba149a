#pragma once

#include "app/model/access/report.h"
#include "app/model/time/limits.h"

#include <array>
#include <string_view>

namespace warplens {

/// What a scenario is expected to achieve. Provenance: approximate, always.
struct Prediction {
    SpeedUnit speed_unit = SpeedUnit::gb_per_s;
    double value = 0;  ///< in speed_unit; 0: not known
    double peak = 0;   ///< the line in the plot; 0: none. GB/s: DRAM datasheet or shared memory's peak
    std::string_view limiter =
        "";  ///< what sets it, for people: "DRAM", "bytes in flight", "the banks", "L2 latency"
    bool shared_memory = false;  ///< the scenario touches nothing beyond the SM: the peak is shared memory's
    bool cold = false;           ///< for a launch that finds the L2 empty; else it follows one like it
    bool fits_l2 = false;        ///< the touched bytes fit the L2: a repeated run measures the cache
    /// Bytes asked for by all active lanes of the grid; in shared memory a word that several lanes of a
    /// request want counts once, because it leaves its bank once [bytes].
    double useful_bytes = 0;
    /// DRAM traffic of the whole grid; 0 for shared memory, and for what the L2 holds [bytes]
    double dram_bytes = 0;
    double footprint_bytes = 0;  ///< distinct DRAM bytes touched [bytes]
    double time_us = 0;          ///< of one launch, as it is measured; 0: not known [us]
    /// What each part of the machine alone would need for the launch; those behind the last have no name. All
    /// without one for SpeedUnit::cycles, and where too little is known of the device.
    std::array<limits::Limit, limits::kMostLimits> limits{};
    // Where the scenario computes (SpeedUnit::gflop_per_s):
    double flop = 0;       ///< operations of the whole grid; 0: not counted
    double intensity = 0;  ///< flop for each byte that lanes load from global memory; 0: not known
    double l2_bytes = 0;   ///< between the SMs and the L2, of the whole grid; 0: not known [bytes]
};

/// The prediction in the unit that the scenario's plot has.
/// @param cold  as in predict_bandwidth; what is measured by default is warm.
/// Errors: none; a device of which too little is known gives the value 0.
Prediction predict(const Scenario& scenario, const Params& params, const DeviceFacts& device,
                   bool cold = false);

/// What a limiter means, in one sentence for a learner; empty: its name says it.
std::string_view limiter_meaning(std::string_view limiter);

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
