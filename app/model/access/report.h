#pragma once

// The folder app/model/access/ counts what a request costs in each memory space, from addresses alone:
// banks, sectors, constant words, texels, the interleaved words of local memory; and adds these counts up
// over blocks and grids. It contains no times: those are predicted from these counts in app/model/time/.

#include "app/model/catalogue.h"
#include "app/model/device/device.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace warplens {

/// Requests of these spaces are served by the banks of shared memory; requests of the following spaces move
/// sectors of 32 bytes.
constexpr bool has_banks(Space space) { return space == Space::shared || space == Space::cluster; }
constexpr bool has_sectors(Space space) {
    return space == Space::global || space == Space::l2 || space == Space::local;
}

std::string_view space_name(Space space);  ///< "global" and so on, as on the command line and in files

/// The counts of one instruction over some warps. Counts that a memory space does not have are 0:
/// | space             | requests                             | sectors, lines      | wavefronts |
/// |-------------------|--------------------------------------|---------------------|------------|
/// | global            | one per instruction; before CC 7.0 of some lanes | 32 and 128 bytes | - |
/// | local             | one per instruction                  | of the interleaved words | -     |
/// | texture           | one per four lanes                   | sectors per request | -          |
/// | constant          | one per distinct 32-bit word         | lines of 64 bytes   | -          |
/// | shared, cluster   | one per instruction                  | -                   | yes        |
/// | registers         | one per instruction                  | -                   | -          |
struct Totals {
    std::int64_t instructions = 0;        ///< warp-wide instructions with an active lane
    std::int64_t requests = 0;            ///< what the profiler calls a request in that space
    std::int64_t sectors = 0;             ///< 32-byte sectors moved
    std::int64_t ideal_sectors = 0;       ///< the sectors if the bytes of each request were contiguous
    std::int64_t lines = 0;               ///< distinct 128-byte lines, summed over requests
    std::int64_t transactions = 0;        ///< the pieces that are transferred, see SectorCount::transactions
    std::int64_t ideal_transactions = 0;  ///< the transactions if the bytes of each request were contiguous
    std::int64_t wavefronts = 0;          ///< wavefronts of the banks
    std::int64_t ideal_wavefronts = 0;    ///< wavefronts without conflicts
    std::int64_t bytes_used = 0;          ///< distinct bytes requested, summed over requests [bytes]
    std::int64_t bytes_moved = 0;         ///< global: sectors * 32; shared: wavefronts * banks * 4 [bytes]
    std::int64_t bytes_wanted =
        0;  ///< bytes requested: active lanes * bytes of each, which registers give or get [bytes]

    std::int64_t excessive_wavefronts() const { return wavefronts - ideal_wavefronts; }
    Totals& operator+=(const Totals& other);
    Totals operator*(std::int64_t times) const;
    Totals scaled(std::int64_t times, std::int64_t divisor) const;  ///< with each count rounded
    friend bool operator==(const Totals&, const Totals&) = default;
};

/// Over what the counts of an instruction are summed.
enum class CountScope { warp, block, grid };
inline constexpr CountScope kCountScopes[] = {CountScope::grid, CountScope::block, CountScope::warp};
constexpr std::string_view scope_name(CountScope scope) {
    return scope == CountScope::warp ? "warp" : scope == CountScope::block ? "block" : "grid";
}

/// One instruction: the pictured request, its whole block over all steps, and the whole grid.
struct InstructionReport {
    Instruction instruction;
    WarpAccess access = {};  ///< the pictured request
    Totals warp = {}, block = {}, grid = {};
    Provenance kind = Provenance::exact;  ///< the provenance of these counts
    std::string_view source;              ///< where the rules come from, for counts that are not exact

    const Totals& totals(CountScope scope) const {
        return scope == CountScope::warp ? warp : scope == CountScope::block ? block : grid;
    }
};

/// The worst that goes wrong in a kernel that can run; lost_updates is the scenarios' own.
enum class Fault { none, out_of_bounds, race, race_of_blocks, never_stored, lost_updates };

struct Report {
    LaunchShape shape;
    WarpPlace place = {};                 ///< the position of the pictured warp
    int step = 0;                         ///< the pictured step
    Provenance kind = Provenance::exact;  ///< the weakest provenance among the instructions
    SectorRules sector_rules;             ///< the rules by which global memory was counted
    /// Why the device cannot run such a block, or what goes wrong in a typed kernel; empty if it can.
    std::string does_not_fit = {};
    Fault fault = Fault::none;
    std::string fault_words = {};            ///< the same as one sentence; empty for none
    std::vector<std::string> warnings = {};  ///< about a typed kernel, each one sentence
    std::vector<InstructionReport> instructions = {};
};

/// Why a device cannot make the launch of a setting, in one sentence (refuse_launch). Empty if it can, as far
/// as is known. Nothing is predicted of such a launch; what its addresses ask for can be counted all the
/// same.
std::string does_not_fit(const Scenario& scenario, const Params& params, const DeviceFacts& device);

/// Whether the rules by which a device counts were measured or documented, or are only approximately known.
struct CountBasis {
    Provenance kind = Provenance::exact;
    std::string_view source;  ///< a sentence that names the source
};
CountBasis count_basis(const Instruction& instruction, const DeviceFacts& device);
/// The same of a scenario's instruction, whose rules may be known less well than those of its space, or whose
/// number may be the compiler's.
CountBasis rules_basis(const Instruction& instruction, const DeviceFacts& device);

/// How the device moves the interleaved words of per-thread arrays: on CC 1.x and 2.x like those of global
/// memory.
SectorRules local_rules(const DeviceFacts& device);

/// What is not known of an atomic operation whose lanes come to more lines than kSureLines.
inline constexpr int kSureLines = 4;
inline constexpr std::string_view kMoreLines =
    "Where the lanes of one atomic operation lie in more than four lines, the L1 now and then comes to a sector "
    "once more than its words need: mostly 0 to 3 %, at most 10 %, were counted on an H200.";
/// Whether the sectors of an instruction's requests are known to the last one: all, but for atomic operations
/// in global memory that come to many lines.
bool is_sure_of_sectors(const Scenario& scenario, const Params& params, int instruction,
                        const DeviceFacts& device);

/// Totals of one request.
Totals count_access(const WarpAccess& access, const DeviceFacts& device);

/// Requests of a warp as the one that nvcc joins them to. Nothing unless each lane's words lie side by side
/// in this order, the first at a multiple of all their bytes.
std::optional<WarpAccess> joined_access(std::span<const WarpAccess> parts);

/// The pictured request of each instruction and what it takes: rows without block and grid, which take longer
/// to count. Params must be clamped.
std::vector<InstructionReport> pictured_requests(const Scenario& scenario, const Params& params,
                                                 const DeviceFacts& device);

/// Totals of one instruction over the whole grid.
///
/// Going one block further moves all addresses of an instruction by one constant (law of kernels/scenario.h),
/// and counts depend on addresses only modulo 256 bytes. So blocks repeat with a period of at most 256 in x
/// and in y; only the last block of a row or column may be partly empty. The cost is that of a few blocks,
/// whatever the size of the grid. For a scenario with irregular addresses some evenly spread blocks are
/// counted for all, and the sums are approximate.
Totals count_grid(const Scenario& scenario, const Params& params, int instruction, const DeviceFacts& device);

/// Counts depend on addresses only modulo this number: the largest aligned segment of any generation (CC 1.0,
/// 16-byte words) [bytes].
inline constexpr int kPeriodBytes = 256;

/// How far the first thread's address moves from block (0, 0) to another block, modulo kPeriodBytes [bytes].
int shift_to(const Scenario& scenario, const Params& params, int instruction, Extent block);

/// One request of a grid, and how many requests of the grid take as much as it. @return  whether to go on
using VisitRequest = std::function<bool(const WarpAccess& access, std::int64_t times)>;

/// Goes through requests that represent all of an instruction in the grid, as count_grid counts them. The
/// scenario must not be irregular.
/// @return  whether it came to the end
bool visit_requests(const Scenario& scenario, const Params& params, int instruction,
                    const VisitRequest& visit);

/// The blocks that represent all of an irregular grid: evenly spread, and not in step with any period of it.
/// @param i  0, 1, 2 ...; the more blocks are taken, the more finely they are spread.
Extent sampled_block(int i, Extent grid);

/// The same, counted block by block. It is slow, and verifies count_grid.
Totals count_grid_by_force(const Scenario& scenario, const Params& params, int instruction,
                           const DeviceFacts& device);

/// Everything that is counted for a scenario. Params must be clamped.
Report analyze(const Scenario& scenario, const Params& params, const DeviceFacts& device);

}  // namespace warplens
