#pragma once

#include "app/base/in_steps.h"
#include "app/model/access/counts.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace warplens {

/// The cost of some requests together, beside the least that they could.
struct RequestSums {
    std::int64_t requests = 0;  ///< with an active lane, of instructions that access memory
    std::int64_t cost = 0, ideal = 0;
    /// One request's. All 0 if there is none.
    std::int64_t least = 0, most = 0, least_ideal = 0, most_ideal = 0;
    /// The request with the most beyond its ideal; of equals the one that takes most, and was met first.
    struct Worst {
        WarpPlace place = {};
        int instruction = 0;
        int step = 0;  ///< which execution of the instruction by its warp
        std::int64_t cost = 0, ideal = 0;

        std::int64_t excess() const { return cost - ideal; }
    } worst = {};

    void add(const RequestSums& more, std::int64_t times = 1);
    std::int64_t excess() const { return cost - ideal; }
    /// Whether both take the same, whichever request is the worst.
    bool same_costs(const RequestSums& other) const;
};

/// Some warps of each block of a rectangle, and what their requests take.
struct GridCell {
    Extent first, blocks;           ///< the first block, and how many there are in x and y
    int first_warp = 0, warps = 1;  ///< of each block
    RequestSums sums = {};

    bool contains(const WarpPlace& place) const;
};

/// The grid of a launch in cells, with what the requests of each one's warps take.
///
/// A grid with few blocks has a cell for each warp, or for some neighbours of a block; otherwise a cell
/// stands for blocks. The last column and row of blocks, which may be partly empty, have cells of their own.
/// If the columns are warps, blocks follow each other in x; else the rows are the warps of a row of blocks,
/// or rows of blocks.
struct GridMap {
    int columns = 0, rows = 0;
    std::vector<GridCell> cells;  ///< row by row
    Extent grid;                  ///< [blocks]
    int warps_per_block = 1;
    int repeats = 1;  ///< So often the grid is launched again below itself, doing the same.
    std::string
        unit;  ///< what requests take: "sectors", "sectors or wavefronts"; empty if nothing is counted
    std::string_view per = "a request";  ///< of what the unit is counted, or "an instruction"
    bool alike = false;                  ///< Each instruction takes the same in all warps.
    bool can_picture = false;            ///< The scenario has a knob that chooses the pictured warp.
    int worst = -1;  ///< the cell with the worst request; -1 if none takes more than its ideal
    bool sampled =
        false;  ///< Some warps were counted for all: sums are estimates, and a worse one may exist.
    std::int64_t counted = 0;  ///< how many requests were counted, if each stands for more
    Provenance kind = Provenance::exact;
    std::string source;  ///< a sentence that says why the counts are not exact; empty if they are

    std::int64_t warps() const { return warps_of_blocks(grid, warps_per_block); }
    std::int64_t warps(const GridCell& cell) const { return warps_of_blocks(cell.blocks, cell.warps); }
    /// The number of a warp in the grid, as Params::warp counts.
    std::int64_t number_of(const WarpPlace& place) const;
    /// The cell with a warp. -1 if it lies in none.
    int cell_of(std::int64_t warp) const;
    RequestSums sums() const;  ///< of all cells

private:
    std::int64_t warps_of_blocks(Extent blocks, int each) const {
        return std::int64_t{blocks.x} * blocks.y * each * repeats;
    }
};

inline constexpr int kMapColumns = 64, kMapRows = 16;  ///< the most cells of a map
/// So many requests are counted for a map at most, or those of one block if it has more. They take about 10
/// ms.
inline constexpr std::int64_t kMostOfMap = 65'536;

/// Count the grid in cells. Params must be clamped; the knobs `warp` and `step` have no effect.
///
/// A request is counted once for all blocks that only move its addresses, modulo kPeriodBytes: for the law of
/// kernels/scenario.h see count_grid; the blocks of a typed kernel say it themselves. Where there is no such
/// rule all warps are counted. If either would take more than kMostOfMap, blocks that are evenly spread over
/// the cells stand for all, and there are fewer cells, so that each has one.
/// @param instruction  -1 for all of them together
/// Errors: none.
GridMap map_grid(const Scenario& scenario, const Params& params, const DeviceFacts& device, int instruction);
InSteps<GridMap> map_grid_in_steps(const Scenario& scenario, Params params, DeviceFacts device,
                                   int instruction);

/// The params with which pictures show the worst request of a cell, if the scenario has knobs for that. Where
/// they reach only some of the warps, the others repeat these.
Params picture_worst(const Scenario& scenario, Params params, const GridCell& cell);

}  // namespace warplens
