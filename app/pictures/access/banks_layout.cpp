#include "app/pictures/access/banks_canvas.h"

#include "kernels/swizzle.h"

#include <fmt/format.h>

#include <bit>

namespace warplens {
namespace {

constexpr RowHeights kRowHeights{.bare = 5, .most_inset = 1, .inset_of_pitch = 0.04f, .least_inset = 0.5f};
constexpr float kLabelLine = 19, kAxisLine = 23, kNoAxis = 4, kLanes = 20, kSmallLanes = 12;
constexpr float kLeastWithLanes = 230;  ///< height of a block that has lanes above its banks [points]

std::vector<std::int64_t> touched_rows(const WarpAccess& access, std::int64_t row_bytes) {
    std::vector<std::int64_t> rows;
    rows.reserve(kWarpLanes);
    for (const WantedElement& element : collect_elements(access)) {
        const auto row = static_cast<std::int64_t>(element.byte_address) / row_bytes;
        if (rows.empty() || rows.back() != row) rows.push_back(row);
    }
    return rows;
}

/// Words of the tile that only padding lies in. A swizzle moves padding about like everything else.
void mark_padding(BanksLayout& layout, const TileShape& tile) {
    if (tile.width == 0) return;
    const int pitch = tile.width + tile.padding;
    const int per_word = std::max(1, 4 / tile.element_bytes),
              words_each = std::max(1, tile.element_bytes / 4);
    const int unit = tile.swizzle_bits == 0 ? 1 : 1 << (tile.swizzle_base + tile.swizzle_bits);
    const int elements = (pitch * tile.height + unit - 1) / unit * unit;
    layout.words_in_all = (std::int64_t{elements} * tile.element_bytes + 3) / 4;
    if (tile.padding == 0) return;
    std::vector<std::uint8_t> unused(static_cast<std::size_t>(layout.words_in_all), 0);
    for (int row = 0; row < tile.height; ++row) {
        for (int column = tile.width; column < pitch; ++column) {
            const int at =
                xor_swizzle(row * pitch + column, tile.swizzle_bits, tile.swizzle_base, tile.swizzle_shift);
            if (at >= elements) continue;
            for (int k = 0; k < words_each; ++k) ++unused[at * words_each / per_word + k];
        }
    }
    layout.padding.resize(unused.size());
    for (std::size_t i = 0; i < unused.size(); ++i) layout.padding[i] = unused[i] >= per_word;
}

std::vector<MemoryRow> all_rows(std::int64_t first, std::int64_t last) {
    std::vector<MemoryRow> rows;
    for (std::int64_t row = first; row <= last; ++row) rows.push_back({.index = row});
    return rows;
}

/// `shown` of the touched rows with thin gaps, the middle folded where these are not all.
std::vector<MemoryRow> choose_rows(const std::vector<std::int64_t>& touched, int shown, bool gaps = true) {
    const int n = int(touched.size());
    const int head = shown >= n ? n : (shown + 1) / 2;
    std::vector<MemoryRow> rows;
    for (int i = 0; i < n; ++i) {
        if (i == head) {
            const int hidden = n - shown;
            rows.push_back({.kind = MemoryRow::Kind::fold,
                            .index = touched[i],
                            .text = fmt::format("… {} more row{}", hidden, hidden == 1 ? "" : "s")});
            i += hidden - 1;
            continue;
        }
        const std::int64_t row = touched[i];
        const bool gap =
            gaps && !rows.empty() && rows.back().kind == MemoryRow::Kind::line && rows.back().index + 1 < row;
        if (gap) rows.push_back({.kind = MemoryRow::Kind::gap, .index = row});
        rows.push_back({.index = row});
    }
    return rows;
}

constexpr float kSmallRow = 3;  ///< from row to row of a small picture [points]

/// The whole tile where it fits, else a part of it that has all touched rows, else the touched rows, else as
/// many of them as fit.
/// @param least  from row to row [points]
std::vector<MemoryRow> fitting_rows(const BanksLayout& layout, const std::vector<std::int64_t>& touched,
                                    float room, float least) {
    if (touched.empty()) return layout.words_in_all > 0 ? all_rows(0, 0) : std::vector<MemoryRow>{};
    if (const std::int64_t last = layout.by_tile ? layout.tile.height - 1 : layout.last_row();
        touched.back() <= last) {
        if (float(last + 1) * least <= room) return all_rows(0, last);
        const auto fit = [&](float pitch) {
            return static_cast<std::int64_t>((room - 2 * kRowHeights.bare) / pitch);
        };
        const std::int64_t span = touched.back() - touched.front() + 1;
        if (span <= fit(least)) {
            // Rows that no lane wants only where the others keep a height that can be read.
            constexpr float kReadable = 14;
            const std::int64_t shown = std::max(span, fit(std::max(least, kReadable)));
            const std::int64_t first = std::min(touched.front(), last + 1 - shown);
            std::vector<MemoryRow> rows = all_rows(first, first + shown - 1);
            if (first > 0) rows.insert(rows.begin(), {.kind = MemoryRow::Kind::gap, .index = 0});
            if (first + shown <= last) rows.push_back({.kind = MemoryRow::Kind::gap, .index = first + shown});
            return rows;
        }
    }
    // In a small picture rows get thin, and lose their gaps, before one is left out.
    constexpr float kThinRow = 1.25f;
    const int all = int(touched.size());
    if (least <= kSmallRow && kThinRow * float(all) <= room) {
        std::vector<MemoryRow> rows = choose_rows(touched, all);
        const bool fit = fixed_height(rows, kRowHeights) + least * float(all) <= room;
        return fit ? rows : choose_rows(touched, all, false);
    }
    for (int shown = all; shown > 0; --shown) {
        std::vector<MemoryRow> rows = choose_rows(touched, shown);
        if (fixed_height(rows, kRowHeights) + least * float(shown) <= room) return rows;
    }
    // If not even a line of text has room, the first and the last one say that there are several.
    std::vector<MemoryRow> ends{{.index = touched.front()}};
    if (touched.size() > 1) {
        ends.push_back({.kind = MemoryRow::Kind::gap, .index = touched.front() + 1});
        ends.push_back({.index = touched.back()});
    }
    const float needed = fixed_height(ends, kRowHeights) + least * float(count_lines(ends));
    return needed <= room ? ends : std::vector<MemoryRow>{};
}

/// Rows of the tile in which some lane wants an element.
std::vector<std::int64_t> touched_tile_rows(const BanksLayout& layout, const WarpAccess& access) {
    std::vector<std::int64_t> rows;
    for (int row = 0; row < layout.tile.height; ++row)
        for (int column = 0; column < layout.tile.width; ++column)
            if (lanes_wanting(access, kAllLanes, layout.address_of(row, column), layout.tile.element_bytes) !=
                0) {
                rows.push_back(row);
                break;
            }
    return rows;
}

constexpr float kBareRow = 6.5f;  ///< from row to row without numbers [points]

/// From row to row, so that lanes keep their numbers where cells are wide enough for them.
float least_row(const Canvas& canvas, const BanksLayout& layout) {
    if (canvas.style.compact) return kSmallRow;
    const float cell = layout.by_tile ? layout.column_pitch : layout.lane_cell();
    if (cell < canvas.lane_number_cell()) return kBareRow;
    const float number = number_height(canvas.small());
    return number + 2 * kRowHeights.inset(1.1f * number) + 0.1f;
}

/// Blocks across, by how narrow a bank may become.
int blocks_across(float room, int groups, int banks) {
    int across = groups;
    while (across > 1 && (room / float(across) - 16) / float(banks) < 2.1f) across /= 2;
    return std::max(1, across);
}

/// The width of the longest row label.
float label_width(const Canvas& canvas, const std::vector<std::int64_t>& touched, const BanksLayout& layout) {
    float widest = canvas.width("words", FontRole::body);
    const auto allow_for = [&](std::int64_t row) {
        const RowLabel label = layout.label_of(row);
        widest = std::max(widest, canvas.width(label.text, label.font));
    };
    const std::int64_t last = layout.by_tile ? layout.tile.height - 1 : layout.last_row();
    for (std::int64_t row = 0; row <= last; ++row) allow_for(row);
    allow_for(touched.empty() ? 0 : touched.back());
    return widest;
}

void place_blocks(BanksLayout& layout, const Canvas& canvas, int groups, float top, float bottom,
                  float legend, const std::vector<std::int64_t>& touched, bool with_axis = true) {
    const bool compact = canvas.style.compact;
    constexpr float kBetween = 18;
    const float left = layout.label_x < 0 ? 0 : label_width(canvas, touched, layout) + 10;
    const float room = canvas.inner_width() - left;
    const int across = blocks_across(room, groups, layout.banks), down = (groups + across - 1) / across;
    layout.pitch = (room - kBetween * float(across - 1)) / float(across * layout.banks);
    const float whole = (bottom - top - 10 * float(down - 1)) / float(down),
                height = whole - legend / float(down);
    // The bars do not grow when there are few rows or no legend: a turned knob must not shift everything
    // below them, and both sides of a comparison have one scale.
    const float bars = std::clamp(whole * 0.085f, 10.0f, 80.0f);
    float title = groups > 1 ? kLabelLine : 0,
          axis = !with_axis || (compact && height < 150) ? kNoAxis : kAxisLine;
    // If the verdict stands above a low picture, rows with lane numbers say more than its callout.
    constexpr float kLow = 150;
    const bool said_above = canvas.style.silent && height < kLow;
    float bars_label = (compact && groups > 1) || said_above ? 0 : kLabelLine;
    constexpr float kLeastRows = 14;
    for (float* line : {&axis, &bars_label, &title}) {
        if (height - title - bars_label - axis - bars < kLeastRows) *line = line == &axis ? kNoAxis : 0;
    }
    layout.bars_label = bars_label > 0;
    layout.group_titles = title > 0;
    const float lane_pitch = layout.width() * float(groups) / kWarpLanes;
    if (layout.by_tile) layout.column_pitch = layout.width() / float(layout.columns());
    const float columns = layout.by_tile && axis == kAxisLine ? kAxisLine : 0;
    float fixed = title + bars_label + axis + columns;
    const auto choose = [&] {
        const float for_rows = height - fixed - bars;
        layout.rows = fitting_rows(layout, touched, for_rows, least_row(canvas, layout));
        // All rows without numbers say more than some of them with numbers.
        for (const float least : {kBareRow, 3.8f, 3.0f, 2.0f}) {
            if (count_lines(layout.rows) >= int(touched.size())) return;
            if (least < least_row(canvas, layout))
                layout.rows = fitting_rows(layout, touched, for_rows, least);
        }
    };
    choose();
    // Cells are squares where there is room for them, and high enough for words within a doubled outline.
    const float square =
        compact ? 20.0f : std::clamp(layout.by_tile ? layout.column_pitch : layout.pitch, 24.0f, 44.0f);
    layout.lane_ticks = lane_pitch < canvas.lane_number_cell();
    const float lane_line = layout.lane_ticks ? kLaneTicks + kSmallLanes : kLanes;
    const float spare = height - fixed - bars - fixed_height(layout.rows, kRowHeights) -
                        square * float(count_lines(layout.rows));
    constexpr float kLeastWires = 18, kLeastLane = 5;
    constexpr float kLeastInWindow = 110;  // where the headline says the rest
    const bool roomy = canvas.style.silent
                           ? height >= kLeastInWindow
                           : bars_label > 0 && (height >= kLeastWithLanes + (layout.lane_ticks ? 60 : 0) ||
                                                spare >= lane_line + kLeastWires);
    const bool lanes = !compact && lane_pitch >= kLeastLane && roomy;
    layout.lanes_h = !lanes ? 0 : layout.lane_ticks ? kSmallLanes : kLanes;
    layout.lane_ticks = layout.lane_ticks && lanes;
    float wires = lanes ? std::clamp(height * 0.08f, kLeastWires, 70.0f) : 0;
    if (lanes) {
        if (canvas.style.silent) {  // the callout stands beside its bar, or nowhere
            fixed -= bars_label;
            bars_label = 0;
        }
        fixed += lane_line + wires;
        choose();
        // A few rows more are worth shorter wires.
        const std::vector<MemoryRow> all = choose_rows(touched, int(touched.size()));
        const float missing = fixed_height(all, kRowHeights) +
                              least_row(canvas, layout) * float(touched.size()) - (height - fixed - bars);
        if (missing > 0 && missing <= wires - kLeastWires) {
            wires -= missing + 0.1f;
            fixed -= missing + 0.1f;
            choose();
        }
    }
    const float rows_room = height - fixed - bars - fixed_height(layout.rows, kRowHeights);
    // Below the last row the memory goes on: room that a larger stride would need shows it.
    const bool goes_on = (!compact || is_roomy(canvas.style)) && !touched.empty() && !layout.rows.empty() &&
                         !layout.by_tile && touched.back() > layout.last_row() &&
                         count_lines(layout.rows) >= int(touched.size());
    constexpr std::int64_t kLastRow = 48 * 1024 / 128 - 1;  // of what every GPU gives to every block
    while (goes_on && layout.rows.back().index < kLastRow &&
           square * float(count_lines(layout.rows) + 1) <= rows_room)
        layout.rows.push_back({.index = layout.rows.back().index + 1});
    const int rows = count_lines(layout.rows);
    layout.row_pitch = rows == 0 ? 0 : std::min(square, rows_room / float(rows));
    layout.bars_h = bars;
    layout.axis_step = axis < kAxisLine ? 0 : 1;
    const float number = canvas.width("28", FontRole::body) + 8;
    while (layout.axis_step > 0 && float(layout.axis_step) * layout.pitch < number)
        layout.axis_step = layout.axis_step < layout.banks ? 2 * layout.axis_step : 0;
    if (layout.axis_step > layout.banks / 2) layout.axis_step = 0;
    for (int group = 0; group < groups; ++group) {
        const float x = canvas.margin() + left + float(group % across) * (layout.width() + kBetween);
        const float y = top + float(group / across) * (height + 10);
        const float label_y = y + title,
                    lanes_y = label_y + bars_label + (layout.lane_ticks ? kLaneTicks : 0),
                    bars_y = lanes_y + layout.lanes_h + wires;
        layout.blocks.push_back(
            {group, x, y, label_y, lanes_y, bars_y, bars_y + layout.bars_h + axis + columns});
    }
}

}  // namespace

RowLabel BanksLayout::label_of(std::int64_t row) const {
    if (by_tile) return {fmt::format("row {}", row), FontRole::body};
    const std::int64_t begin = row * row_bytes(), end = begin + row_bytes();
    if (row > last_row()) return {fmt::format("0x{:03x}", std::max<std::int64_t>(begin, 0)), FontRole::mono};
    const std::int64_t tile_row_bytes = std::int64_t{tile.width + tile.padding} * tile.element_bytes;
    const std::int64_t first = (begin + tile_row_bytes - 1) / tile_row_bytes,
                       last = std::min<std::int64_t>((end - 1) / tile_row_bytes, tile.height - 1);
    if (first < last) return {fmt::format("rows {}–{}", first, last), FontRole::body};
    if (first == last) return {fmt::format("row {}", first), FontRole::body};
    return {fmt::format("col {}", begin % tile_row_bytes / tile.element_bytes), FontRole::body};
}

std::string BanksLayout::element_at(std::uint64_t address) const {
    if (static_cast<std::int64_t>(address) >= words_in_all * 4) return {};
    const int wanted = int(address) / tile.element_bytes, width_in_all = tile.width + tile.padding;
    for (int row = 0; row < tile.height; ++row) {
        for (int column = 0; column < tile.width; ++column) {
            const int at = xor_swizzle(row * width_in_all + column, tile.swizzle_bits, tile.swizzle_base,
                                       tile.swizzle_shift);
            if (at == wanted) return fmt::format("tile[{}][{}]", row, column);
        }
    }
    return {};
}

std::uint64_t BanksLayout::address_of(int row, int column) const {
    const int at =
        xor_swizzle(row * columns() + column, tile.swizzle_bits, tile.swizzle_base, tile.swizzle_shift);
    return static_cast<std::uint64_t>(at) * static_cast<std::uint64_t>(tile.element_bytes);
}

const MemoryRow* BanksLayout::row_of(std::uint64_t address) const {
    const auto wanted = static_cast<std::int64_t>(address) / row_bytes();
    const auto found = std::find_if(rows.begin(), rows.end(), [wanted](const MemoryRow& row) {
        return row.kind == MemoryRow::Kind::line && row.index == wanted;
    });
    return found == rows.end() ? nullptr : &*found;
}

std::uint32_t lanes_wanting(const WarpAccess& access, std::uint32_t lanes, std::uint64_t address, int bytes) {
    std::uint32_t found = 0;
    const auto end = address + static_cast<std::uint64_t>(bytes),
               each = static_cast<std::uint64_t>(access.bytes_per_lane);
    for (std::uint32_t rest = access.active & lanes; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint64_t begin = access.byte_address[lane];
        if (begin < end && address < begin + each) found |= 1u << lane;
    }
    return found;
}

BanksLayout lay_out_banks(const Canvas& canvas, const InstructionView& view, const TileShape& tile,
                          bool by_tile, float top, float bottom, float legend) {
    const BankReport& report = *view.banks;
    const WarpAccess& access = view.report->access;
    BanksLayout layout;
    layout.tile = tile;
    layout.by_tile = by_tile && tile.width > 0;
    layout.banks = report.banks;
    layout.bank_bytes = bank_word_bytes(view.bank_rules);
    layout.granule = std::max(access.bytes_per_lane, layout.bank_bytes);
    layout.label_x = canvas.style.compact && !is_roomy(canvas.style) ? -1 : canvas.margin();
    layout.most_words = std::max(1, most_words(view));
    layout.top_words = report.lanes_per_group;
    mark_padding(layout, tile);
    const std::vector<std::int64_t> touched =
        layout.by_tile ? touched_tile_rows(layout, access) : touched_rows(access, layout.row_bytes());
    place_blocks(layout, canvas, report.groups, top, bottom, legend, touched);
    // The lanes' numbers stand above the same columns.
    if (layout.lanes_h > 0 && report.groups == 1 && layout.row_pitch < kLeastRow) {
        layout.blocks.clear();
        place_blocks(layout, canvas, report.groups, top, bottom, legend, touched, false);
    }
    place_rows(layout.rows, 0, layout.row_pitch, kRowHeights);
    const float row_h = layout.row_pitch - 2 * kRowHeights.inset(layout.row_pitch);
    // One rule for all cells: "9" alone would fit where "10" does not.
    layout.numbers =
        (layout.by_tile ? layout.column_pitch : layout.lane_cell()) >= canvas.lane_number_cell() &&
        row_h >= number_height(canvas.small());
    layout.single_cells = layout.pitch >= 4 && layout.row_pitch >= 3.7f;
    return layout;
}

}  // namespace warplens
