#pragma once

#include "app/model/access/grid_map.h"

#include <array>
#include <cstddef>
#include <vector>

namespace warplens {

/// Some neighbours in a row: blocks, or warps.
struct Neighbours {
    int first = 0, count = 1;
};

/// How the blocks and warps of a grid are dealt out to cells.
struct GridLayout {
    std::vector<Neighbours> x, y;   ///< blocks
    std::vector<Neighbours> warps;  ///< of a block
    bool warps_across = false;      ///< warps follow each other in a row of cells, not in a column

    int columns() const { return int(x.size() * (warps_across ? warps.size() : 1)); }
    int rows() const { return int(y.size() * (warps_across ? 1 : warps.size())); }
    /// The cell with these indices into x, y and warps.
    std::size_t cell(std::size_t in_x, std::size_t in_y, std::size_t in_warps) const;
    std::size_t group_of(int warp) const;  ///< its index into `warps`
};

/// @param most_blocks  the most rectangles of blocks
GridLayout lay_out_grid(Extent grid, int warps_per_block, int most_blocks);

/// Blocks that do the same but for a shift of their addresses, which is one constant for each step in x and
/// y.
class ShiftedBlocks {
public:
    /// @param shift_x, shift_y  modulo kPeriodBytes, 0 or more [bytes]
    ShiftedBlocks(Extent first, Extent blocks, int shift_x, int shift_y);

    /// One block for each shift that occurs, the first one first.
    const std::vector<Extent>& different() const { return different_; }
    /// Add what some warps of them take to the cells.
    /// @param each   by block of different()
    /// @param group  index into GridLayout::warps
    void deal_out(std::vector<GridCell>& cells, const GridLayout& layout, std::size_t group,
                  const std::vector<RequestSums>& each) const;

private:
    Extent first_, blocks_;
    int shift_x_, shift_y_;
    std::vector<Extent> different_;
    std::array<int, kPeriodBytes> index_of_;  ///< by shift: the index into different_
};

}  // namespace warplens
