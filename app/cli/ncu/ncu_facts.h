#pragma once

#include "app/cli/ncu/ncu_csv.h"

#include <optional>
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

}  // namespace warplens
