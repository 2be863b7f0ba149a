#pragma once

#include "app/cli/command.h"
#include "app/measure/worker.h"
#include "app/model/counters/agreement.h"

#include <nlohmann/json.hpp>

#include <array>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warplens {

struct AgreeCommand {
    std::string scenario;  ///< its id; empty for all scenarios
    int settings = 200;    ///< how many random settings are compared in all
    unsigned seed = 1;
    std::string json_path;  ///< empty if no file is written
    bool cpu = false;       ///< without the GPU nothing can be counted, so this is an error
};

/// How often a counter of a scenario came out as expected.
struct AgreementRow {
    std::array<std::int64_t, 3> by_verdict{};  ///< how many settings are equal, within, off
    Provenance kind = Provenance::exact;       ///< the weakest of these settings
};

/// One setting whose counter was not as expected.
struct Disagreement {
    std::string scenario, settings;  ///< as the command line takes them
    std::string_view counter;
    double expected = 0, counted = 0;
    Judgement judgement;
    Provenance kind = Provenance::exact;
};

struct Agreement {
    /// By scenario and counter, both in the order of their lists.
    std::vector<std::pair<std::pair<std::string_view, const CounterWords*>, AgreementRow>> rows;
    std::vector<Disagreement> differences;  ///< all that are not equal
    int settings = 0;                       ///< that were launched and counted
    std::map<std::string, int> refused;     ///< why settings could not be launched, and how many
    std::int64_t off_exact() const;         ///< counters that should be exact and are not

    AgreementRow& row(std::string_view scenario, const CounterWords* words);
};

/// Count random settings of the scenarios and compare.
/// @param settings  in all, spread evenly over the scenarios that can be compared
/// @param progress  called after each setting with how many are done
Agreement compare_with_counters(const std::vector<const Scenario*>& scenarios, int settings, unsigned seed,
                                const DeviceFacts& device, const ReadCounters& count,
                                const std::function<void(int)>& progress);

/// A table in Markdown, the differences, and what they mean.
std::string agreement_text(const Agreement& agreement, const GpuInfo& gpu, unsigned seed);
nlohmann::ordered_json agreement_to_json(const Agreement& agreement, const GpuInfo& gpu, unsigned seed);

/// Errors: NoGpu; Failure when counters cannot be read, or one that should be exact is off.
void run_agree(const AgreeCommand& command, std::ostream& out);

}  // namespace warplens
