#include "app/model/access/grid_cells.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

namespace warplens {
namespace {

/// The last one stands alone, because of blocks it may be partly empty. The others are dealt out by powers of
/// two, whose limits a person can read.
std::vector<Neighbours> deal_blocks(int count, int most) {
    if (most <= 1) return {{0, count}};
    const int inner = count - 1, parts = most - 1;
    const int each = count <= most ? 1 : int(std::bit_ceil(unsigned((inner + parts - 1) / parts)));
    std::vector<Neighbours> all;
    for (int first = 0; first < inner; first += each) all.push_back({first, std::min(each, inner - first)});
    all.push_back({inner, 1});
    return all;
}

std::vector<Neighbours> deal_warps(int count, int most) {
    const int each = (count + most - 1) / most;
    std::vector<Neighbours> all;
    for (int first = 0; first < count; first += each) all.push_back({first, std::min(each, count - first)});
    return all;
}

int repeats_after(int shift) { return kPeriodBytes / std::gcd(shift, kPeriodBytes); }

/// The blocks of a cell along one axis, of those that shift by one constant from each to the next.
struct BlocksInCell {
    int begin, count;
    int shift;  ///< of the first one
};

BlocksInCell blocks_in(const Neighbours& cell, int first, int count, int shift) {
    const int begin = std::max(cell.first, first), end = std::min(cell.first + cell.count, first + count);
    return {begin, std::max(0, end - begin), int(std::int64_t{begin - first} * shift % kPeriodBytes)};
}

/// Call visit(i, its shift, how many have that shift) for the first blocks in a cell, each with a shift of
/// its own.
void visit_shifts(const BlocksInCell& blocks, int shift, const auto& visit) {
    const int period = repeats_after(shift);
    for (int i = 0; i < std::min(period, blocks.count); ++i)
        visit(i, (blocks.shift + i * shift) % kPeriodBytes, (blocks.count - i + period - 1) / period);
}

}  // namespace

std::size_t GridLayout::cell(std::size_t in_x, std::size_t in_y, std::size_t in_warps) const {
    const std::size_t groups = warps.size();
    return warps_across ? (in_y * x.size() + in_x) * groups + in_warps
                        : (in_y * groups + in_warps) * x.size() + in_x;
}

std::size_t GridLayout::group_of(int warp) const {
    return static_cast<std::size_t>(warp / warps.front().count);
}

GridLayout lay_out_grid(Extent grid, int warps_per_block, int most_blocks) {
    const bool across = std::int64_t{grid.x} * warps_per_block <= kMapColumns;
    const int most_y = std::clamp(int(std::sqrt(most_blocks)) / 2, 1, kMapRows);
    GridLayout layout{.y = deal_blocks(grid.y, std::min(most_y, grid.y)), .warps_across = across};
    layout.x = deal_blocks(grid.x, std::min(kMapColumns, most_blocks / int(layout.y.size())));
    const bool rows = !across && grid.y <= int(layout.y.size());
    layout.warps = deal_warps(warps_per_block, across ? kMapColumns : rows ? kMapRows / grid.y : 1);
    return layout;
}

ShiftedBlocks::ShiftedBlocks(Extent first, Extent blocks, int shift_x, int shift_y)
    : first_(first), blocks_(blocks), shift_x_(shift_x), shift_y_(shift_y) {
    index_of_.fill(-1);
    const int wide = std::min(blocks.x, repeats_after(shift_x)),
              high = std::min(blocks.y, repeats_after(shift_y));
    for (int y = 0; y < high; ++y) {
        for (int x = 0; x < wide; ++x) {
            int& index = index_of_[(x * shift_x + y * shift_y) % kPeriodBytes];
            if (index >= 0) continue;
            index = int(different_.size());
            different_.push_back({first.x + x, first.y + y});
        }
    }
}

void ShiftedBlocks::deal_out(std::vector<GridCell>& cells, const GridLayout& layout, std::size_t group,
                             const std::vector<RequestSums>& each) const {
    // The cost of the blocks of a column of cells in one row, by the row's own shift; the worst one's x is
    // counted from the first block. Columns that begin with the same shift take the same.
    using Rows = std::vector<std::optional<RequestSums>>;  // by index_of_ the shift
    std::map<std::pair<int, int>, Rows> rows_of;
    for (std::size_t x = 0; x < layout.x.size(); ++x) {
        const BlocksInCell along = blocks_in(layout.x[x], first_.x, blocks_.x, shift_x_);
        if (along.count == 0) continue;
        Rows& rows = rows_of[{along.shift, along.count}];
        rows.resize(different_.size());
        const auto row = [&](int row_shift) -> const RequestSums& {
            std::optional<RequestSums>& sums = rows[index_of_[row_shift]];
            if (sums) return *sums;
            sums.emplace();
            visit_shifts(along, shift_x_, [&](int i, int shift, int times) {
                RequestSums one = each[index_of_[(shift + row_shift) % kPeriodBytes]];
                one.worst.place.block.x = i;
                sums->add(one, times);
            });
            return *sums;
        };
        for (std::size_t y = 0; y < layout.y.size(); ++y) {
            RequestSums& sums = cells[layout.cell(x, y, group)].sums;
            const BlocksInCell down = blocks_in(layout.y[y], first_.y, blocks_.y, shift_y_);
            visit_shifts(down, shift_y_, [&](int i, int shift, int times) {
                RequestSums one = row(shift);
                one.worst.place.block = {along.begin + one.worst.place.block.x, down.begin + i};
                sums.add(one, times);
            });
        }
    }
}

}  // namespace warplens
