#include "app/model/time/ladder_time.h"

#include "app/model/time/limits.h"
#include "kernels/ladder_layout.h"

#include <algorithm>

namespace warplens {
namespace {

/// The loop over a pair of tiles in the machine code of each rung, for one warp.
/// Source: tests/commands/ladder_code.sh, of nvcc 13.0, sm_90.
struct CompiledRung {
    double others = 0;  ///< instructions that are neither multiply-adds nor accesses
    double conflicts =
        0;  ///< multiply-adds that read two registers of one bank that are not kept from the one before
};
constexpr CompiledRung kCompiled[] = {{33, 42},  {33, 331}, {24, 382}, {16, 385}, {46, 383},
                                      {40, 379}, {46, 478}, {69, 687}, {17, 148}};

/// The cost of a conflict of registers in clocks of the scheduler. Fitted to kernels that differ in nothing
/// but the order of their multiply-adds.
constexpr double kCyclesOfConflict = 0.39;
/// The share of clocks in which a scheduler with two to four warps finds one that can go on. Counted: 0.88
/// for `lean`, 0.90 for cuBLAS, of which conflicts take a part.
constexpr double kIssueShare = 1 / 1.09;
/// How long a block that has only one pair of tiles waits for the next between two barriers. Fitted.
constexpr double kCyclesOfAwaitedTile = 600;
/// The cost of a warp-wide asynchronous copy to the block where all copies stand in one place. Fitted.
constexpr double kCyclesOfGatheredCopy = 4;

/// The most blocks of a rung with one pair of tiles that an SM holds: their registers leave room for no more.
int blocks_at_once(Ladder rung) { return rung == Ladder::register_column ? 3 : 2; }

}  // namespace

LadderTime time_of_ladder_block(const Params& params, double requests, double multiply_adds,
                                double blocks_of_sm, const DeviceFacts& device) {
    using namespace ladder;
    const CompiledRung& rung = kCompiled[params.variant];
    const double warps = threads(params) / 32.0, tiles = double(params.matrix) / depth(params);
    LadderTime time;
    time.issuing =
        (requests + multiply_adds + warps * tiles * (rung.others + kCyclesOfConflict * rung.conflicts)) /
        (device.issued_per_clock * kIssueShare);
    const Ladder name = ladder::rung(params);
    if (buffers(params) == 1)  // the blocks of an SM compute while one of them waits
        time.waiting = kCyclesOfAwaitedTile * tiles / std::min<double>(blocks_of_sm, blocks_at_once(name));
    if (name == Ladder::warp_tile)
        time.waiting = kCyclesOfGatheredCopy * warps * tiles * (pieces_a(params) + pieces_b(params));
    return time;
}

}  // namespace warplens
