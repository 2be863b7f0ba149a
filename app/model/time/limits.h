#pragma once

#include "app/model/time/limiter.h"

#include <span>

// The limits of a GPU, in a form that fits other GPUs: for each SM and clock, or as a share of the peak.
// "Fitted" constants come from a fit of all of them together to every second row of
// tests/data/h200_bandwidth.csv (1,504 settings of global-stride on one H200), rounded; none belongs to a
// single point. The errors for the other rows are as small. So are those for whole series that were left out
// of the fit: 2-byte elements, granularities of 32 or 128 bytes, and all cold launches (median 3 to 4 %,
// worst 27 %); for copy-both one point in 376 is off by 32 %. All rows were considered when the list of
// limits was made. If only an H200 is named, other GPUs are assumed to be similar.
namespace warplens::limits {

/// The share of its datasheet peak that DRAM delivers once enough bytes are in flight. Fitted. Reads alone
/// with strides of 16 floats reach 0.96 on an H200, and published copies of other GPUs lie between 0.84 and
/// 0.94.
inline constexpr double kReadShare = 0.95;
inline constexpr double kWriteShare = 0.88;
inline constexpr double kCopyShare = 2 / (1 / kReadShare + 1 / kWriteShare);

/// The peak that predictions go by [10^9 bytes/s]: the datasheet's, less where copies are known to reach a
/// smaller share of it (DeviceFacts::copy_share) than these two give them.
inline double usable_peak_gb_per_s(const DeviceFacts& device) {
    return device.peak_gb_per_s * (device.copy_share > 0 ? device.copy_share / kCopyShare : 1);
}

/// The cost of opening a row of DRAM, in bytes that could have been transferred at the peak in the same time.
/// Fitted: with loads 1 KiB apart each opens one row (28 picoseconds on an H200, 137 bytes at 4.8 TB/s), and
/// isolated writes cost a fill read and a write-back (64 picoseconds). The closer accesses are, the more they
/// share an opening: the time follows the mean number of distinct pieces of 128, 256 and 512 bytes
/// (Traffic::read_rows).
///
/// That rows are the cause is our interpretation; no counter of them was read. From a stride of 32 to one of
/// 64 floats the sectors and tags of the L2 and the sectors of DRAM stay the same, and loads take 37 %
/// longer. At 64 floats a granularity of 32 bytes, with half the sectors, is no faster than 64. The same
/// distance in bytes takes about the same time (15 %) with elements of 1 to 16 bytes.
inline constexpr double kRowReadBytes = 135;
inline constexpr double kRowWriteBytes = 180;

/// On compute capability 1.x each 256 bytes of addresses belong to another partition of DRAM: there are 6
/// on 1.0 and 1.1, and 8 on 1.2 and 1.3 (G. Ruetsch and P. Micikevicius, "Optimizing Matrix Transpose in
/// CUDA").
inline constexpr int kPartitionBytes = 256;
inline int dram_partitions(ComputeCapability cc) {
    return cc.major > 1 ? 0 : cc < ComputeCapability{1, 2} ? 6 : 8;
}
/// A partition that all blocks want at once delivers this share of what it does otherwise. From the transpose
/// with coalesced accesses of the same paper; its naive one agrees to a tenth.
inline constexpr double kShareOfQueue = 0.5;

/// The number of blocks that the GPU's work distributor starts per clock, over all SMs. Measured on an H200
/// with blocks of 8 to 256 threads and all kinds of kernels (texture-filter, transposes of 8 x 8 tiles,
/// global-stride): one block per 1.19 to 1.20 clocks, no matter what it does.
inline constexpr double kBlocksPerClock = 1 / 1.2;

/// The time from a free slot to the block's first access: of the block, and for each of its warps [cycles].
/// Fitted to blocks of 8 warps, which take 160, and of 16 and 32 (global-matrix, shared-reduction).
inline constexpr double kBlockStartCycles = 24, kWarpStartCycles = 17;

/// While all SMs load, what DRAM adds to the latency of the L2 is this many times that of a single load.
/// Fitted to copies, gathers and loads by large blocks on an H200.
inline constexpr double kBusyDram = 2;

/// A round waits for the slowest of its loads, and a load for the slowest of its sectors. Each doubling of
/// the loads adds as many cycles, and so does the first load beyond the latency of a single sector. Fitted
/// to 240 settings of latency-hiding on an H200: one warp per SM takes 727 cycles for 1 load of DRAM, 806
/// for 2, 898 for 4 and 959 for 8, where a single sector takes 663.
inline constexpr double kSlowestOfDram = 77;

/// The cycles of an SM for each line that a load asks the L2 for, no matter how many of its sectors. Fitted
/// to gathers on an H200 (global-gather): 32 lanes in 32 lines take 1.8 to 2 cycles each.
inline constexpr double kCyclesPerL2Request = 1.8;

/// Stores to one sector that the L2 takes per clock of the SMs. Measured on an H200: a grid whose warps all
/// store to the same sector (global-stride with stride 0) takes 1 clock for 5.3 warps, alone and in a copy.
inline constexpr double kStoresOfSectorPerClock = 5.3;

/// Atomic operations in global memory are done by the L2. A slice of it takes so many clocks of the SMs for a
/// request and for each time that it comes to a sector again, because lanes of one word have a turn each; and
/// for each further sector. Measured on an H200: a grid whose lanes all add to one word takes 0.73 ns for
/// each. Fitted: histograms of 16 to 2,048 bins, in turn, uniform and skewed (atomic-histogram).
inline constexpr double kCyclesOfAtomicTurn = 1.45, kCyclesOfAtomicSector = 1.09;
/// The share of these cycles before compute capability 9.0: a turn takes one. A GTX 1650 was published to add
/// 1.86 x 10^9 times a second to one word (assets/published.json), and other GPUs of 7.5 and 8.6 as often.
inline constexpr double kShareOfEarlierAtomics = 0.69;
/// Neighbouring lines of so many bytes share a slice. Which slice that is, is not documented and depends on
/// where the memory lies.
inline constexpr int kBytesOfSlice = 256;
/// The slices: near the 2 x 48 that the L2 of an H200 has. Of a few pieces half meet in one slice, though it
/// is never more than some: 8 lines take as long as 4 in one slice, 16 to 64 as 3 to 5, and where all blocks
/// come to them at about the same time, at their end, as 5. In another process 8 lines took half as long.
inline constexpr double kAtomicSlices = 96, kMostThatMeet = 2, kMostThatMeetLast = 2.5;
/// Blocks whose warps have loaded everything, and add to global memory then, do not end at the same time: so
/// many microseconds of it pass beside the loads of others. Fitted to histograms in shared memory on an H200.
inline constexpr double kEndsApartUs = 1;
/// Cycles of an SM for each sector that its atomic operations send to the L2, if nothing else holds them up.
/// Measured on an H200: 3 to 4.6.
inline constexpr double kSmCyclesOfAtomicSector = 3.2;

/// Cycles of an SM to find the lanes of a warp that have equal values (__match_any_sync), and to add up a
/// second value over them (__reduce_add_sync): for the instruction, and for each distinct value. On an H200
/// the first was measured with 1 to 32 distinct values, the second is fitted to histograms of sums with 1, 22
/// and 32. Of 36 others, of 1 to 2,048 bins, those in turn and uniform are off by up to 8 %, skewed ones by
/// up to 23 %.
inline constexpr double kCyclesOfMatch = 6, kCyclesOfMatchedValue = 2.15;
inline constexpr double kCyclesOfReduce = 2.8, kCyclesOfReducedValue = 4.38;

/// Cycles of a request to the pipe of L1 and shared memory, beside its wavefronts: of a global load and
/// a load of shared memory. Fitted to naive and tiled products on an H200; a loop of nothing but loads takes
/// 0.
inline constexpr double kCyclesOfRequest = 0.28, kCyclesOfSharedRequest = 0.1;

/// The share of its time that this pipe is busy at best in kernels that copy and wait in turns. Fitted to
/// transposes with bank conflicts on an H200.
inline constexpr double kPipeShare = 0.88;

/// The cycles from a barrier of the block until its warps go on, beside what they wait for. Fitted to
/// shared-reduction on an H200.
inline constexpr double kBarrierCycles = 70;

/// The blocks of an SM that come to a step with conflicts at about the same time, so that each waits for the
/// others' wavefronts as well. Fitted to reductions with interleaved and with divergent addressing on an
/// H200, which have equally many wavefronts: with 8 blocks on an SM they differ by 650 cycles, with 2 by 630,
/// with 32 by 160.
inline constexpr int kBlocksAtBanks = 8;

/// The additional cost of each line and each sector that a store's request writes in part, beside their bytes
/// [cycles]. Measured on an H200 in the L2: global stores of 4 sectors per line take 9.6 cycles per line;
/// stores to per-thread arrays with 1, 2 and 4 sectors per line take 4.1, 6.1 and 9.9.
inline constexpr double kPartialLineCycles = 2.5;
inline constexpr double kPartialSectorCycles = 1.1;

/// The lanes of a per-thread array never conflict in a bank, whatever word each requests, but every line must
/// be looked up: four lines per clock, as gpu-strides of gpu-benches counted on A100 and H200.
inline constexpr double kTagsPerClock = 4;

/// Cycles of an SM for each sector of local memory that stores pass to the L2, when all SMs do so: half of
/// what the L2 delivers. One SM alone takes one cycle for each sector, but two for each line. Measured on an
/// H200 and an H100 (local-array, local-spill).
inline constexpr double kCyclesOfLocalSector = 2, kCyclesOfLocalLine = 2;

/// The cycles of an SM for each line of per-thread arrays that the L2 misses, as loads or stores of 32
/// different lines take it. Fitted to arrays of 128 words on an H200; an H100 takes as many.
inline constexpr double kCyclesOfMissedLine = 8.2;

/// The texture unit serves a group of four lanes per clock (four texels per clock and SM on every GPU since
/// Maxwell; NVIDIA's tuning guides and white papers).
inline constexpr double kTextureRequestsPerClock = 0.77;

/// Its cycles for each sector that a request reads, where lanes of a group read different sectors. Fitted to
/// random walks over a texture on an H200.
inline constexpr double kCyclesPerTextureSector = 0.7;

/// Requests for different words of the constant bank are serialized: measured on an H200 as 11 cycles for
/// each further word of a dependent load. A uniform load costs nothing here.
inline constexpr double kCyclesPerConstantWord = 11;

/// Instructions of a warp in our kernels: to compute its indices, around each access to compute its address,
/// and for each value that stays in a register.
inline constexpr double kInstructionsOfWarp = 20, kInstructionsOfAccess = 4, kInstructionsOfKept = 2;
/// The same on compute capability 1.x, where addresses have 32 bits and an access may be an operand, and for
/// each step of a loop with a barrier: the comparison, the jump over what a warp without an active lane
/// leaves out, the barrier, the next distance, its comparison, the jump. Counted by hand in "sequential
/// addressing" of M. Harris, "Optimizing Parallel Reduction in CUDA": 268 instructions of a block of 128
/// threads at 4 clocks each; an 8800 GTX was published to take as long as 284.
inline constexpr double kOldInstructionsOfWarp = 8, kOldInstructionsOfAccess = 2, kOldInstructionsOfStep = 6;
/// There also, in loops that are not unrolled: for a product of integers, which takes a warp 16 clocks
/// instead of 4 (CUDA Programming Guide 1.1, 5.1.1.1), and for a remainder.
inline constexpr double kOldInstructionsOfProduct = 4, kOldInstructionsOfRemainder = 24;
/// The same around each access of a typed kernel whose loop is unrolled: the access itself. What is done
/// with it is counted (Demand::computed).
inline constexpr double kInstructionsUnrolled = 1;

/// An instruction that needs the one before it is issued so many cycles after it (compute capability 7.0 and
/// later). Warps of typed kernels do little but wait for themselves, so an SM needs as many of them for each
/// of its schedulers to have one that can go on.
inline constexpr double kDependentCycles = 4;
/// Cycles of an SM for an instruction of its units for special functions and conversions, of which it has
/// for 16 lanes: the table of arithmetic throughput in NVIDIA's CUDA C++ Programming Guide.
inline constexpr double kCyclesOfSpecial = 2;
/// The same for double precision, of which some GPUs have half as many lanes as of float, the others few.
inline double cycles_of_double(const DeviceFacts& device) {
    const ComputeCapability cc = device.cc;
    const bool many = (cc.minor == 0 && cc.major >= 6 && cc.major <= 10) || (cc.major == 10 && cc.minor == 3);
    return double(kWarpLanes) / (many ? device.fp32_lanes_per_sm / 2 : 2);
}

/// Limits act together near the point where they are equal; a power mean of this order is their soft maximum.
/// Fitted.
inline constexpr double kSoftness = 6;
/// The same for kernels that compute: their blocks load, compute and store in turns, so limits overlap less.
/// Fitted to convolutions and products on an H200.
inline constexpr double kSoftnessOfProducts = 2.5;

/// The overhead of a measured time, by how it was taken (kernels/timing/timing.cuh) [us]: for one of several
/// launches in a graph, for a single launch between two events, and for the same after the L2 was emptied.
/// Measured on an H200 with grids of 4 to 64 blocks, and as the difference of warm and cold times of large
/// ones (driver 580).
inline constexpr double kGraphLaunchUs = 1.0;
inline constexpr double kEventLaunchUs = 5.3;
inline constexpr double kColdLaunchUs = 3.3;

/// The time that a limit alone would take [seconds].
struct Limit {
    double seconds = 0;
    Limiter limiter = Limiter::none;
};

/// The largest number of limits of a prediction.
inline constexpr int kMostLimits = 14;

/// All limits together, and which of them is the longest. 0 and none if there are none, or nothing to do.
/// @param softness  the order of the power mean
Limit soft_maximum(std::span<const Limit> limits, double softness = kSoftness);

/// The overhead of the measured time of a launch [seconds]. Short launches are timed several at a time in a
/// graph; near the border between the two methods it is uncertain which one is used.
/// @param cold  whether the L2 is emptied before each launch, so that each is timed alone
double launch_seconds(double kernel_seconds, bool cold);

}  // namespace warplens::limits
