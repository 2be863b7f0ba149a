#include "app/boards/worked/claims.h"

#include "app/base/assets.h"
#include "app/base/text.h"
#include "app/boards/list.h"
#include "app/experiment/devices.h"
#include "app/experiment/recordings.h"
#include "app/measure/witness.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {

const ClaimList& worked_claims() {
    static const ClaimList list = [] {
        const std::vector<DeviceFacts> devices = device_table();
        const auto time_of = [](std::string_view gpu, const Scenario& scenario,
                                const Params& params) -> std::optional<double> {
            const std::vector<OpenRecording>& all = shipped_recordings().all();
            const auto found = std::ranges::find(
                all, gpu, [](const OpenRecording& one) -> std::string_view { return one.gpu.name; });
            const Timing* timing = found == all.end() ? nullptr : find_timing(*found, scenario, params);
            return timing == nullptr ? std::nullopt : std::optional(timing->median_us);
        };
        const auto witnessed = [](std::string_view gpu, std::string_view name) -> std::optional<double> {
            const std::vector<Witness>& all = shipped_witness();
            const auto found = std::ranges::find(all, gpu, &Witness::gpu);
            const WitnessValue* value = found == all.end() ? nullptr : found->find(name);
            return value == nullptr ? std::nullopt : std::optional(value->median);
        };
        return work_out(asset("assets/worked.json"),
                        ClaimComputer(asset("assets/gpus.json"), devices, time_of, witnessed));
    }();
    return list;
}

std::string computed_line(const Claim& claim) {
    if (claim.is_saying()) return claim.computed_text();
    return fmt::format("{} {}", provenance_mark(claim.computed.kind), claim.computed_text());
}

bool mentions(const ClaimList& list, const Claim& claim, std::string_view words) {
    if (words.find_first_not_of(' ') == std::string_view::npos) return true;
    const ClaimSource& source = list.sources[claim.source];
    const std::string all =
        lower_case(source.text() + " " + source.about + " " + claim.claim + " " + claim.inputs + " " +
                   claim.why + " " + claim.says.text + " " + claim.computed_text());
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(' '), words.size());
        if (all.find(lower_case(words.substr(0, end))) == std::string::npos) return false;
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    return true;
}

constinit const Board kWorkedBoard{
    {.key = "claims",
     .label = "Claims",
     .tooltip = "Numbers and sayings of textbooks and articles, checked: right, corrected or outdated.",
     .picture = false,
     .wide = true}};

}  // namespace warplens
