#pragma once

#include "app/measure/ncu/ncu_csv.h"
#include "app/model/counters/agreement.h"

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// A counter's value. If it was not collected, sectors of DRAM follow from bytes, and excessive wavefronts
/// and sectors are differences of two counters.
std::optional<NcuCount> count_of(const NcuLaunch& launch, std::string_view metric);
std::optional<double> value_of(const NcuLaunch& launch, std::string_view metric);  ///< of the same
/// The counter of loads and stores together, stem + ".sum", or the sum of the two.
std::optional<double> loads_and_stores(const NcuLaunch& launch, const std::string& stem);
inline constexpr const char* kSharedWavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared";
inline constexpr const char* kConflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared";
inline constexpr const char* kGlobalSectors = "l1tex__t_sectors_pipe_lsu_mem_global";

/// A number that follows from several counters and says more than each.
struct NcuFact {
    std::string_view name;  ///< "sectors per request, global loads"
    double value = 0;
    std::string_view unit;     ///< "%", "bytes"; empty for a plain ratio
    std::string_view meaning;  ///< how to read it
};

/// @param wanted_bytes  that global loads of the whole launch want, from the prediction [bytes]; empty if it
/// is not known.
std::vector<NcuFact> derive_facts(const NcuLaunch& launch, std::optional<double> wanted_bytes);

/// Why counters that seem to count the same differ, one sentence or two for each pair that the launch has:
/// counts by addresses beside hardware counters, executed instructions beside requests.
std::vector<std::string> explain_differences(const NcuLaunch& launch);

/// How the two kinds differ, said once for all launches.
std::string_view address_and_hardware();

/// The launches of a file are compared with this: a scenario, a file of accesses, or nothing.
struct NcuBasis {
    const Scenario* scenario = nullptr;
    Params params;              ///< of the scenario
    std::string accesses_path;  ///< as `warplens analyze` takes it; empty if there is none
    std::string device;         ///< as in choose_device; empty for the compute capability in the file

    bool any() const { return scenario != nullptr || !accesses_path.empty(); }
    friend bool operator==(const NcuBasis&, const NcuBasis&) = default;
};

/// One counter of a launch.
struct ComparedCounter {
    const CounterWords* words = nullptr;
    std::optional<ExpectedCounter> predicted;
    double counted = 0;
    std::optional<Judgement> judgement;  ///< where there is a prediction
    std::string remark;                  ///< one sentence: why it differs, or why nothing is predicted
    double rounding = 0;                 ///< NcuNumber::rounding of what was counted
};

/// The cost of a launch's addresses beyond their ideal: as counted, or, where the profiler was not asked
/// for that, the sectors counted beyond those that the prediction calls ideal, and the bank conflicts.
struct NcuExcess {
    std::optional<double> sectors;     ///< of global memory
    std::optional<double> wavefronts;  ///< of shared memory
    /// At most so much of the launch's time goes into it [ns]. Empty if the time or the excess was not
    /// counted.
    std::optional<double> time_ns;

    bool known() const { return sectors || wavefronts; }
    double sum() const { return sectors.value_or(0) + wavefronts.value_or(0); }
};

struct ComparedLaunch {
    const NcuLaunch* launch = nullptr;
    std::string device;  ///< whose rules the prediction follows; empty if there is no prediction
    std::vector<std::string> remarks;          ///< whole sentences: another shape, another device
    std::vector<ComparedCounter> counters;     ///< nearest to the lanes first
    std::vector<const CounterWords*> missing;  ///< predicted, but not counted
    std::vector<NcuFact> facts;
    std::vector<std::string> differences;
    NcuExcess excess;

    /// The worst verdict over its counters. Empty if none has a prediction.
    std::optional<Verdict> verdict() const;
    bool predicts() const;  ///< whether any counter has a prediction
};

/// Whether a launch is known to have the grid and block of the basis' scenario, which must not be null.
bool has_shape_of(const NcuLaunch& launch, const NcuBasis& basis);

/// Those that lose most time first, then those with the most beyond their ideal, then the longest. Those that
/// are alike keep their order.
void sort_by_loss(std::vector<ComparedLaunch>& launches);

/// @param launches  of the file; they have to outlive the answer.
/// @param stop      gives up; the answer is then incomplete.
/// Errors: UsageError for accesses that cannot be read, a device that is not known.
std::vector<ComparedLaunch> compare_launches(const std::vector<const NcuLaunch*>& launches,
                                             const NcuBasis& basis, const std::string& file_name,
                                             const std::stop_token& stop = {});

}  // namespace warplens
