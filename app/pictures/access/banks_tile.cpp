// The tile as the code sees it: rows and columns of elements, each with the lane that wants it or with its
// bank.
#include "app/pictures/access/banks_canvas.h"
#include "app/pictures/access/explain.h"
#include "app/pictures/kit/motion.h"

#include <fmt/format.h>

#include <bit>

namespace warplens {
namespace {

/// Every element of a group's tile is drawn from these.
struct Element {
    int row, column, bank;
    std::uint64_t address;
    std::uint32_t lanes;  ///< of the group
};

Element element_at(const BanksCanvas& d, const BankBlock& block, int row, int column) {
    const std::uint64_t address = d.layout.address_of(row, column);
    return {row, column, d.layout.bank_of(address), address,
            lanes_wanting(d.access, lanes_of(block.group, d.report.lanes_per_group), address,
                          d.layout.tile.element_bytes)};
}

std::string tooltip_of(const BanksCanvas& d, const Element& e) {
    const int bytes = d.layout.tile.element_bytes;
    const int banks = std::max(1, bytes / d.layout.bank_bytes);
    std::string text = fmt::format("tile[{}][{}]\n{}, word {}, address 0x{:x}\n", e.row, e.column,
                                   banks > 1 ? fmt::format("banks {} to {}", e.bank, e.bank + banks - 1)
                                             : fmt::format("bank {}", e.bank),
                                   format_count(static_cast<std::int64_t>(e.address / 4)), e.address);
    if (e.lanes == 0) return text + "no lane accesses it";
    return text + name_lanes(e.lanes) +
           d.canvas.count_text(fmt::format("\nwavefront {} of {}",
                                           d.report.wavefront[std::countr_zero(e.lanes)] + 1,
                                           d.report.count.wavefronts));
}

/// The bank of the lane under the mouse, whose elements stand out; -1 for none.
int bank_under_mouse(const BanksCanvas& d) {
    const int lane = d.hovered();
    return lane < 0 ? -1 : d.layout.bank_of(d.access.byte_address[lane]);
}

void draw_element(const BanksCanvas& d, const BankBlock& block, const MemoryRow& row, const Element& e) {
    Canvas& canvas = d.canvas;
    const Rect whole = d.layout.element_cell(block, row, e.column);
    const float space = std::min(1.0f, d.layout.column_pitch * 0.08f);
    const Rect cell{whole.x + space, whole.y, whole.w - 2 * space, whole.h};
    const bool same_bank = e.bank == bank_under_mouse(d);
    if (e.lanes != 0) {
        const int lane = std::countr_zero(e.lanes);
        const std::size_t begin = canvas.picture.shapes.size();
        const Color fill = fill_wanted(d, cell, e.lanes, block.group, e.bank);
        const bool dim = is_dimmed(d, e.lanes);
        if (std::popcount(e.lanes) > 1) draw_double_outline(canvas, cell, fill, 2);
        const bool first = d.access.byte_address[lane] >= e.address;
        if (d.layout.numbers && first)
            canvas.lane_number(whole, lane, dim ? canvas.theme.text_weak : text_on(fill));
        if (first) canvas.moves_since(begin, moving_key(MovingKind::cell, block.group * kWarpLanes + lane));
    } else {
        const Color ground =
            same_bank ? mix(canvas.theme.cell_empty, canvas.theme.highlight, 0.35f) : canvas.theme.cell_empty;
        canvas.fill(cell, ground, d.layout.column_pitch < 8 ? 0.0f : 1.5f);
        if (d.layout.numbers && !canvas.style.counts_hidden)
            canvas.label_inside(whole, std::to_string(e.bank), canvas.small(),
                                same_bank ? canvas.theme.text : canvas.theme.text_weak, 0);
    }
    canvas.hit(whole, std::popcount(e.lanes) == 1 ? std::countr_zero(e.lanes) : -1, tooltip_of(d, e));
}

/// Numbers of columns, as many as have room.
void draw_columns(const BanksCanvas& d, const BankBlock& block) {
    Canvas& canvas = d.canvas;
    if (d.layout.axis_step == 0 || block.rows_y - block.bars_y - d.layout.bars_h < 40) return;
    int step = 1;
    while (float(step) * d.layout.column_pitch < canvas.width("28", FontRole::body) + 8) step *= 2;
    for (int column = 0; column < d.layout.tile.width; column += step)
        canvas.label({block.x + d.layout.column_pitch * (float(column) + 0.5f),
                      block.rows_y - 19 + ascent(FontRole::body)},
                     std::to_string(column), FontRole::body, canvas.theme.text_weak, Anchor::middle);
}

}  // namespace

std::optional<Rect> tile_cell_of(const BanksCanvas& d, const BankBlock& block, int lane) {
    const std::uint64_t address = d.access.byte_address[lane];
    for (const MemoryRow& row : d.layout.rows) {
        if (row.kind != MemoryRow::Kind::line) continue;
        for (int column = 0; column < d.layout.tile.width; ++column) {
            const std::uint64_t begin = d.layout.address_of(int(row.index), column);
            if (address >= begin && address < begin + static_cast<std::uint64_t>(d.layout.tile.element_bytes))
                return d.layout.element_cell(block, row, column);
        }
    }
    return std::nullopt;
}

void draw_tile(const BanksCanvas& d, const BankBlock& block) {
    const Theme& theme = d.canvas.theme;
    draw_columns(d, block);
    for (const MemoryRow& row : d.layout.rows) {
        if (row.kind != MemoryRow::Kind::line) continue;
        for (int column = 0; column < d.layout.tile.width; ++column)
            draw_element(d, block, row, element_at(d, block, int(row.index), column));
        for (int column = d.layout.tile.width; column < d.layout.columns(); ++column) {
            const Rect cell = d.layout.element_cell(block, row, column);
            d.canvas.box({.rect = inset(cell, std::min(1.0f, cell.w * 0.08f)),
                          .fill = theme.panel,
                          .rounding = 1.5f,
                          .hatch = theme.hatch});
            d.canvas.hit(cell, -1, "padding: nothing is kept here");
        }
    }
}

}  // namespace warplens
