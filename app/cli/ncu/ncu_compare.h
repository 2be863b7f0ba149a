#pragma once

#include "app/cli/command.h"
#include "app/cli/ncu/ncu_csv.h"
#include "app/model/counters/agreement.h"

#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// A counter's value. If it was not collected, sectors of DRAM follow from bytes, and excessive wavefronts
/// are a difference of two counters.
std::optional<NcuCount> count_of(const NcuLaunch& launch, std::string_view metric);

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

/// What sets the two kinds apart, said once for all launches.
std::string_view address_and_hardware();

/// What the launches of a file are compared with: a scenario, a file of accesses, or nothing.
struct NcuBasis {
    const Scenario* scenario = nullptr;
    Params params;              ///< of the scenario
    std::string accesses_path;  ///< as `warplens analyze` takes it; empty if there is none
    std::string device;         ///< as in choose_device; empty for the compute capability in the file

    bool any() const { return scenario != nullptr || !accesses_path.empty(); }
};

/// One counter of a launch.
struct ComparedCounter {
    const CounterWords* words = nullptr;
    std::optional<ExpectedCounter> predicted;
    double counted = 0;
    std::optional<Judgement> judgement;  ///< where there is a prediction
    std::string remark;                  ///< one sentence: why it differs, or why nothing is predicted
};

struct ComparedLaunch {
    const NcuLaunch* launch = nullptr;
    std::string device;  ///< whose rules the prediction follows; empty if there is no prediction
    std::vector<std::string> remarks;          ///< whole sentences: another shape, another device
    std::vector<ComparedCounter> counters;     ///< nearest to the lanes first
    std::vector<const CounterWords*> missing;  ///< predicted, but not counted
    std::vector<NcuFact> facts;
    std::vector<std::string> differences;
};

/// Whether a launch is known to have the grid and block of the basis' scenario, which must not be null.
bool has_shape_of(const NcuLaunch& launch, const NcuBasis& basis);

/// @param launches  of the file; they have to outlive the answer.
/// Errors: UsageError for accesses that cannot be read, a device that is not known.
std::vector<ComparedLaunch> compare_launches(const std::vector<const NcuLaunch*>& launches,
                                             const NcuBasis& basis, const std::string& file_name);

/// What `warplens import-ncu` has found out.
struct NcuAnswer {
    std::string file_name;
    const NcuFile* file = nullptr;
    const NcuBasis* basis = nullptr;
    std::vector<ComparedLaunch> launches;
};

/// For people: a table for each launch, facts, differences, a summary.
std::string ncu_to_text(const NcuAnswer& answer);

/// {"schema":1,"program":…,"file":…,"page":…,"compared_with":…,"launches":[…]}, each launch with
///  "counters":[{"metric":…,"name":…,"predicted":…,"kind":…,"counted":…,
///  "verdict":…,"remark":…},…], "missing":[…], "facts":[…], "differences":[…].
///  What is not predicted is null.
std::string ncu_to_json(const NcuAnswer& answer);

/// launch,process,kernel,metric,name,predicted,kind,counted,verdict,remark: one row for each counter.
std::string ncu_to_csv(const NcuAnswer& answer);

/// Compare a profiler's counters with a prediction.
struct ImportNcuCommand {
    std::string path;           ///< "-" for standard input
    ScenarioChoice choice;      ///< what the counters are compared with; no scenario if with none
    std::string accesses_path;  ///< as AnalyzeCommand::path; empty if there is none
    std::string kernel;         ///< a regular expression; empty for all kernels
    std::string launch;         ///< Nsight Compute's number of the launch; empty for all
    std::string device;         ///< as in choose_device; empty for the one that the file names
    ReportFormat format = ReportFormat::text;
    std::string output_path;  ///< empty for standard output
    bool metrics = false;     ///< only print what `ncu --metrics` is to collect
};

/// `warplens import-ncu`: nothing is written unless the whole file is good.
/// @param input  what "-" reads.
/// Errors: UsageError for a file that is none of Nsight Compute's, an unknown scenario, knob, device or
/// launch, a scenario that has no counters to compare, an unwritable output.
void run_import_ncu(const ImportNcuCommand& command, std::istream& input, std::ostream& out);

}  // namespace warplens
