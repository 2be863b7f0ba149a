#include "app/boards/spaces/spaces_picture.h"

#include <algorithm>
#include <array>

namespace warplens {
namespace {

constexpr float kRowPadding = 8, kCompactPadding = 4;  // above and below a row's text, together
constexpr float kLeastLatency = 104;                   // a bar that can be compared
constexpr float kCachesGap = 14;                       // above the first of the caches
constexpr float kAbsentRow = 26;                       // a row of something that this GPU has not
constexpr int kMostLines = 7;

constexpr std::array<SpaceColumnInfo, kSpaceColumns> kSpaceColumnTable{{
    {SpaceColumn::name, "Space", "What it is called, and how CUDA C++ writes it.", 9},
    {SpaceColumn::lives, "Where it lives", "The memory that really holds the bytes.", 7},
    {SpaceColumn::scope, "Who sees it", "Its scope: which threads can name the same bytes.", 6},
    {SpaceColumn::lifetime, "How long", "Its lifetime: when the bytes come and go.", 3},
    {SpaceColumn::latency, "Latency in cycles",
     "From a load to the first instruction that can use its value, when nothing else is going on. The solid "
     "bar: the nearest place that can answer. The outlined one: DRAM, when no cache has it. Each further mark is ten times as far.",
     8},
    {SpaceColumn::bandwidth, "Bandwidth",
     "Of the whole GPU at its highest clock: what its width allows, not what a kernel reaches.", 0},
    {SpaceColumn::size, "Size", "The most that there is of it.", 5},
    {SpaceColumn::cached, "Cached in", "Which caches may hold copies of it.", 4},
    {SpaceColumn::access, "Access",
     "R: read, W: write; by kernels, and by the host's program through the CUDA runtime.", 2},
    {SpaceColumn::use, "Used for", "What it is good at.", 1},
}};

FontRole font_of(SpaceColumn column) {
    return column == SpaceColumn::name ? FontRole::strong : FontRole::body;
}

/// A number and its unit stay on one line.
std::string keep_units(std::string text) {
    for (const std::string_view unit : {" KiB", " MiB", " GiB", " B "}) {
        for (std::size_t at = 0; (at = text.find(unit, at)) != std::string::npos;)
            text.replace(at, 1, "\u00a0");
    }
    return text;
}

/// The head says that they are cycles.
std::string without_unit(std::string latency) {
    constexpr std::string_view kUnit = " cycles";
    if (latency.ends_with(kUnit)) latency.resize(latency.size() - kUnit.size());
    return latency;
}

/// A text's words as widths, so that lines can be counted for many widths without touching the text again.
struct WordWidths {
    std::vector<float> words;
    float space = 0;

    WordWidths(std::string_view text, FontRole font, const TextMeasure& measure)
        : space(measure.width(" ", font)) {
        while (!text.empty()) {
            const std::size_t end = std::min(text.find(' '), text.size());
            words.push_back(measure.width(text.substr(0, end), font));
            text.remove_prefix(std::min(end + 1, text.size()));
        }
    }

    float widest() const { return words.empty() ? 0 : *std::ranges::max_element(words); }

    int lines(float width) const {
        int count = words.empty() ? 0 : 1;
        float used = 0;
        for (const float word : words) {
            if (used > 0 && used + space + word > width) {
                ++count;
                used = word;
            } else {
                used += (used > 0 ? space : 0) + word;
            }
        }
        return count;
    }
};

/// All that decides about a column's width.
struct ColumnWords {
    SpaceColumn column;
    bool bar_below;   ///< latencies: else it stands beside the number
    float least = 0;  ///< no word is wider
    std::vector<WordWidths> cells, qualifiers;

    ColumnWords(const SpacesTable& table, SpaceColumn column_, bool compact, const TextMeasure& measure)
        : column(column_), bar_below(column_ == SpaceColumn::latency && !compact) {
        least = measure.width(column_info(column).head, FontRole::strong);
        if (bar_below) least = std::max(least, kLeastLatency);
        for (const SpaceRow& row : table.rows) {
            if (!row.exists) continue;
            cells.emplace_back(cell_text(row, column), font_of(column), measure);
            if (column == SpaceColumn::name && !compact)
                qualifiers.emplace_back(row.qualifier, FontRole::mono, measure);
        }
        for (const auto* list : {&cells, &qualifiers}) {
            for (const WordWidths& cell : *list) least = std::max(least, cell.widest());
        }
        if (column == SpaceColumn::latency && compact) beside = kBesideBar + 6;
        least += kSlack + beside;
    }

    /// The most lines that a cell takes.
    int lines(float width) const {
        width -= kSlack + beside;
        int most = 1;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            int count = cells[i].lines(width) + (bar_below ? 1 : 0);
            if (!qualifiers.empty()) count += qualifiers[i].lines(width);
            most = std::max(most, count);
        }
        return most;
    }

    /// The least width at which no cell takes more lines than that.
    float width_for(int wanted) const {
        constexpr float kStep = 3, kWidest = 480;
        float width = least;
        while (width < kWidest && lines(width) > wanted) width += kStep;
        return width;
    }

    static constexpr float kSlack = 2;  // kerning across the spaces may add up
    float beside = 0;                   // of the bar, where it stands beside its number
};

/// Lines that a cell takes, with what stands below its text.
int line_count(const SpaceRow& row, const SpacesLayout::Column& column, bool compact,
               const TextMeasure& measure) {
    const float beside = compact && column.column == SpaceColumn::latency ? kBesideBar + 6 : 0;
    const auto lines = int(cell_lines(row, column.column, column.width - beside, measure).size());
    if (compact) return lines;
    if (column.column == SpaceColumn::latency) return lines + 1;
    if (column.column == SpaceColumn::name)
        return lines + int(qualifier_lines(row, column.width, measure).size());
    return lines;
}

/// Widths at which no cell has more than this many lines. Empty if there is no room for that.
std::vector<float> widths_for(std::span<const ColumnWords* const> columns, int lines, float room) {
    std::vector<float> widths;
    for (const ColumnWords* column : columns) {
        widths.push_back(column->width_for(lines));
        room -= widths.back() + (widths.size() > 1 ? kSpacesGap : 0);
        if (room < 0) return {};
    }
    for (float& width : widths) width += room / float(widths.size());
    return widths;
}

std::vector<const ColumnWords*> most_important(std::span<const ColumnWords> columns, int count) {
    std::vector<const ColumnWords*> chosen;
    for (const ColumnWords& column : columns) {
        if (column_info(column.column).importance >= kSpaceColumns - count) chosen.push_back(&column);
    }
    return chosen;
}

float row_height(const SpaceRow& row, const SpacesLayout& layout, const TextMeasure& measure) {
    if (!row.exists && !row.last.empty()) return 0;  // few GPUs have it
    if (!row.exists) return layout.compact ? kSpacesLine + kCompactPadding : kAbsentRow;
    int lines = 1;
    for (const SpacesLayout::Column& column : layout.columns)
        lines = std::max(lines, line_count(row, column, layout.compact, measure));
    return float(lines) * kSpacesLine + (layout.compact ? kCompactPadding : kRowPadding);
}

void set_columns(SpacesLayout& layout, std::span<const ColumnWords* const> columns,
                 std::span<const float> widths, float left) {
    layout.columns.clear();
    // Without widths there is no room for a single column.
    for (std::size_t i = 0; i < std::min(columns.size(), widths.size()); ++i) {
        layout.columns.push_back({columns[i]->column, left, widths[i]});
        left += widths[i] + kSpacesGap;
    }
}

/// Places the rows from the top, and distributes the height that is left among those that exist.
/// @return  whether they fit.
bool set_rows(SpacesLayout& layout, const SpacesTable& table, Rect room, const TextMeasure& measure) {
    layout.tops.clear();
    layout.heights.clear();
    layout.head_top = room.y;
    layout.head_height = kSpacesLine + 8;
    float needed = layout.head_height + kCachesGap + (layout.compact ? 0 : kSpacesAxis);
    int there = 0;
    for (const SpaceRow& row : table.rows) {
        layout.heights.push_back(row_height(row, layout, measure));
        needed += layout.heights.back();
        there += row.exists ? 1 : 0;
    }
    const float left = room.h - needed;
    const float more = left > 0 ? std::min(60.0f, left / float(std::max(1, there))) : 0;
    float y = room.y + layout.head_height;
    bool caches = false;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        if (table.rows[i].cache && !caches) y += kCachesGap;
        caches = table.rows[i].cache;
        if (table.rows[i].exists) layout.heights[i] += more;
        layout.tops.push_back(y);
        y += layout.heights[i];
    }
    layout.bottom = y;
    return left >= 0;
}

/// With as many columns as fit, the least important ones left out.
SpacesLayout lay_out(const SpacesTable& table, Rect room, bool compact, const TextMeasure& measure) {
    SpacesLayout layout{.compact = compact};
    const float left = room.x + kSpacesStrip + 8, width = room.w - kSpacesStrip - 14;
    std::vector<ColumnWords> all;
    for (const SpaceColumnInfo& info : kSpaceColumnTable)
        all.emplace_back(table, info.column, compact, measure);
    for (int count = kSpaceColumns; count >= 2; --count) {
        const std::vector<const ColumnWords*> columns = most_important(all, count);
        for (int lines = compact ? 1 : 2; lines <= kMostLines; ++lines) {
            const std::vector<float> widths = widths_for(columns, lines, width);
            if (widths.empty()) continue;
            set_columns(layout, columns, widths, left);
            if (set_rows(layout, table, room, measure)) return layout;
            break;  // more lines would be taller still
        }
    }
    layout.complete = false;
    if (layout.columns.empty()) {  // not even two columns: the names, cut off
        const float names[] = {std::max(width, 0.0f)};
        set_columns(layout, most_important(all, 1), names, left);
        set_rows(layout, table, room, measure);
    }
    return layout;
}

}  // namespace

const SpaceColumnInfo& column_info(SpaceColumn column) { return kSpaceColumnTable[int(column)]; }

std::string cell_text(const SpaceRow& row, SpaceColumn column) {
    switch (column) {
        case SpaceColumn::name:
            return row.name;
        case SpaceColumn::lives:
            return row.lives;
        case SpaceColumn::scope:
            return row.scope;
        case SpaceColumn::lifetime:
            return row.lifetime;
        case SpaceColumn::latency:
            return without_unit(latency_text(row));
        case SpaceColumn::bandwidth:
            return row.gb_per_s > 0 ? bandwidth_text(row) : std::string();
        case SpaceColumn::size:
            return keep_units(row.size());
        case SpaceColumn::cached:
            return row.cached;
        case SpaceColumn::access:
            return row.cache ? row.kernel
                             : "kernel\u00a0" + keep_units(row.kernel) + ", host\u00a0" + row.host;
        case SpaceColumn::use:
            return row.use;
    }
    return {};
}

std::vector<std::string> cell_lines(const SpaceRow& row, SpaceColumn column, float width,
                                    const TextMeasure& measure) {
    return wrap(cell_text(row, column), font_of(column), width, measure);
}

std::vector<std::string> qualifier_lines(const SpaceRow& row, float width, const TextMeasure& measure) {
    return wrap(row.qualifier, FontRole::mono, width, measure);
}

SpacesLayout lay_out_spaces(const SpacesTable& table, Rect room, const TextMeasure& measure) {
    constexpr std::size_t kEnough = 6;
    SpacesLayout usual = lay_out(table, room, false, measure);
    if (usual.complete && usual.columns.size() >= kEnough) return usual;
    SpacesLayout compact = lay_out(table, room, true, measure);
    const bool better =
        compact.complete && (!usual.complete || compact.columns.size() > usual.columns.size());
    return better ? compact : usual;
}

}  // namespace warplens
