#pragma once

#include "app/experiment/measurements.h"
#include "app/experiment/state.h"
#include "app/model/counters/agreement.h"
#include "app/model/device/device.h"
#include "app/model/quantity.h"
#include "app/model/time/prediction.h"
#include "app/pictures/access/access_picture.h"
#include "kernels/replay/trace.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// What GPUs said about a setting so far. All empty if none was asked.
struct Observed {
    std::optional<Observation> measured;  ///< on the GPU that is here
    std::optional<Observation> recorded;  ///< in a recording that is open
    std::optional<CountResult> counted;   ///< hardware counters, or why there are none
    std::string not_measured;             ///< why it could not be timed. Empty if it was, or was not tried.

    /// What was measured here; if nothing was, what was recorded. Null if neither is known.
    const Observation* best() const { return measured ? &*measured : recorded ? &*recorded : nullptr; }
};

/// All that is known about one setting. Tables, tooltips, files, comparisons, predictions and goals read the
/// same quantities here; a comparison is two of these. Constant once gathered.
struct Evidence {
    Setting setting;
    Report report;
    // One per instruction each; empty where the instruction's space has no such report.
    std::vector<BankReport> banks;
    std::vector<SectorReport> sectors;
    std::vector<ConstantReport> constants;
    std::vector<TextureReport> textures;
    std::vector<TileShape> tiles;  ///< one per instruction
    Trace trace;                   ///< what the trace buffer holds when the model fills it
    TraceRequest trace_request;    ///< what a kernel fills it from
    Prediction prediction;
    ExpectedLaunch expected;  ///< what hardware counters should show of the launch
    Observed observed;

    /// Of each instruction, by scope: every count that means something in its memory space.
    std::vector<std::array<std::vector<Quantity>, 3>> counts;
    /// How fast the launch is predicted to be, and what it moves: the table of numbers shows these always.
    std::vector<Quantity> predicted;
    /// More about the launch as a whole: the peak, bytes wanted and touched, operations.
    std::vector<Quantity> launch;
    /// What GPUs said: some with the keys of `predicted`, and the speed of NVIDIA's library beside them.
    std::vector<Quantity> seen;
    /// Hardware counters: expected (a) and counted (b).
    std::vector<QuantityPair> counters;

    const std::vector<Quantity>& counts_over(CountScope scope, std::size_t instruction) const {
        return counts.at(instruction)[static_cast<std::size_t>(scope)];
    }
};

/// Ask the model about a setting: the only place that does so for all of its numbers. Takes well under 4 ms.
/// The same setting gives the same evidence.
Evidence gather_evidence(const Setting& setting, const std::vector<DeviceFacts>& devices,
                         Observed observed = {});

/// The same evidence with what GPUs have said since. Does not ask the model again.
Evidence with_observed(Evidence evidence, Observed observed);

/// Evidence by setting, so that the model is asked once for each of the last few.
class EvidenceStore {
public:
    /// The evidence of the model alone. Stays alive as long as somebody holds it.
    /// @param devices  with the setting's bank mode
    std::shared_ptr<const Evidence> of(const Setting& setting, const std::vector<DeviceFacts>& devices);

    /// Forget everything: the table of devices has changed.
    void clear() { kept_.clear(); }

    std::size_t gathered() const { return gathered_; }  ///< how often the model was asked

private:
    std::vector<std::shared_ptr<const Evidence>> kept_;  ///< the last used one stands last
    std::size_t gathered_ = 0;
};

/// The view of one instruction; valid as long as the evidence is.
InstructionView view_of(const Evidence& evidence, int instruction);

/// The picture of an instruction that fits its memory space.
Picture draw_instruction(const Evidence& evidence, int instruction, const State& state, const Style& style);

}  // namespace warplens
