#pragma once

#include "app/experiment/state.h"
#include "app/model/counters/agreement.h"
#include "app/model/device/device.h"
#include "app/model/time/prediction.h"
#include "app/pictures/kit/pictures.h"
#include "kernels/replay/trace.h"

#include <vector>

namespace warplens {

/// Everything that follows from a state: the whole road from knobs to what pictures draw.
struct Analysis {
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
    Curve curve;              ///< without measured points; those come from outside
};

/// Compute everything, in well under 4 ms. Pure: the same state gives the same analysis.
Analysis analyze_state(const State& state, const std::vector<DeviceFacts>& devices);

/// The view of one instruction; valid as long as the analysis is.
InstructionView view_of(const Analysis& analysis, int instruction);

/// The picture of an instruction that fits its memory space.
Picture draw_instruction(const Analysis& analysis, int instruction, const State& state, const Style& style);

/// Values of a knob in the order of an axis: every setting, all choices, all powers.
std::vector<int> axis_values(const Knob& knob, const Params& params);

/// Those at which a plot has a point: all up to 65 of them, of more an even choice.
std::vector<int> plot_values(const Knob& knob, const Params& params);

/// A value of the field as the axis shows it: 2^k for powers.
double axis_position(const Knob& knob, int field_value);

/// The knobs that are not at their defaults, as a command line would set them: "stride=8, op=load".
std::string describe_settings(const Scenario& scenario, const Params& params);

}  // namespace warplens
