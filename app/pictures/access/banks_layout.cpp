#include "app/pictures/access/banks_canvas.h"

#include "kernels/swizzle.h"

#include <fmt/format.h>

namespace warplens {
namespace {

constexpr RowHeights kRowHeights{.bare = 5, .most_inset = 1, .inset_of_pitch = 0.1f};
constexpr float kLabelLine = 19, kAxisLine = 23, kNoAxis = 4;

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
    const int unit = 1 << (tile.swizzle_base + tile.swizzle_bits);
    const int elements = (pitch * tile.height + unit - 1) / unit * unit;
    layout.words_in_all = (std::int64_t{elements} * tile.element_bytes + 3) / 4;
    if (tile.padding == 0) return;
    std::vector<std::uint8_t> unused(static_cast<std::size_t>(layout.words_in_all), 0);
    for (int row = 0; row < tile.height; ++row) {
        for (int column = tile.width; column < pitch; ++column) {
            const int at =
                xor_swizzle(row * pitch + column, tile.swizzle_bits, tile.swizzle_base, tile.swizzle_shift);
            if (at >= elements) continue;
            for (int k = 0; k < words_each; ++k)
                ++unused[static_cast<std::size_t>(at * words_each / per_word + k)];
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
std::vector<MemoryRow> choose_rows(const std::vector<std::int64_t>& touched, int shown, bool compact) {
    const int n = static_cast<int>(touched.size());
    const int head = shown >= n ? n : (shown + 1) / 2;
    std::vector<MemoryRow> rows;
    for (int i = 0; i < n; ++i) {
        if (i == head) {
            const int hidden = n - shown;
            rows.push_back({.kind = MemoryRow::Kind::fold,
                            .index = touched[static_cast<std::size_t>(i)],
                            .text = compact
                                        ? fmt::format("… {} more", hidden)
                                        : fmt::format("… {} more row{}", hidden, hidden == 1 ? "" : "s")});
            i += hidden - 1;
            continue;
        }
        const std::int64_t row = touched[static_cast<std::size_t>(i)];
        const bool gap =
            !rows.empty() && rows.back().kind == MemoryRow::Kind::line && rows.back().index + 1 < row;
        if (gap) rows.push_back({.kind = MemoryRow::Kind::gap, .index = row});
        rows.push_back({.index = row});
    }
    return rows;
}

/// The whole tile where it fits, else the touched rows, else as many of them as fit.
std::vector<MemoryRow> fitting_rows(const BanksLayout& layout, const std::vector<std::int64_t>& touched,
                                    float room, bool compact) {
    const float least = compact ? 3.0f : 6.5f;
    if (touched.empty()) return layout.words_in_all > 0 ? all_rows(0, 0) : std::vector<MemoryRow>{};
    if (layout.words_in_all > 0) {
        const std::int64_t last = (layout.words_in_all * 4 - 1) / layout.row_bytes();
        if (static_cast<float>(last + 1) * least <= room && touched.back() <= last) return all_rows(0, last);
    }
    for (int shown = static_cast<int>(touched.size()); shown > 0; --shown) {
        std::vector<MemoryRow> rows = choose_rows(touched, shown, compact);
        if (fixed_height(rows, kRowHeights) + least * static_cast<float>(shown) <= room) return rows;
    }
    return {};
}

/// Blocks across, by how narrow a bank may become.
int blocks_across(float room, int groups, int banks) {
    int across = groups;
    while (across > 1 && (room / static_cast<float>(across) - 16) / static_cast<float>(banks) < 2.4f)
        across /= 2;
    return std::max(1, across);
}

/// Of the longest row label.
float label_width(const Canvas& canvas, const std::vector<std::int64_t>& touched, const BanksLayout& layout) {
    const std::int64_t last =
        std::max(touched.empty() ? 0 : touched.back() * layout.row_bytes(),
                 (layout.words_in_all * 4 - 1) / layout.row_bytes() * layout.row_bytes());
    return std::max(canvas.width(fmt::format("0x{:03x}", std::max<std::int64_t>(last, 0)), FontRole::mono),
                    canvas.width("words", FontRole::body));
}

void place_blocks(BanksLayout& layout, const Canvas& canvas, int groups, float top, float bottom,
                  const std::vector<std::int64_t>& touched) {
    const bool compact = canvas.style.compact;
    constexpr float kBetween = 18;
    const float left = layout.label_x < 0 ? 0 : label_width(canvas, touched, layout) + 10;
    const float room = canvas.inner_width() - left;
    const int across = blocks_across(room, groups, layout.banks), down = (groups + across - 1) / across;
    layout.pitch =
        (room - kBetween * static_cast<float>(across - 1)) / static_cast<float>(across * layout.banks);
    const float height = (bottom - top - 10 * static_cast<float>(down - 1)) / static_cast<float>(down);
    // The bars do not grow when there are few rows: a turned knob must not shift everything below them.
    const float bars = std::clamp(height * 0.11f, 10.0f, 80.0f);
    float title = groups > 1 ? kLabelLine : 0, axis = compact && height < 150 ? kNoAxis : kAxisLine;
    float bars_label = compact && groups > 1 ? 0 : kLabelLine;
    constexpr float kLeastRows = 14;
    for (float* line : {&axis, &bars_label, &title}) {
        if (height - title - bars_label - axis - bars < kLeastRows) *line = line == &axis ? kNoAxis : 0;
    }
    layout.bars_label = bars_label > 0;
    layout.group_titles = title > 0;
    const float fixed = title + bars_label + axis;
    layout.rows = fitting_rows(layout, touched, height - fixed - bars, compact);
    const int rows = count_lines(layout.rows);
    const float rows_room = height - fixed - bars - fixed_height(layout.rows, kRowHeights);
    layout.row_pitch =
        rows == 0 ? 0 : std::min(compact ? 20.0f : 44.0f, rows_room / static_cast<float>(rows));
    layout.bars_h = bars;
    layout.axis_step = axis < kAxisLine ? 0 : 1;
    const float number = canvas.width("28", FontRole::body) + 8;
    while (layout.axis_step > 0 && static_cast<float>(layout.axis_step) * layout.pitch < number)
        layout.axis_step = layout.axis_step < layout.banks ? 2 * layout.axis_step : 0;
    if (layout.axis_step > layout.banks / 2) layout.axis_step = 0;
    for (int group = 0; group < groups; ++group) {
        const float x =
            canvas.margin() + left + static_cast<float>(group % across) * (layout.width() + kBetween);
        const float y = top + static_cast<float>(group / across) * (height + 10);
        const float bars_y = y + title + bars_label;
        layout.blocks.push_back({group, x, y, bars_y, bars_y + layout.bars_h + axis});
    }
}

}  // namespace

const MemoryRow* BanksLayout::row_of(std::uint64_t address) const {
    const auto wanted = static_cast<std::int64_t>(address) / row_bytes();
    const auto found = std::find_if(rows.begin(), rows.end(), [wanted](const MemoryRow& row) {
        return row.kind == MemoryRow::Kind::line && row.index == wanted;
    });
    return found == rows.end() ? nullptr : &*found;
}

BanksLayout lay_out_banks(const Canvas& canvas, const InstructionView& view, const TileShape& tile, float top,
                          float bottom) {
    const BankReport& report = *view.banks;
    const WarpAccess& access = view.report->access;
    BanksLayout layout;
    layout.banks = report.banks;
    layout.bank_bytes = bank_word_bytes(view.bank_rules);
    layout.granule = std::max(access.bytes_per_lane, layout.bank_bytes);
    layout.label_x = canvas.style.compact ? -1 : canvas.margin();
    for (const auto& group : report.words) {
        layout.most_words =
            std::max(layout.most_words, static_cast<int>(*std::max_element(group.begin(), group.end())));
    }
    mark_padding(layout, tile);
    place_blocks(layout, canvas, report.groups, top, bottom, touched_rows(access, layout.row_bytes()));
    place_rows(layout.rows, 0, layout.row_pitch, kRowHeights);
    const float row_h = layout.rows.empty() ? 0 : layout.row_pitch - 2;
    // One rule for all cells: "9" alone would fit where "10" does not.
    const float lane_cell =
        layout.pitch * static_cast<float>(layout.granule) / static_cast<float>(layout.bank_bytes);
    layout.numbers =
        lane_cell >= canvas.lane_number_cell() && row_h >= ascent(FontRole::body) + descent(FontRole::body);
    layout.single_cells = layout.pitch >= 4 && layout.row_pitch >= 4;
    return layout;
}

}  // namespace warplens
