#pragma once

#include "app/pictures/access/explain.h"
#include "app/pictures/access/memory_rows.h"
#include "app/pictures/access/warp_canvas.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace warplens {

/// The name beside a row.
struct RowLabel {
    std::string text;
    FontRole font;
};

/// The words, bars and rows of one group of lanes.
struct BankBlock {
    int group = 0;
    float x = 0;        ///< left edge of bank 0 [points]
    float title_y = 0;  ///< top of the line that names the group; not used with one group
    float label_y = 0;  ///< top of the line above the lanes or the bars; not used without it
    float lanes_y = 0;  ///< top of the group's lanes; not used without them
    float bars_y = 0;   ///< top of the bars, below their label
    float rows_y = 0;
};

/// From row to row; legends and axes give way to what has less [points].
inline constexpr float kLeastRow = 9;

struct BanksLayout {
    int banks = 32;
    int bank_bytes = 4;
    int granule = 4;  ///< bytes that a lane's cell covers: its word, or its wide element
    float pitch = 0;  ///< from bank to bank [points]
    float bars_h = 0;
    float lanes_h = 0;        ///< of the lanes above, whose wires lead to their banks; 0 if there is no room
    bool lane_ticks = false;  ///< every fourth lane is named above its cell: numbers do not fit into them
    float row_pitch = 0;
    int most_words = 1;      ///< distinct words of the fullest bank
    int top_words = 32;      ///< that a full bar stands for: as many as a group has lanes, at every setting
    int axis_step = 4;       ///< every how many banks a number stands below the bars; 0 if none fits
    bool bars_label = true;  ///< there is room for a text above the bars
    bool group_titles = false;  ///< and for a line that names each group
    bool numbers = false;       ///< lane numbers fit into the cells of words
    bool by_tile = false;       ///< rows are those of the tile, and columns too
    float column_pitch = 0;     ///< from column to column of the tile, if by_tile [points]
    bool single_cells = true;   ///< there are gaps between words that nobody wants
    float label_x = 0;          ///< left edge of the row labels; below 0 if there are none
    std::vector<BankBlock> blocks;
    std::vector<MemoryRow> rows;     ///< below the bars, each all banks once; y from the block's rows_y
    std::vector<bool> padding;       ///< of each word of the tile; empty if it has no padding
    std::int64_t words_in_all = -1;  ///< words of the tile; -1 if the rows have no end
    TileShape tile;

    /// Each doubling of the words adds as much: two words are told from one as well as 32 from 16.
    float bar_height(float words) const {
        return words < 1 ? 0 : bars_h * (1 + std::log2(words)) / (1 + std::log2(float(top_words)));
    }
    float width() const { return pitch * float(banks); }
    /// Left and right of the cell of a word.
    float space() const { return std::min(1.0f, pitch * 0.08f); }
    std::int64_t row_bytes() const { return std::int64_t{banks} * bank_bytes; }
    /// The tile's last one; -1 without a tile.
    std::int64_t last_row() const { return words_in_all > 0 ? (words_in_all * 4 - 1) / row_bytes() : -1; }
    /// The cell of one lane: its word, or its wide element [points].
    float lane_cell() const { return pitch * float(granule) / float(bank_bytes); }
    /// The tile's rows that begin in a row of all banks ("row 5"), or the column that it begins with where
    /// none does ("col 32"); without a tile the address.
    RowLabel label_of(std::int64_t row) const;
    /// "tile[16][0]"; empty without a tile and in its padding.
    std::string element_at(std::uint64_t address) const;
    int bank_of(std::uint64_t address) const {
        return int(address / static_cast<std::uint64_t>(bank_bytes) % static_cast<std::uint64_t>(banks));
    }
    const MemoryRow* row_of(std::uint64_t address) const;
    /// Whether rows that lanes want are not drawn.
    bool folds() const {
        return std::ranges::any_of(rows, [](const MemoryRow& r) { return r.kind == MemoryRow::Kind::fold; });
    }
    /// Columns of the tile with its padding.
    int columns() const { return tile.width + tile.padding; }
    /// The place of an element of the tile in shared memory [bytes].
    std::uint64_t address_of(int row, int column) const;
    Rect element_cell(const BankBlock& block, const MemoryRow& row, int column) const {
        return {block.x + column_pitch * float(column), block.rows_y + row.y, column_pitch, row.h};
    }
    Rect cell(const BankBlock& block, const MemoryRow& row, int bank, int banks_wide) const {
        return {block.x + pitch * float(bank), block.rows_y + row.y, pitch * float(banks_wide), row.h};
    }
};

/// @param top, bottom  where the blocks may stand [points].
/// @param legend       height that they leave free at the bottom
/// @param by_tile      whether rows are those of the tile, if there is one.
BanksLayout lay_out_banks(const Canvas& canvas, const InstructionView& view, const TileShape& tile,
                          bool by_tile, float top, float bottom, float legend);

/// The lanes among some whose bytes overlap these.
std::uint32_t lanes_wanting(const WarpAccess& access, std::uint32_t lanes, std::uint64_t address, int bytes);

/// Lanes of one group as a mask.
constexpr std::uint32_t lanes_of(int group, int lanes_per_group) {
    return lanes_per_group >= kWarpLanes ? kAllLanes
                                         : ((1u << lanes_per_group) - 1) << (group * lanes_per_group);
}

/// Colours of the cells, if they are not those of the lanes.
inline Ramp ramp_of(ColorBy color_by, const Theme& theme) {
    return color_by == ColorBy::words ? word_ramp(theme) : wavefront_ramp(theme);
}

/// All parts of the banks picture need these.
struct BanksCanvas : WarpCanvas {
    const BankReport& report;
    const BanksLayout& layout;
    int instruction = 0;   ///< block of the trace buffer
    AccessLook look = {};  ///< its step is one that the request has

    bool played() const { return look.step >= 0 && look.share >= 0; }
    /// Whether a lane's wavefront is not the one that the player stands at, or is still to come.
    bool waits(int lane) const {
        const int own = report.wavefront[lane];
        return look.step >= 0 && (played() ? own > look.step : own != look.step);
    }

    /// The same of a cell: several lanes that add to one word are served in several wavefronts.
    bool all_wait(std::uint32_t lanes) const {
        for (; lanes != 0; lanes &= lanes - 1)
            if (!waits(std::countr_zero(lanes))) return false;
        return true;
    }
    /// What the report counts in a bank.
    std::string_view counted_word() const { return shares_words(access.op) ? "word" : "lane"; }

    int banks_wide() const { return std::max(1, layout.granule / layout.bank_bytes); }
};

/// Bars, bank numbers, rows of words and the lanes' cells of every group.
void draw_blocks(const BanksCanvas& d);
/// The rows of memory of one group: their words, and the cells of those that lanes want.
void draw_rows(const BanksCanvas& d, const BankBlock& block);
/// The names beside the rows, and what is left out between them.
void draw_row_labels(const BanksCanvas& d);

/// The tile of one group, if the layout is by_tile: each element with its lane, or with its bank.
void draw_tile(const BanksCanvas& d, const BankBlock& block);
/// The place of the first element that a lane wants. Empty if its row is not drawn.
std::optional<Rect> tile_cell_of(const BanksCanvas& d, const BankBlock& block, int lane);

/// The value that colours a lane's cell, in the words of the trace buffer.
struct CellLook {
    float value = 0, first = 0, max = 0;
    int value_index = 0;
    Ramp ramp;
};
CellLook look_of(const BanksCanvas& d, int lane, int group, int bank);
/// Fills the cell of a word or element that some lanes request. @return  its colour
Color fill_wanted(const BanksCanvas& d, Rect cell, std::uint32_t lanes, int group, int bank);
inline constexpr float kDimmedCell = 0.22f;  ///< opacity
/// Lanes that are not meant by the mouse or by the player.
bool is_dimmed(const BanksCanvas& d, std::uint32_t lanes);

}  // namespace warplens
