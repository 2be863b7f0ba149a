#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplens {

struct Latencies;

/// Where one of the latencies of a GPU comes from.
struct LatencyOrigin {
    double Latencies::*field = nullptr;
    std::string gpu;         ///< the GPU on which it was measured
    std::string source;      ///< who measured it
    int confidence = 0;      ///< 2 high, 1 medium, 0 low
    bool same_model = true;  ///< false if it is another GPU of the same compute capability
};

/// Cycles from a load to the first instruction that can use its value, by the memory that delivers it. 0 if
/// not known.
struct Latencies {
    double shared = 0;
    double l1 = 0;
    double constant_l1 = 0;   ///< one word for the whole warp
    double constant_l15 = 0;  ///< of the next level behind the constant L1
    double texture = 0;       ///< of a hit in the L1
    double l2 = 0;
    double l2_far = 0;  ///< if the L2 has two halves, for footprints beyond the nearer one
    double dram = 0;
    double dsmem = 0;         ///< shared memory of the other block in a cluster of two
    double multiply_add = 0;  ///< not a load: from a multiply-add in registers to one that needs its result
    double l2_gb_per_s = 0;   ///< measured bandwidth of the L2 of this model [10^9 bytes/s]
    std::string l2_speed_source = {};         ///< the source of `l2_gb_per_s`
    std::string source = {};                  ///< the GPUs they were measured on, and who measured them
    std::vector<LatencyOrigin> origins = {};  ///< of each latency that is known
};

/// The origin of a latency. Null if the latency is not known.
const LatencyOrigin* origin_of(const Latencies& latencies, double Latencies::*field);

/// One row of the table "latencies" in assets/gpus.json.
struct LatencyRow {
    std::string gpu;
    std::string compute_capability;  ///< for example "9.0"
    int confidence = 0;              ///< 2 high, 1 medium, 0 low
    Latencies latencies;             ///< with the `source` of this row
};

/// The known latencies of a GPU, each from the row that fits best. Rows of the same model come first, those
/// with more words of its name ahead; then other GPUs of the same compute capability, which the source names;
/// among equals the more certain row.
/// Errors: none. If no row fits, all are 0 and the source is empty.
Latencies find_latencies(const std::vector<LatencyRow>& rows, std::string_view gpu,
                         std::string_view compute_capability);

}  // namespace warplens
