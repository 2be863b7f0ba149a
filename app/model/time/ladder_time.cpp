#include "app/model/time/ladder_time.h"

#include "app/model/time/limits.h"
#include "kernels/ladder_layout.h"

namespace warplens {
namespace {

/// The loop over a pair of tiles in the machine code of each rung, for one warp.
struct CompiledRung {
    double others = 0;  ///< instructions that are neither multiply-adds nor accesses
    double conflicts =
        0;  ///< multiply-adds that read two registers of one bank, and the hardware keeps neither
};
constexpr CompiledRung kCompiled[] = {{30, 42},  {33, 331}, {24, 382},  {16, 385}, {46, 383},
                                      {43, 380}, {51, 592}, {106, 687}, {13, 179}};

/// What a conflict of registers costs in clocks of the scheduler. Fitted to kernels that differ in nothing
/// but the order of their multiply-adds.
constexpr double kCyclesOfConflict = 0.39;
/// The share of clocks in which a scheduler with two to four warps finds one that can go on. Counted: 0.88
/// for `lean`, 0.90 for cuBLAS, of which conflicts take a part.
constexpr double kIssueShare = 1 / 1.09;
/// What a warp-wide load of a tile costs the block where it waits for it between barriers, and another block
/// is there to compute meanwhile; and an asynchronous copy where all stand in one place. Fitted.
constexpr double kCyclesOfAwaitedLoad = 10, kCyclesOfGatheredCopy = 4;

}  // namespace

LadderTime time_of_ladder_block(const Params& params, double requests, double multiply_adds) {
    using namespace ladder;
    const CompiledRung& rung = kCompiled[params.variant];
    const double warps = threads(params) / 32.0, tiles = double(params.matrix) / depth(params);
    const double loads = warps * tiles * (pieces_a(params) + pieces_b(params));
    LadderTime time;
    time.issuing =
        (requests + multiply_adds + warps * tiles * (rung.others + kCyclesOfConflict * rung.conflicts)) /
        (limits::kIssuedPerClock * kIssueShare);
    if (buffers(params) == 1) time.waiting = kCyclesOfAwaitedLoad * loads;
    if (ladder::rung(params) == Ladder::warp_tile) time.waiting = kCyclesOfGatheredCopy * loads;
    return time;
}

}  // namespace warplens
