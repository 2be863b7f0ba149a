#include "app/pictures/access/banks_canvas.h"
#include "app/pictures/kit/fit_text.h"
#include "app/pictures/kit/motion.h"
#include "kernels/trace/trace.h"

#include <fmt/format.h>

#include <bit>

namespace warplens {
namespace {

/// Words of a row that nobody wants. Their grid is drawn by draw_ground.
void draw_row_ground(const BanksCanvas& d, const BankBlock& block, const MemoryRow& row) {
    const BanksLayout& layout = d.layout;
    const std::int64_t first_word = row.index * layout.row_bytes() / 4;
    const int words_each = layout.bank_bytes / 4;
    std::int64_t banks = layout.banks;
    if (row.index <= layout.last_row())
        banks = std::clamp<std::int64_t>((layout.words_in_all - first_word + words_each - 1) / words_each, 0,
                                         banks);
    if (banks == 0) return;
    const Rect strip = layout.cell(block, row, 0, int(banks));
    const float grow = layout.single_cells ? 0 : (layout.row_pitch - strip.h) / 2;
    d.canvas.fill({strip.x, strip.y - grow, strip.w, strip.h + 2 * grow}, d.canvas.theme.cell_empty);
}

void draw_row_padding(const BanksCanvas& d, const BankBlock& block, const MemoryRow& row) {
    const BanksLayout& layout = d.layout;
    const std::int64_t first_word = row.index * layout.row_bytes() / 4;
    const auto is_padding = [&](int bank) {
        const auto word = std::size_t(first_word + std::int64_t{bank} * layout.bank_bytes / 4);
        return word < layout.padding.size() && layout.padding[word];
    };
    for (int bank = 0, next = 0; bank < layout.banks; bank = next) {
        next = bank + 1;
        if (!is_padding(bank)) continue;
        // Padding side by side is one box: hatching each word alone is most of what a large picture costs.
        while (next < layout.banks && is_padding(next)) ++next;
        Rect cell = layout.cell(block, row, bank, next - bank);
        cell.x += layout.space();
        cell.w -= 2 * layout.space();
        d.canvas.box({.rect = cell,
                      .fill = d.canvas.theme.panel,
                      .rounding = layout.pitch < 8 ? 0.0f : 1.5f,
                      .hatch = d.canvas.theme.hatch});
    }
}

/// The rows below the cells that lanes want: a quiet grid with the padding hatched. The gaps between the
/// banks are drawn over the rows, which are far fewer boxes than words.
void draw_ground(const BanksCanvas& d, const BankBlock& block) {
    const BanksLayout& layout = d.layout;
    if (layout.rows.empty()) return;
    const auto each_row = [&](auto draw) {
        for (const MemoryRow& row : layout.rows)
            if (row.kind == MemoryRow::Kind::line) draw(d, block, row);
    };
    each_row(draw_row_ground);
    const float top = block.rows_y + layout.rows.front().y,
                bottom = block.rows_y + layout.rows.back().y + layout.rows.back().h;
    for (int bank = 1; bank < layout.banks && layout.single_cells; ++bank)
        d.canvas.fill(
            {block.x + layout.pitch * float(bank) - layout.space(), top, 2 * layout.space(), bottom - top},
            d.canvas.theme.panel);
    each_row(draw_row_padding);
}

/// Lane number, or outlines with the number of lanes that share the cell.
void label_cell(const BanksCanvas& d, Rect whole, Rect cell, std::uint32_t lanes, Color fill, bool dim,
                float free_beside) {
    const int count = std::popcount(lanes);
    const Color ink = dim ? d.canvas.theme.text_weak : text_on(fill);
    const bool labels = !d.canvas.style.compact || is_roomy(d.canvas.style);
    if (count == 1) {
        if (labels && d.layout.numbers) d.canvas.lane_number(whole, std::countr_zero(lanes), ink);
        return;
    }
    if (!labels) return draw_double_outline(d.canvas, cell, fill, 2);
    const std::string text = fmt::format("{} lanes", count);
    const float wide = d.canvas.width(text, FontRole::body) + 10;
    if (holds_lanes(d.canvas, cell, count) || wide + 4 > free_beside ||
        cell.h < ascent(FontRole::body) + descent(FontRole::body)) {
        draw_shared_cell(d.canvas, cell, count, fill, ink, 2);
        return;
    }
    draw_double_outline(d.canvas, cell, fill, 2);
    const Rect plate{whole.x + whole.w + 3, whole.y, wide, whole.h};
    d.canvas.fill(plate, d.canvas.theme.panel, 3);
    d.canvas.label_inside(plate, text, FontRole::body, d.canvas.theme.text);
}

std::string describe_cell(const BanksCanvas& d, const WantedElement& element, int group, int bank) {
    const int lane = std::countr_zero(element.lanes), bytes = d.access.bytes_per_lane;
    const std::uint64_t address =
        std::popcount(element.lanes) == 1 ? d.access.byte_address[lane] : element.byte_address;
    std::string text = name_lanes(element.lanes);
    if (const std::string name = d.layout.element_at(address); !name.empty()) text += ", " + name;
    text += fmt::format("\naddress 0x{:x} (element {})\n", address,
                        format_count(static_cast<std::int64_t>(address / static_cast<std::uint64_t>(bytes))));
    text += d.banks_wide() > 1 ? fmt::format("banks {} to {}", bank, bank + d.banks_wide() - 1)
                               : fmt::format("bank {}", bank);
    text += fmt::format(", word {}", format_count(static_cast<std::int64_t>(address / 4)));
    if (d.report.groups > 1) text += fmt::format(", group {}", group);
    if (const int each = std::popcount(element.lanes); each > 1 && !shares_words(d.access.op))
        return text + d.canvas.count_text(fmt::format("\n{} wavefronts, one for each lane", each));
    return text + d.canvas.count_text(fmt::format("\nwavefront {} of {}", d.report.wavefront[lane] + 1,
                                                  d.report.count.wavefronts));
}

/// @param only_one  the group wants nothing else: there is room for a name beside the cell.
void draw_wanted(const BanksCanvas& d, const BankBlock& block, const WantedElement& element, bool only_one) {
    const MemoryRow* row = d.layout.row_of(element.byte_address);
    if (row == nullptr) return;
    const int bank = d.layout.bank_of(element.byte_address), lane = std::countr_zero(element.lanes);
    const Rect whole = d.layout.cell(block, *row, bank, d.banks_wide());
    Rect cell = whole;
    cell.x += d.layout.space();
    cell.w -= 2 * d.layout.space();
    const std::size_t begin = d.canvas.picture.shapes.size();
    const Color fill = fill_wanted(d, cell, element.lanes, block.group, bank);
    label_cell(d, whole, cell, element.lanes, fill, is_dimmed(d, element.lanes),
               only_one ? d.layout.pitch * float(d.layout.banks - bank - d.banks_wide()) : 0);
    d.canvas.moves_since(begin, moving_key(MovingKind::cell, block.group * kWarpLanes + lane));
    d.canvas.hit(whole, std::popcount(element.lanes) == 1 ? lane : -1,
                 describe_cell(d, element, block.group, bank));
}

/// A short upright line where a row of the tile starts inside a row of memory.
void draw_tile_rows(const BanksCanvas& d, const BankBlock& block) {
    const TileShape& tile = d.layout.tile;
    const std::int64_t pitch_bytes = std::int64_t{tile.width + tile.padding} * tile.element_bytes;
    if (tile.width == 0 || tile.swizzle_bits > 0 || pitch_bytes % d.layout.row_bytes() == 0) return;
    if (d.layout.pitch < 6 || d.layout.row_pitch < 6 || pitch_bytes % d.layout.bank_bytes != 0) return;
    for (int r = 1; r < tile.height; ++r) {
        const std::uint64_t start = r * pitch_bytes;
        const MemoryRow* row = d.layout.row_of(start);
        const int bank = d.layout.bank_of(start);
        if (row == nullptr || bank == 0) continue;
        const Rect cell = d.layout.cell(block, *row, bank, 1);
        d.canvas.fill({cell.x - 0.75f, cell.y - 1, 1.5f, cell.h + 2}, d.canvas.theme.outline);
    }
}

}  // namespace

CellLook look_of(const BanksCanvas& d, int lane, int group, int bank) {
    CellLook look{.ramp = ramp_of(d.look.color_by, d.canvas.theme)};
    const int base = d.instruction * kTraceWords;
    if (d.look.color_by == ColorBy::words) {
        look.first = 1;
        look.value = d.report.words[group][bank];
        look.max = float(d.layout.most_words);
        look.value_index = base + kTraceBankWords + group * kWarpLanes + bank;
    } else {
        // Groups follow one another in any case, so the first wavefront of every group has the first colour.
        int before = 0;
        for (int g = 0; g < group; ++g) before += d.report.group_wavefronts[g];
        const int most =
            *std::max_element(d.report.group_wavefronts.begin(), d.report.group_wavefronts.end());
        look.value = d.report.wavefront[lane];
        look.first = float(before);
        look.max = float(before + most - 1);
        look.value_index = base + kTraceWavefront + lane;
    }
    if (d.canvas.style.counts_hidden) look.max = look.value = look.first;  // one colour for all
    return look;
}

bool is_dimmed(const BanksCanvas& d, std::uint32_t lanes) { return d.dimmed(lanes) || d.all_wait(lanes); }

Color fill_wanted(const BanksCanvas& d, Rect cell, std::uint32_t lanes, int group, int bank) {
    const float opacity = is_dimmed(d, lanes) ? kDimmedCell : 1.0f;
    Color fill;
    if (d.look.color_by == ColorBy::lane) {
        fill = d.draw_cell(cell, d.color_of(lanes), opacity < 1, 1.5f);
    } else {
        const CellLook look = look_of(d, std::countr_zero(lanes), group, bank);
        d.canvas.add(HeatCell{cell, look.value_index, look.ramp, look.first, look.max, opacity});
        const Color predicted = ramp_color(look.ramp, ramp_position(look.value, look.first, look.max));
        fill = opacity < 1 ? mix(d.canvas.theme.panel, predicted, opacity) : predicted;
    }
    return fill;
}

void draw_rows(const BanksCanvas& d, const BankBlock& block) {
    draw_ground(d, block);
    draw_tile_rows(d, block);
    const std::uint32_t lanes = lanes_of(block.group, d.report.lanes_per_group);
    const WantedElements elements = collect_elements(d.access, lanes, d.layout.granule);
    for (const WantedElement& element : elements) draw_wanted(d, block, element, elements.count == 1);
}

void draw_row_labels(const BanksCanvas& d) {
    Canvas& canvas = d.canvas;
    const Color color = canvas.theme.text_weak;
    // Below "bank", which stands beside the axis, see draw_side_names.
    const BankBlock& top = d.layout.blocks.front();
    constexpr float kLine = 17.5f;
    float last = d.layout.axis_step == 0
                     ? -1e9f
                     : top.bars_y + d.layout.bars_h + 4 + 0.6f * ascent(FontRole::body) - top.rows_y;
    // If not every row has room for its label, every second, fourth or eighth has one, from the first on.
    // The first is moved down a little where it would touch "bank".
    constexpr float kMostMoved = 9;
    float moved = 0;
    if (!d.layout.rows.empty())
        moved = last + kLine - (d.layout.rows.front().y + d.layout.rows.front().h / 2);
    if (moved < 0 || moved > kMostMoved) moved = 0;
    int index = -1, every = 1;
    for (const MemoryRow& row : d.layout.rows)
        while (row.kind == MemoryRow::Kind::line && row.h * float(every) < kLine + moved) every *= 2;
    for (const MemoryRow& row : d.layout.rows) {
        const float in_block = row.y + row.h / 2 + (&row == &d.layout.rows.front() ? moved : 0);
        if (row.kind == MemoryRow::Kind::line) ++index;
        if (row.kind == MemoryRow::Kind::fold) {
            ++canvas.picture.folds;
            const std::string text = fit_text(canvas, {row.text, row.text.substr(0, row.text.rfind(' '))},
                                              FontRole::body, d.layout.width());
            for (const BankBlock& block : d.layout.blocks) {
                canvas.label_middle({block.x, block.rows_y + in_block}, canvas.count_text(text),
                                    FontRole::body, color);
            }
        }
        if (row.kind != MemoryRow::Kind::line || d.layout.label_x < 0 || index % every != 0 ||
            in_block - last < kLine)
            continue;
        // The legend begins below the rows.
        const MemoryRow& end = d.layout.rows.back();
        if (in_block + kLine / 2 > end.y + end.h + 2 && &row != &d.layout.rows.front()) continue;
        last = in_block;
        const float middle = d.layout.blocks.front().rows_y + in_block;
        const RowLabel label = d.layout.label_of(row.index);
        canvas.label_middle({d.layout.label_x, middle}, label.text, label.font, color);
        if (d.layout.by_tile) continue;
        const std::int64_t begin = row.index * d.layout.row_bytes();
        canvas.hit({d.layout.label_x, middle - 8, canvas.width(label.text, label.font), 16}, -1,
                   fmt::format("addresses 0x{:x} to 0x{:x}", begin, begin + d.layout.row_bytes() - 1));
    }
}

}  // namespace warplens
