#pragma once

#include "app/model/access/pieces.h"
#include "kernels/warp_access.h"

#include <array>
#include <cstdint>
#include <vector>

namespace warplens {

inline constexpr int kSectorBytes = 32;
inline constexpr int kLineBytes = 128;
inline constexpr int kSectorsPerLine = kLineBytes / kSectorBytes;

/// How global memory turns a request into transactions, by compute capability. Source: CUDA C Programming
/// Guide 4.2, appendix F, for CC 1.x and 2.x; later guides for 32-byte sectors.
enum class CoalescingRules {
    half_warp_aligned,   ///< CC 1.0, 1.1: in order and aligned, otherwise one 32-byte transaction per lane
    half_warp_segments,  ///< CC 1.2, 1.3: segments of 32 to 128 bytes, halved while only one half is used
    whole_lines,         ///< CC 2.x: 128-byte lines through L1
    sectors,             ///< CC 3.x and later: distinct 32-byte sectors
};

struct SectorRules {
    CoalescingRules coalescing = CoalescingRules::sectors;
    /// Lanes of one request for 1 to 4, 8 and 16 bytes per lane. From CC 7.0 on it is always the whole warp.
    std::array<int, 3> lanes_per_request{32, 32, 32};

    friend bool operator==(const SectorRules&, const SectorRules&) = default;
};

/// The cost of one warp-wide instruction in global memory.
struct SectorCount {
    int requests = 0;       ///< 1 on CC 7.0 and later; 0 if no lane is active
    int sectors = 0;        ///< 32-byte sectors moved (CC 1.x and 2.x: bytes of the transactions / 32)
                            ///< Atomic operations: moved once for each lane that a word of it has most of
    int ideal_sectors = 0;  ///< the sectors if the lanes' bytes were contiguous; never above `sectors`
    /// The transactions in which the bytes are transferred: segments of 32, 64 or 128 bytes on CC 1.x, lines
    /// on CC 2.x, later sectors. On CC 1.x they may differ in size.
    int transactions = 0;
    int ideal_transactions =
        0;               ///< the transactions if the lanes' bytes were contiguous; never above `transactions`
    int lines = 0;       ///< distinct 128-byte lines accessed
    int bytes_used = 0;  ///< distinct bytes that some lane requests [bytes]
    int bytes_moved = 0;  ///< sectors * 32 [bytes]
};

/// One 128-byte line that a request accesses.
struct LineUse {
    std::uint64_t byte_address = 0;       ///< address of the line's first byte, a multiple of 128
    std::array<std::uint32_t, 4> used{};  ///< bit b of used[s] is set if a lane requests byte 32 * s + b
    unsigned sectors = 0;                 ///< bit s is set if sector s is moved
    /// How often each sector is moved: by several requests, or on CC 1.0 for several lanes of one request.
    /// Their sum is the count's sectors.
    std::array<int, 4> times{};
};

/// One transaction of global memory.
struct Transaction {
    std::uint64_t byte_address = 0;  ///< a multiple of its size
    int bytes = 0;                   ///< 32, 64 or 128 [bytes]
    std::uint32_t lanes = 0;         ///< the lanes whose bytes lie in it
};

struct SectorReport {
    SectorCount count;
    std::vector<LineUse> lines;  ///< in the order of their addresses
    SectorRules rules;           ///< the rules by which it was counted
    int lanes_per_request = kWarpLanes;
    std::vector<Transaction> transactions;  ///< in the order of the requests
};

/// Count sectors and lines of one warp-wide global load or store, or of an atomic operation: it comes to a
/// sector as often as the word that most lanes change, each time for one lane of each word. Measured on CC
/// 9.0 (87 patterns; atom and red alike, in the L1 and the L2): equal, except that of a request to more than
/// four lines the L1 now and then makes one sector more (3 of the 87).
/// @param access  addresses from a 256-byte aligned start [bytes], multiples of bytes_per_lane.
/// Errors: none. Allocates nothing.
SectorCount count_sectors(const WarpAccess& access, const SectorRules& rules);

/// How often an atomic operation comes to sectors and to lines.
/// How often a request comes to sectors, if in each turn one lane of every word takes part.
/// @param lanes  those of the request
int sectors_in_turns(const WarpAccess& access, std::uint32_t lanes);

/// Distinct pieces of memory that the lanes of a request touch: addresses, sectors and lines.
class Touched {
public:
    constexpr explicit Touched(PieceCounts pieces = {}) : pieces_(pieces) {}

    constexpr int addresses() const { return pieces_.of(0); }
    constexpr int sectors() const { return pieces_.of(1); }
    constexpr int lines() const { return pieces_.of(2); }
    constexpr std::uint32_t packed() const { return pieces_.packed(); }  ///< all in one number
    friend bool operator==(const Touched&, const Touched&) = default;

private:
    PieceCounts pieces_;
};
/// Count for the active lanes, in any order.
/// @param addresses       [bytes], multiples of bytes_per_lane from the begin of a line on
/// @param bytes_per_lane  1, 2, 4, 8 or 16 [bytes]
/// Errors: none. Allocates nothing.
Touched count_touched(LaneAddresses addresses, std::uint32_t active, int bytes_per_lane);
/// Whether what a request costs follows from what it touches, its lanes and their bytes alone, so that
/// requests of which these are the same need not be counted again.
bool follows_from_touched(const SectorRules& rules);

/// Distinct bytes that some active lane requests, in any memory space [bytes].
int count_bytes_used(const WarpAccess& access);

/// The same with each line and its used bytes.
SectorReport analyze_sectors(const WarpAccess& access, const SectorRules& rules);

/// The per-thread arrays of a warp as they lie in memory. The hardware interleaves them: word w of all lanes
/// is adjacent in one 128-byte line, so lanes that use the same index access 4 sectors and lanes that use
/// different ones up to 32. Sectors and lines are then counted as in global memory
/// (app/model/access/sectors.h). Source: CUDA C++ Programming Guide, local memory; reference tables, measured
/// by `l1tex__t_sectors_pipe_lsu_mem_local_op_ld`.
///
/// @param access  Space::local: byte offsets in the array of each lane, at most 4 bytes per lane.
/// @return        addresses from the start of the warp's interleaved words, with 4 bytes per word and lane.
WarpAccess interleave_local(const WarpAccess& access);

/// The cost of one warp-wide load or store of per-thread arrays. A lane of 8 or 16 bytes accesses 2 or 4
/// words, each in a line of its own: for every width at least as many bytes are moved as the lanes request.
/// Errors: none. Allocates nothing.
/// @param rules  for CC 1.x and 2.x: how the interleaved words are moved. Each word of a lane's 8 or 16 bytes
/// is then a request of its own.
SectorCount count_local(const WarpAccess& access, const SectorRules& rules = {});

}  // namespace warplens
