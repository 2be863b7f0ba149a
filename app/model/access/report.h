#pragma once

#include "app/model/catalogue.h"
#include "app/model/device/device.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace warplens {

/// Requests of these spaces pass the banks of shared memory, and of those move sectors of 32 bytes.
constexpr bool has_banks(Space space) { return space == Space::shared || space == Space::cluster; }
constexpr bool has_sectors(Space space) {
    return space == Space::global || space == Space::l2 || space == Space::local;
}

std::string_view space_name(Space space);  ///< "global", on the command line and in files

/// Counts of one instruction over some warps. What a memory space does not have is 0:
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
    std::int64_t requests = 0;            ///< what the profiler calls a request of that space
    std::int64_t sectors = 0;             ///< 32-byte sectors moved
    std::int64_t ideal_sectors = 0;       ///< if each request's bytes were packed
    std::int64_t lines = 0;               ///< distinct 128-byte lines, summed over requests
    std::int64_t transactions = 0;        ///< pieces that travel: SectorCount::transactions
    std::int64_t ideal_transactions = 0;  ///< if each request's bytes were packed
    std::int64_t wavefronts = 0;          ///< trips through the banks
    std::int64_t ideal_wavefronts = 0;    ///< without conflicts
    std::int64_t bytes_used = 0;          ///< distinct bytes wanted, summed over requests [bytes]
    std::int64_t bytes_moved = 0;         ///< global: sectors * 32; shared: wavefronts * banks * 4 [bytes]
    std::int64_t bytes_wanted = 0;  ///< active lanes * bytes of each: what registers give or get [bytes]

    std::int64_t excessive_wavefronts() const { return wavefronts - ideal_wavefronts; }
    Totals& operator+=(const Totals& other);
    Totals operator*(std::int64_t times) const;
    Totals scaled(std::int64_t times, std::int64_t divisor) const;  ///< rounded
    friend bool operator==(const Totals&, const Totals&) = default;
};

/// One instruction: the pictured request, its whole block over all steps, the whole grid.
struct InstructionReport {
    Instruction instruction;
    WarpAccess access;  ///< the pictured request
    Totals warp, block, grid;
    Provenance kind = Provenance::exact;  ///< of these counts
    std::string_view source;              ///< where the rules come from, for counts that are not exact
};

struct Report {
    LaunchShape shape;
    WarpPlace place;                      ///< of the pictured warp
    int step = 0;                         ///< the pictured step
    Provenance kind = Provenance::exact;  ///< the weakest of the instructions'
    SectorRules sector_rules;             ///< by which global memory was counted
    std::string does_not_fit;             ///< why the device cannot run such a block; empty: it can
    std::vector<InstructionReport> instructions;
};

/// Whether a device counts this way for sure, measured or documented, or as far as somebody found out.
struct CountBasis {
    Provenance kind = Provenance::exact;
    std::string_view source;  ///< a sentence
};
CountBasis count_basis(const Instruction& instruction, const DeviceFacts& device);

/// How the device moves the interleaved words of private arrays: CC 1.x and 2.x as those of global memory.
SectorRules local_rules(const DeviceFacts& device);

/// Totals of one request.
Totals count_access(const WarpAccess& access, const DeviceFacts& device);

/// Totals of one instruction over the whole grid.
///
/// One block further moves all addresses of an instruction by one constant (law of kernels/scenario.h), and
/// counts depend on addresses only modulo 256 bytes, so blocks repeat with a period of at most 256 in x and
/// in y; only the last block of a row or column may be partly empty. Costs a handful of blocks, whatever the
/// grid. Of a scenario whose addresses are irregular, some evenly spread blocks are counted for all: the sums
/// are approximate then.
Totals count_grid(const Scenario& scenario, const Params& params, int instruction, const DeviceFacts& device);

/// The blocks that stand for all of an irregular grid: evenly spread, in step with no period of it.
/// @param i  0, 1, 2 ...; more of them are spread more finely.
Extent sampled_block(int i, Extent grid);

/// The same, block by block: the proof for count_grid, and slow.
Totals count_grid_by_force(const Scenario& scenario, const Params& params, int instruction,
                           const DeviceFacts& device);

/// Everything that is counted about a scenario. Params must be clamped.
Report analyze(const Scenario& scenario, const Params& params, const DeviceFacts& device);

}  // namespace warplens
