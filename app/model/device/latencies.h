#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplens {

struct Latencies;

/// Where one of the latencies of a GPU comes from.
struct LatencyOrigin {
    double Latencies::*field = nullptr;
    std::string gpu;         ///< on which it was measured
    std::string source;      ///< by whom
    int confidence = 0;      ///< 2 high, 1 medium, 0 low
    bool same_model = true;  ///< false: another GPU of the same compute capability
};

/// Cycles from a load to the first instruction that can use its value, by the memory that answers. 0: not
/// known.
struct Latencies {
    double shared = 0;
    double l1 = 0;
    double constant_l1 = 0;   ///< one word for the whole warp
    double constant_l15 = 0;  ///< of the level behind it
    double texture = 0;       ///< in the L1
    double l2 = 0;
    double l2_far = 0;  ///< where the L2 has two halves: once the nearer one is too small
    double dram = 0;
    double dsmem = 0;                  ///< shared memory of the other block in a cluster of two
    double multiply_add = 0;           ///< no load: from a multiply-add in registers to one that needs it
    double l2_gb_per_s = 0;            ///< what the L2 was measured to give, on this model [10^9 bytes/s]
    std::string l2_speed_source = {};  ///< of `l2_gb_per_s`
    std::string source = {};           ///< which GPUs they were measured on, and by whom
    std::vector<LatencyOrigin> origins = {};  ///< of each one that is known
};

/// Where one comes from; null: it is not known.
const LatencyOrigin* origin_of(const Latencies& latencies, double Latencies::*field);

/// One row of the table "latencies" in assets/gpus.json.
struct LatencyRow {
    std::string gpu;
    std::string compute_capability;  ///< "9.0"
    int confidence = 0;              ///< 2 high, 1 medium, 0 low
    Latencies latencies;             ///< `source`: of this row
};

/// What is known of a GPU: each latency from the row that fits best. Rows of the same model come first, those
/// with more words of its name ahead; then other GPUs of the same compute capability, which the source names;
/// among equals the more certain row.
/// Errors: none; all 0 and an empty source when no row fits.
Latencies find_latencies(const std::vector<LatencyRow>& rows, std::string_view gpu,
                         std::string_view compute_capability);

}  // namespace warplens
