#pragma once

#include "app/model/access/report.h"
#include "app/model/device/capability.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// The result of a computation: a number, or a range if sources or GPUs differ.
struct Computed {
    double low = 0, high = 0;             ///< equal for a single number
    Provenance kind = Provenance::exact;  ///< the weakest provenance of the operands
};

/// Computes numbers with the program's own model, as described in assets/worked.json:
///
///     4                                                               a number as it is
///     {"compute":"report","scenario":"global-stride","settings":"stride=8,op=load","device":"H200",
///      "field":"grid.sectors","instruction":0}                        counts of app/model/access/report.h
///     {"compute":"predict",…,"field":"value"}                         app/model/time/prediction.h
///     {"compute":"occupancy","cc":"1.3","threads":256,"registers":32,"shared":2048,"field":"blocks"}
///     {"compute":"most","of":"registers","cc":"1.3","threads":256,"blocks":4}
///                                                                     the largest value that allows so many
///     {"compute":"capability","cc":"1.3","field":"registers_per_sm"}  a row of gpus.json; all rows without
///     cc
///     {"compute":"device","gpu":"H100 SXM5","field":"l2_size_bytes"}  the same for a GPU; all without gpu
///     {"compute":"recorded","cc":"9.0","field":"dram_cycles"}         a range from the table of latencies;
///                                                                     or of one GPU with "gpu"
///     {"compute":"bandwidth","gpu":"H100 SXM5","of":"shared","clock_mhz":1830}
///                                                                     SMs times width times clock [GB/s]
///     {"compute":"phases","matrix":4,"tile":2,"field":"global_loads"}  of one block
///     (app/model/access/tile_phases.h)
///     {"compute":"sum|difference|product|ratio|percent|remainder|floor|root","of":[…]}
///     {"compute":"range","of":[a, b]}                                 from the least to the largest of both
///     {"compute":"largest","of":[a]}                                  of a range
class ClaimComputer {
public:
    /// @param gpus  the text of assets/gpus.json.
    /// Errors: std::runtime_error when it is no such table.
    ClaimComputer(std::string_view gpus, const std::vector<DeviceFacts>& devices);
    ~ClaimComputer();
    ClaimComputer(const ClaimComputer&) = delete;
    ClaimComputer& operator=(const ClaimComputer&) = delete;

    /// Errors: std::runtime_error that names what does not exist.
    Computed compute(const nlohmann::json& what) const;

private:
    Computed of_report(const nlohmann::json& what) const;
    Computed of_prediction(const nlohmann::json& what) const;
    Computed of_occupancy(const nlohmann::json& what) const;
    Computed most(const nlohmann::json& what) const;
    Computed of_table(const nlohmann::json& what, const char* table, const char* name) const;
    Computed of_bandwidth(const nlohmann::json& what) const;
    Computed of_phases(const nlohmann::json& what) const;
    Computed arithmetic(const nlohmann::json& what) const;
    const DeviceFacts& device(const std::string& name) const;
    const CapabilityFacts& capability(const std::string& cc) const;

    const std::vector<DeviceFacts>& devices_;
    std::vector<CapabilityFacts> capabilities_;
    std::unique_ptr<nlohmann::json> gpus_;
};

/// A count of a report, as "warp.sectors" or "grid.requests". Errors: std::runtime_error for another name.
double report_field(const Report& report, std::string_view field, int instruction);

}  // namespace warplens
