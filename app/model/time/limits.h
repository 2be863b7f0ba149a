#pragma once

#include <span>
#include <string_view>

// What a GPU can do of each thing, in a form that fits other GPUs: for each SM and clock, or as a share of
// the peak. "Fitted" constants are those of a fit of all of them together to every second row of
// tests/data/h200_bandwidth.csv (1,504 settings of global-stride on one H200), rounded; none belongs to a
// single point. The rows left out come out as well as the others. So do whole series left out of the fit:
// 2-byte elements, granularities of 32 or 128 bytes, all that is cold (median 3 to 4 %, worst 27 %); of
// copy-both left out one point in 376 is off by 32 %. Which limits there are was decided with all rows in
// view. Where only an H200 is named, other GPUs are taken to be alike.
namespace warplens::limits {

/// What DRAM gives of its datasheet peak once enough bytes are in flight. Fitted; read alone, 16-float
/// strides on an H200 reach 0.96, and published copies of other GPUs lie between 0.84 and 0.94.
inline constexpr double kReadShare = 0.95;
inline constexpr double kWriteShare = 0.88;

/// What opening a row of DRAM costs, in bytes that could have travelled at the peak meanwhile. Fitted: with
/// loads 1 KB apart, each pays for one (28 picoseconds on an H200, 137 bytes at 4.8 TB/s), and isolated
/// writes pay for a fill read and a write-back (64 picoseconds). Accesses nearer to each other share an
/// opening more and more: the time follows the mean of distinct pieces of 128, 256 and 512 bytes
/// (Traffic::read_rows).
///
/// That it is rows is our reading: no counter of them was read. From a stride of 32 to one of 64 floats the
/// sectors and tags of the L2 and the sectors of DRAM stay as they are, and loads take 37 % longer; at 64
/// floats a granularity of 32 bytes, half the sectors, is no faster than 64; and the same distance in bytes
/// takes much the same time (15 %) with elements of 1 to 16 bytes.
inline constexpr double kRowReadBytes = 135;
inline constexpr double kRowWriteBytes = 180;

/// Blocks that the GPU's work distributor starts per clock, over all SMs. Measured on an H200 with blocks of
/// 8 to 256 threads and all kinds of kernels (texture-filter, transposes of 8 x 8 tiles, global-stride): one
/// block each 1.19 to 1.20 clocks, whatever it does.
inline constexpr double kBlocksPerClock = 1 / 1.2;

/// From a place becoming free to the block's first access, for each of its warps [cycles]. Fitted: 160 for 8
/// warps; blocks of 512 and 1,024 threads (global-matrix) give 17 per warp.
inline constexpr double kWarpStartCycles = 20;

/// Blocks on an SM at the same time: cuda_occupancy.h, CC 5.0 to 9.0 but 7.5, 8.6, 8.7 and 8.9 (16 or 24).
inline constexpr int kBlocksOfSm = 32;

/// Between an SM and the L2, per clock [bytes]. Measured L2 bandwidth divided by SMs and clock: A100 29 to
/// 35, H100 PCIe 35, H200 38; sectors at a stride of 8 floats on an H200 32.
inline constexpr double kL2BytesPerClock = 32;

/// What an SM pays for each line and each sector that a store's request writes in part, beside their bytes
/// [cycles]. Measured on an H200 in the L2: global stores of 4 sectors to a line take 9.6 cycles per line,
/// stores to private arrays with 1, 2 and 4 sectors to a line 4.3, 6.0 and 9.6.
inline constexpr double kPartialLineCycles = 2.9;
inline constexpr double kPartialSectorCycles = 0.9;

/// A private array's lanes never meet in a bank, whatever word each wants, but every line must be looked up:
/// four lines per clock, as gpu-benches' gpu-strides counted on A100 and H200.
inline constexpr double kTagsPerClock = 4;

/// The texture unit takes a group of four lanes per clock (four texels per clock and SM on every GPU since
/// Maxwell, NVIDIA's tuning guides and white papers).
inline constexpr double kTextureRequestsPerClock = 1;

/// Words of the constant bank that differ are served one after the other: measured on an H200 as 11 cycles
/// for each further word of a dependent load. A uniform load costs nothing here.
inline constexpr double kCyclesPerConstantWord = 11;

/// Four schedulers, each one instruction of a warp per clock (since Maxwell).
inline constexpr double kIssuedPerClock = 4;

/// Instructions of a warp in our kernels: to learn who it is, and round each access to compute its address.
/// Counted on an H200: 27 to 31 for a single load or store, 33 for a copy, 458 for a reduction of 28
/// accesses, 1,746 for 64 of private arrays, 118 for a transpose of 16; 220 for 4 texels.
inline constexpr double kInstructionsOfWarp = 20, kInstructionsOfAccess = 15;

/// Limits act together near the point where they meet; a power mean of this order is their soft maximum.
/// Fitted.
inline constexpr double kSoftness = 6;

/// What a measured time has more than the kernel's own, by how it was taken (kernels/timing/timing.cuh) [us]:
/// one of several launches in a graph, a single one between two events, the same after the L2 was emptied.
/// Measured on an H200 with grids of 4 to 64 blocks, and as the difference of warm and cold times of large
/// ones (driver 580).
inline constexpr double kGraphLaunchUs = 1.15;
inline constexpr double kEventLaunchUs = 5.3;
inline constexpr double kColdLaunchUs = 3.3;

/// Seconds that each limit alone would take.
struct Limit {
    double seconds = 0;
    std::string_view name;
};

/// A prediction has at most so many.
inline constexpr int kMostLimits = 10;

/// All limits together, under the name of the longest. Empty, or nothing to do: 0 and no name.
Limit soft_maximum(std::span<const Limit> limits);

/// What the measured time of a launch has besides the kernel's own [seconds]: short ones are timed several at
/// a time in a graph. Near the border between the two ways, which of them is taken is not certain.
/// @param cold  the L2 is emptied before each launch, so each is timed alone
double launch_seconds(double kernel_seconds, bool cold);

}  // namespace warplens::limits
