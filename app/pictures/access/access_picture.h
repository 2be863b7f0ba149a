#pragma once

// Pictures of one instruction of a warp: which addresses its lanes request, and what each memory space makes
// of them. <space>_picture.cpp draws a space and says the same in words, where these are not in
// explain_<space>.cpp. What travels and what it costs is counted in app/model/access; nothing is counted
// here. Curves and heat maps over many settings are in app/pictures/plot.

#include "app/model/access/banks.h"
#include "app/model/access/constant.h"
#include "app/model/access/report.h"
#include "app/model/access/sectors.h"
#include "app/model/access/texture.h"
#include "app/pictures/kit/canvas.h"
#include "kernels/bank_rules.h"

#include <string_view>

namespace warplens {

/// The meaning of the colours of a shared-memory picture's cells.
enum class ColorBy { wavefront, words, lane };

/// How a picture is looked at, besides its Style.
struct AccessLook {
    ColorBy color_by = ColorBy::wavefront;  ///< in shared memory
    bool bits = false;     ///< the bits of the addresses instead of memory, where an instruction has some
    bool by_tile = false;  ///< there: the tile's rows and columns instead of rows of all banks, if it has one
    int step = -1;         ///< the player's: a wavefront, or one of the sectors. -1 for all at once.
    /// How much of that step has passed while it is played, 0 to 1: bytes are on their way, and what comes
    /// later waits. Below 0 if the player stands: then only this step is bright.
    float share = -1;
};

/// One instruction of a report with what the pictures draw of it.
struct InstructionView {
    const InstructionReport* report = nullptr;
    const BankReport* banks = nullptr;         ///< shared memory, cluster; else null
    const SectorReport* sectors = nullptr;     ///< global memory; local: of the interleaved words; else null
    const ConstantReport* constant = nullptr;  ///< constant memory; else null
    const TextureReport* texture = nullptr;    ///< texture; else null
    const LaunchShape* shape = nullptr;  ///< never null in a drawn view: texture, cluster, per-thread array
    int index = 0;                       ///< number of the instruction: its block in the trace buffer
    WarpPlace place = {};                ///< of the pictured warp in the grid
    BankRules bank_rules = {};           ///< the device's; as they are given here: CC 7.0 and later

    Space space() const { return report->instruction.space; }
};

/// A two-dimensional arrangement of shared memory, so that rows of the picture are the tile's rows.
struct TileShape {
    int width = 0, height = 0, padding = 0;  ///< [elements]; if width is 0, rows are 32 words: no tile
    int element_bytes = 4;
    int swizzle_bits = 0, swizzle_base = 0, swizzle_shift = 5;  ///< of the element index: kernels/swizzle.h
    /// Whether the kernel makes this access without padding, too. The compiler may join others there.
    bool made_without_padding = true;
};
/// The tile that an instruction works on, or no tile.
TileShape tile_shape(const Scenario& scenario, const Params& params, const Instruction& instruction);

/// Lanes on top, wires, 128-byte lines of four sectors below, used and wasted bytes, one efficiency, one
/// sentence.
Picture draw_sectors(const InstructionView& view, const AccessLook& look, const Style& style);

/// Banks across, words or tile rows down, a bar per bank above; groups of wide accesses side by side.
Picture draw_banks(const InstructionView& view, const TileShape& tile, const AccessLook& look,
                   const Style& style);

/// The words of the constant bank that the lanes request, in a row, each with the number of its pass; lanes
/// on top with wires; 64-byte lines and the 2 KiB constant L1 marked.
Picture draw_constant(const InstructionView& view, const Style& style);

/// The texels round the ones that are fetched, the 4 x 2 sectors as frames, the lanes' order as a walk over
/// them, groups of four lanes told apart; border texels outside the edge.
Picture draw_texture(const InstructionView& view, const Style& style);

/// An image that the grid draws from a texture (LaunchShape::image), with the pictured warp's pixels marked,
/// and beside it the texels round that warp: sectors, where each lane samples, and for one lane what it gets
/// from which texel.
Picture draw_filter(const InstructionView& view, const Style& style);

/// A warp's per-thread arrays as the hardware interleaves them: lanes across, words of the array down,
/// sectors as frames of eight cells.
Picture draw_local(const InstructionView& view, const Style& style);

/// Values that stay in registers or move between lanes: lanes above and below, an arrow for each move.
Picture draw_registers(const InstructionView& view, const Style& style);

/// The blocks of a cluster with their own shared memories; the one that asks, the one that is asked, and in
/// it the banks.
Picture draw_cluster(const InstructionView& view, const Style& style);

/// The lanes' addresses in binary: the bits that choose byte, bank, sector, line and row; which of them
/// differ between the lanes; and what a swizzle XORs into which. The bits of the lane under the mouse, or of
/// the first active one, are written out. Below, if there is room, a table of banks or of a sector's texels.
Picture draw_bits(const InstructionView& view, const TileShape& tile, const Style& style);
/// Whether there are addresses to show: not in registers, not where texels are mixed, not without a lane.
bool has_bits(const InstructionView& view);

/// The title of a picture of one instruction in that space: "Sectors", "Banks".
/// @param rules  global memory: what travels has another name on old GPUs.
std::string_view picture_title(Space space, const SectorRules& rules = {});

/// The picture that fits the instruction's memory space.
/// @param tile  for shared memory
Picture draw_access(const InstructionView& view, const TileShape& tile, const AccessLook& look,
                    const Style& style);

/// Words that the lanes request of the fullest bank; 0 without banks.
int most_words(const InstructionView& view);

/// The steps that the player of a picture goes through, one after the other.
struct PlayedSteps {
    std::string_view name;  ///< of one: "wavefront", "sector". Empty if there are none.
    int count = 0;
};
/// Wavefronts of shared memory; sectors, or transactions of old GPUs, of global memory. Others have none.
PlayedSteps played_steps(const InstructionView& view);
/// How long a step is played [s]: many are quick, so that all of them take about 8 seconds.
constexpr double played_step_seconds(int steps) {
    constexpr double kInAll = 8, kShortest = 0.25, kLongest = 1.2;
    const double even = kInAll / (steps < 1 ? 1 : steps);
    return even < kShortest ? kShortest : even > kLongest ? kLongest : even;
}

/// @param tile  where known, for a hint when its padding does not help.
Explanation explain(const InstructionView& view, const TileShape& tile = {});

}  // namespace warplens
