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
struct Evidence {
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
};

/// Compute everything, in well under 4 ms. Pure: the same state gives the same evidence.
Evidence gather_evidence(const Setting& setting, const std::vector<DeviceFacts>& devices);

/// The view of one instruction; valid as long as the evidence is.
InstructionView view_of(const Evidence& evidence, int instruction);

/// The picture of an instruction that fits its memory space.
Picture draw_instruction(const Evidence& evidence, int instruction, const State& state, const Style& style);

}  // namespace warplens
