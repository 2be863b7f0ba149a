#pragma once

#include "app/experiment/measurements.h"
#include "app/experiment/state.h"
#include "app/model/counters/agreement.h"
#include "app/model/device/device.h"
#include "app/model/quantity.h"
#include "app/model/time/prediction.h"
#include "app/pictures/access/access_picture.h"
#include "app/pictures/plot/curve.h"
#include "kernels/trace/trace.h"

#include <array>
#include <memory>
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
    ExpectedLaunch expected;  ///< what hardware counters should show of the launch
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

/// Keeps the evidence of the last few settings, so that the model is asked only once for each.
class EvidenceStore {
public:
    /// The evidence without what GPUs showed.
    /// @param devices  with the setting's bank mode
    std::shared_ptr<const Evidence> of(const Setting& setting, const std::vector<DeviceFacts>& devices);

    /// Forget everything, because the table of devices has changed.
    void clear() { kept_.clear(); }

    std::size_t gathered() const { return gathered_; }  ///< how often the model was asked

private:
    std::vector<std::shared_ptr<const Evidence>> kept_;  ///< the one used last is at the end
    std::size_t gathered_ = 0;
};

/// The view of one instruction. It is valid as long as the evidence.
InstructionView view_of(const Evidence& evidence, int instruction);

/// The picture of an instruction, of the kind that belongs to its memory space.
Picture draw_instruction(const Evidence& evidence, int instruction, const State& state, const Style& style);

/// Whether a state's plot shows the sectors of a request in place of the speed.
bool plots_sectors(const State& state);
/// The plot of a state, without measured points, which callers add. Its axis is State::axis; without one the
/// curve is empty.
/// @param at_once  whether it may take no longer than a change of a knob: of a typed kernel it has then few
/// points,
///                 unless all were made before
Curve model_curve(const State& state, const std::vector<DeviceFacts>& devices, const Prediction& here,
                  bool at_once = false);

/// Make one point of a state's plot, and keep it.
void keep_point(const State& state, const std::vector<DeviceFacts>& devices, int value);
/// Whether all points of a state's plot can be had at once.
bool is_curve_known(const State& state, const std::vector<DeviceFacts>& devices);

/// The values at which a plot has a point: all if there are at most 65, otherwise evenly spaced ones.
std::vector<int> plot_values(const Knob& knob, const Params& params);

/// The position of a field's value on the axis: 2^k for powers of two, otherwise the value itself.
double axis_position(const Knob& knob, int field_value);

/// Cycles against wavefronts over every setting of the state's scenario that has been timed by the loop of
/// kernels/timing/shared_time.cuh.
/// @param device          the GPU by whose rules wavefronts are counted: the measured one, if there is one
/// @param measured_on     where the measurements come from
/// @param no_measurement  why there is no measurement. Empty if there is one.
FitPlot bank_fit(const State& state, const Measurements& measurements, const DeviceFacts& device,
                 const MeasuredOn& measured_on, const std::string& no_measurement);

}  // namespace warplens
