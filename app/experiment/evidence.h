#pragma once

#include "app/experiment/measurements.h"
#include "app/experiment/state.h"
#include "app/model/counters/agreement.h"
#include "app/model/device/device.h"
#include "app/model/quantity.h"
#include "app/model/time/prediction.h"
#include "app/pictures/access/access_picture.h"
#include "kernels/trace/trace.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace warplens {

/// The answers of GPUs about a setting so far. All empty if none was asked.
struct Observed {
    std::optional<Observation> measured;  ///< on the GPU of this machine
    std::optional<Observation> recorded;  ///< in a recording that is open
    std::optional<CountResult> counted;   ///< hardware counters, or why there are none
    std::string not_measured;             ///< why it could not be timed. Empty if it was, or was not tried.

    /// The measurement made here; if there is none, the recorded one. Null if neither is known.
    const Observation* best() const { return measured ? &*measured : recorded ? &*recorded : nullptr; }
};

/// Everything that is known about one setting. Tables, tooltips, files, comparisons, predictions and goals
/// read the same quantities here. A comparison has two of these. It is not changed once it is gathered.
struct KnownError;

struct Evidence {
    Setting setting;
    Report report;
    // One report per instruction. A report is empty if it does not apply to the instruction's memory space.
    std::vector<BankReport> banks;
    std::vector<SectorReport> sectors;
    std::vector<ConstantReport> constants;
    std::vector<TextureReport> textures;
    std::vector<TileShape> tiles;  ///< one per instruction
    Trace trace;                   ///< the contents of the trace buffer if the model fills it
    TraceRequest trace_request;    ///< what a kernel needs to fill it
    Prediction prediction;
    const KnownError* error = nullptr;  ///< of the prediction; never null
    ExpectedLaunch expected;            ///< what hardware counters should show of the launch
    Observed observed;

    /// For each instruction and each scope: every count that applies to its memory space.
    std::vector<std::array<std::vector<Quantity>, 3>> counts;
    /// The predicted speed of the launch, and the bytes that it moves. The table of numbers always shows
    /// these.
    std::vector<Quantity> predicted;
    /// More about the launch as a whole: the peak, bytes wanted and touched, operations.
    std::vector<Quantity> launch;
    /// Shown by GPUs: some of the quantities of `predicted`, with the same keys, and the speed of NVIDIA's
    /// library.
    std::vector<Quantity> seen;
    /// Hardware counters: expected (a) and counted (b).
    std::vector<QuantityPair> counters;

    const std::vector<Quantity>& counts_over(CountScope scope, std::size_t instruction) const {
        return counts.at(instruction)[int(scope)];
    }
};

/// Ask the model about a setting. All of its numbers are computed here and nowhere else. Takes well under 4
/// ms. The same setting gives the same evidence.
Evidence gather_evidence(const Setting& setting, const std::vector<DeviceFacts>& devices,
                         Observed observed = {});

/// The evidence of one recorded request, as the only instruction of a kernel without a name: its report and
/// what pictures draw of it. There is no prediction, and no setting that makes it.
Evidence request_evidence(const InstructionReport& request, const DeviceFacts& device);

/// The same evidence with what GPUs have shown since. Does not ask the model again.
Evidence with_observed(Evidence evidence, Observed observed);

/// The view of one instruction. It is valid as long as the evidence.
InstructionView view_of(const Evidence& evidence, int instruction);

/// The picture of an instruction, of the kind that belongs to its memory space.
Picture draw_instruction(const Evidence& evidence, int instruction, const State& state, const Style& style);

}  // namespace warplens
