#include "app/boards/spaces/spaces_picture.h"

#include "app/base/assets.h"
#include "app/base/recent.h"
#include "app/boards/list.h"
#include "app/experiment/devices.h"
#include "app/model/device/properties.h"
#include "app/model/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

constexpr double kLongestLatency = 1000;  // right end of the bars [cycles]

/// One table being drawn.
struct SpacesCanvas {
    Canvas& canvas;
    const SpacesTable& table;
    const SpacesLayout& layout;
    float left, right;

    const Theme& theme() const { return canvas.theme; }
    const TextMeasure& measure() const { return *canvas.style.measure; }
    Rect cell(std::size_t row, const SpacesLayout::Column& column) const {
        return {column.x, layout.tops[row], column.width, layout.heights[row]};
    }
};

void draw_lines(SpacesCanvas& d, const std::vector<std::string>& lines, float x, float& y, FontRole font,
                Color color) {
    for (const std::string& line : lines) {
        d.canvas.label_middle({x, y + kSpacesLine / 2}, line, font, color);
        y += kSpacesLine;
    }
}

/// The bar of a latency: solid to where it is answered at best, outlined to where it is at worst.
/// @param place  its whole length, and the line in whose middle it stands.
void draw_bar(SpacesCanvas& d, const SpaceRow& row, Rect place) {
    const SpaceLatency& latency = row.latency;
    const Color color = closeness_color(row.closeness, d.theme());
    const float middle = place.y + place.h / 2, top = middle - kLatencyBar / 2;
    const auto x_of = [&](double cycles) { return place.x + place.w * latency_position(cycles); };
    d.canvas.fill({place.x, middle - 0.5f, place.w, 1}, d.theme().grid);
    // Beside the number there is no axis below.
    for (double cycles = 10; cycles <= kLongestLatency && !d.layout.compact; cycles *= 10)
        d.canvas.fill({x_of(cycles) - 0.5f, top - 2, 1, kLatencyBar + 4}, d.theme().outline);
    if (latency.in_instruction) {
        d.canvas.fill({place.x, top, 4, kLatencyBar}, color, 2);
        return;
    }
    if (latency.farthest <= 0) return;
    if (latency.farthest > latency.nearest) {
        const float from = latency.nearest > 0 ? x_of(latency.nearest) : place.x, to = x_of(latency.farthest);
        const Color dram = closeness_color(row.key == "l2" ? row.closeness : Closeness::board, d.theme());
        d.canvas.box({.rect = {from, top, to - from, kLatencyBar},
                      .fill = with_alpha(dram, 0.22f),
                      .stroke = dram,
                      .stroke_width = 1,
                      .rounding = 2});
    }
    if (latency.nearest > 0)
        d.canvas.fill({place.x, top, x_of(latency.nearest) - place.x, kLatencyBar}, color, 2);
}

std::string row_tip(const SpaceRow& row) {
    if (!row.exists) return fmt::format("{}: {}.", row.name, absent_words(row));
    std::string tip =
        fmt::format("{} ({}): {}\n{}", row.name, closeness_name(row.closeness), row.qualifier, row.more);
    if (!row.link.empty()) tip += "\nclick: open a scenario that shows it";
    return tip;
}

/// The fields of cudaDeviceProp that say how much of a memory there is, each on a line.
std::string properties_tip(const SpacesTable& table, const SpaceRow& row) {
    const std::vector<DeviceFacts>& devices = device_table();
    const auto device = std::ranges::find(devices, table.gpu, &DeviceFacts::name);
    if (device == devices.end()) return {};
    const std::optional<CapabilityFacts> rules = rules_of(device->cc);
    std::string lines;
    for (const DeviceProperty& one : device_properties(*device, rules ? &*rules : nullptr))
        if (one.space == row.key)
            lines += fmt::format("\ncudaDeviceProp::{} = {}", one.field, format_count(one.number));
    return lines;
}

/// The tooltip of a cell. It is that of the row if there is nothing special to say about the cell.
std::string cell_tip(const SpacesTable& table, const SpaceRow& row, SpaceColumn column) {
    switch (column) {
        case SpaceColumn::latency: {
            if (row.latency.in_instruction && row.latency.next <= 0)
                return "A read is part of the instruction. How soon a multiply-add can use the result of another "
                       "is not known of this GPU.";
            if (row.latency.farthest <= 0 && !row.latency.in_instruction)
                return "No measurement of this is in the table.";
            return fmt::format("{}: {}\n{} {}.", row.name, latency_text(row),
                               provenance_mark(latency_provenance(row)), latency_source(row));
        }
        case SpaceColumn::bandwidth:
            return row.bandwidth_of.empty()
                       ? row_tip(row)
                       : fmt::format("{} {}\n{}", provenance_mark(Provenance::approximate),
                                     bandwidth_text(row), row.bandwidth_of);
        case SpaceColumn::size: {
            const std::string& source = row.sizes.of_device > 0 ? table.device_source : table.size_source;
            return fmt::format("{} {}\n{}{}", provenance_mark(Provenance::exact), row.size(),
                               source.empty() ? "" : "Source: " + source + ".", properties_tip(table, row));
        }
        default:
            return row_tip(row);
    }
}

bool is_known(const SpaceRow& row, SpaceColumn column) {
    return column == SpaceColumn::latency     ? latency_known(row)
           : column == SpaceColumn::size      ? !row.size_parts.empty()
           : column == SpaceColumn::bandwidth ? row.gb_per_s > 0
                                              : true;
}

void draw_cell(SpacesCanvas& d, std::size_t index, const SpacesLayout::Column& column) {
    const SpaceRow& row = d.table.rows[index];
    const Rect cell = d.cell(index, column);
    const bool compact = d.layout.compact, name = column.column == SpaceColumn::name;
    const bool latency = column.column == SpaceColumn::latency, bar_below = latency && !compact;
    const float text_width = cell.w - (latency && compact ? kBesideBar + 6 : 0);
    const std::vector<std::string> lines = cell_lines(row, column.column, text_width, d.measure());
    const std::vector<std::string> below =
        name && !compact ? qualifier_lines(row, cell.w, d.measure()) : std::vector<std::string>{};
    const float tall = float(lines.size() + below.size() + (bar_below ? 1 : 0)) * kSpacesLine;
    float y = cell.y + (cell.h - tall) / 2;
    const bool known = is_known(row, column.column);
    const Color color = known ? d.theme().text : d.theme().text_weak;
    draw_lines(d, lines, cell.x, y, name ? FontRole::strong : FontRole::body, color);
    draw_lines(d, below, cell.x, y, FontRole::mono, d.theme().text_weak);
    if (bar_below) draw_bar(d, row, {cell.x, y, cell.w, kSpacesLine});
    if (latency && compact) draw_bar(d, row, {cell.x + cell.w - kBesideBar, cell.y, kBesideBar, cell.h});
    d.canvas.hit({.rect = cell, .tooltip = cell_tip(d.table, row, column.column), .link = row.link});
}

void draw_absent(SpacesCanvas& d, std::size_t index) {
    const SpaceRow& row = d.table.rows[index];
    const float x = d.layout.columns.front().x;
    const float baseline =
        middle_baseline(d.layout.tops[index] + d.layout.heights[index] / 2, FontRole::body);
    const std::string text = fmt::format("{}: {}", row.name, absent_words(row));
    d.canvas.label({x, baseline}, elide(text, FontRole::body, d.right - x - 4, d.measure()), FontRole::body,
                   d.theme().text_weak);
}

void draw_row(SpacesCanvas& d, std::size_t index) {
    const SpaceRow& row = d.table.rows[index];
    const Rect band{d.left, d.layout.tops[index], d.right - d.left, d.layout.heights[index]};
    const Color color = closeness_color(row.closeness, d.theme());
    const Rect inner{band.x, band.y + 1, band.w, band.h - 2};
    d.canvas.hit({.rect = band, .tooltip = row_tip(row), .link = row.link});
    if (band.h <= 0) return;
    if (!row.exists) {
        draw_absent(d, index);
        return;
    }
    d.canvas.fill(inner, with_alpha(color, 0.09f), 4);
    d.canvas.fill({inner.x, inner.y, kSpacesStrip, inner.h}, color, 3);
    for (const SpacesLayout::Column& column : d.layout.columns) draw_cell(d, index, column);
}

/// The numbers of the bars' strokes, below all rows.
void draw_decades(SpacesCanvas& d, const SpacesLayout::Column& column) {
    const float baseline = middle_baseline(d.layout.bottom + kSpacesAxis / 2 + 1, FontRole::body);
    for (double cycles = 1; cycles <= kLongestLatency; cycles *= 10) {
        const float x = column.x + column.width * (cycles > 1 ? latency_position(cycles) : 0);
        d.canvas.label({x, baseline}, fmt::format("{:.0f}", cycles), FontRole::body, d.theme().text_weak,
                       cycles == 1 ? Anchor::start : Anchor::middle);
    }
}

/// Column heads, and the numbers below the latency bars.
void draw_heads(SpacesCanvas& d) {
    const float baseline =
        middle_baseline(d.layout.head_top + d.layout.head_height / 2 - 2, FontRole::strong);
    for (const SpacesLayout::Column& column : d.layout.columns) {
        const SpaceColumnInfo& info = column_info(column.column);
        d.canvas.label({column.x, baseline}, std::string(info.head), FontRole::strong, d.theme().text_weak);
        d.canvas.hit({.rect = {column.x, d.layout.head_top, column.width, d.layout.head_height},
                      .tooltip = std::string(info.tooltip)});
        if (column.column != SpaceColumn::latency || d.layout.compact) continue;
        draw_decades(d, column);
    }
    const float y = d.layout.head_top + d.layout.head_height - 2;
    d.canvas.line({d.left, y}, {d.right, y}, d.theme().outline);
}

void draw_caches_line(SpacesCanvas& d) {
    const auto first = std::ranges::find(d.table.rows, true, &SpaceRow::cache);
    if (first == d.table.rows.begin() || first == d.table.rows.end()) return;
    const float y = d.layout.tops[first - d.table.rows.begin()] - 7;
    const std::string text = "caches, kept by the hardware";
    const float width = d.canvas.width(text, FontRole::body);
    const float x = d.layout.columns.front().x;
    d.canvas.label_middle({x, y}, text, FontRole::body, d.theme().text_weak);
    d.canvas.line({x + width + 8, y}, {d.right, y}, d.theme().grid);
}

std::vector<std::string> spaces_caption(const BoardInput& input) {
    const SpacesTable table = spaces_of(input.device());
    return {
        fmt::format("{}, compute capability {}.", table.gpu, table.cc.text()),
        fmt::format("{} latencies: recorded, in cycles, from a load to its first use, nothing else running "
                    "(sources: warplens spaces).",
                    provenance_mark(Provenance::recorded)),
        fmt::format("{} sizes: as documented.", provenance_mark(Provenance::exact))};
}

std::vector<Quantity> spaces_numbers(const BoardInput& input) {
    std::vector<Quantity> numbers;
    const SpacesTable table = spaces_of(input.device());
    for (const SpaceRow& row : table.rows) {
        if (!row.exists) continue;
        numbers.push_back({.name = row.name + ", latency",
                           .text = latency_text(row),
                           .provenance = latency_provenance(row),
                           .source = latency_source(row),
                           .amount = row.latency.nearest > 0 && row.latency.nearest == row.latency.farthest
                                         ? std::optional<double>(row.latency.nearest)
                                         : std::nullopt,
                           .better = Better::less,
                           .unit = "cycles"});
        numbers.push_back({row.name + ", size", row.size(), Provenance::exact, row.more});
        if (row.gb_per_s > 0)
            numbers.push_back({.name = row.name + ", bandwidth",
                               .text = bandwidth_text(row),
                               .provenance = Provenance::approximate,
                               .source = row.bandwidth_of,
                               .amount = row.gb_per_s,
                               .better = Better::more,
                               .unit = "GB/s"});
    }
    for (const CacheHint& hint : table.hints)  // the table has no row for them
        numbers.push_back({.name = hint.name,
                           .text = hint.does,
                           .source = fmt::format("{}: {}", hint.code, hint.more),
                           .main = true});
    const std::optional<CapabilityFacts> rules = rules_of(input.device().cc);
    for (const DeviceProperty& one : device_properties(input.device(), rules ? &*rules : nullptr)) {
        Quantity row{std::string(one.field), one.value, Provenance::exact,
                     fmt::format("cudaDeviceProp: {}", one.limits)};
        if (one.number > 0) row.amount = double(one.number);
        row.unit = one.unit;
        numbers.push_back(std::move(row));
    }
    return numbers;
}

Explanation spaces_explanation(const BoardInput& input) {
    const SpacesTable table = spaces_of(input.device());
    const SpaceRow *shared = find_row(table, "shared"), *global = find_row(table, "global");
    Explanation explanation;
    if (shared == nullptr || global == nullptr || shared->latency.nearest <= 0 ||
        global->latency.farthest <= 0) {
        explanation.verdict = "The nearer to the arithmetic, the smaller and the more private.";
    } else {
        explanation.say(
            fmt::format("DRAM after {:.0f} cycles, shared memory after {:.0f}", global->latency.farthest,
                        shared->latency.nearest),
            fmt::format(": {:.0f} times sooner.", global->latency.farthest / shared->latency.nearest));
    }
    explanation.why =
        "Two of the names mislead: local memory lies in DRAM like global memory, and constant memory, though it "
        "lies there too, is read through a cache in the SM.";
    return explanation;
}

}  // namespace

Color closeness_color(Closeness closeness, const Theme& theme) {
    if (theme.name == ThemeName::print) {  // four greys that differ, none with a pattern of its own
        constexpr std::uint8_t kGreys[] = {0x12, 0x48, 0x70, 0x93};
        const std::uint8_t grey = kGreys[int(closeness)];
        return {grey, grey, grey, 255};
    }
    constexpr float kPlaces[] = {0.93f, 0.68f, 0.42f, 0.16f};
    return distinct_from(ramp_color(word_ramp(theme), kPlaces[int(closeness)]), theme.panel, 3);
}

Legend closeness_legend(const Theme& theme) {
    Legend legend;
    for (int i = 0; i < 4; ++i) {
        const auto closeness = static_cast<Closeness>(i);
        legend.add_box(std::string(closeness_name(closeness)),
                       {.fill = closeness_color(closeness, theme), .rounding = 3});
    }
    legend.add(fmt::format("{} cycles: recorded", provenance_mark(Provenance::recorded)));
    legend.add(fmt::format("{} sizes: exact", provenance_mark(Provenance::exact)));
    return legend;
}

float latency_position(double cycles) {
    const double position = std::log10(std::max(1.0, cycles)) / std::log10(kLongestLatency);
    return float(std::clamp(position, 0.02, 1.0));
}

Picture draw_spaces(const SpacesTable& table, const Style& style) {
    Canvas canvas(style, "Memory spaces",
                  fmt::format("{}, compute capability {}", table.gpu, table.cc.text()));
    const float top = canvas.draw_title(), margin = canvas.margin();
    const Legend legend = closeness_legend(canvas.theme);
    const int legend_rows = style.size.y < 480 ? 1 : 2;
    const float legend_height = legend.height(canvas, canvas.inner_width(), legend_rows);
    Rect room{margin, top, style.size.x - 2 * margin, style.size.y - top - legend_height - margin - 2};
    SpacesLayout layout = lay_out_spaces(table, room, *style.measure);
    const bool has_legend = layout.complete;
    if (!has_legend) {  // rows come first
        room.h += legend_height;
        layout = lay_out_spaces(table, room, *style.measure);
    }
    SpacesCanvas drawing{canvas, table, layout, margin, style.size.x - margin};
    draw_heads(drawing);
    for (std::size_t i = 0; i < table.rows.size(); ++i) draw_row(drawing, i);
    draw_caches_line(drawing);
    if (has_legend)
        legend.draw(canvas, margin, style.size.y - margin / 2 - legend_height, canvas.inner_width(),
                    legend_rows);
    return canvas.take();
}

const SpaceRow* find_row(const SpacesTable& table, std::string_view key) {
    const auto found = std::ranges::find(table.rows, key, &SpaceRow::key);
    return found == table.rows.end() || !found->exists ? nullptr : &*found;
}

constinit const Board kSpacesBoard{
    {.key = "spaces",
     .label = "Spaces",
     .tooltip = "All memory spaces in a table: where they live, who sees them, latency and bandwidth.",
     .lesson = "board-spaces",
     .wide = true},
    [](const BoardInput& input, const Style& style) { return draw_spaces(spaces_of(input.device()), style); },
    spaces_numbers,
    spaces_explanation,
    spaces_caption};

SpacesTable spaces_of(const DeviceFacts& device) {
    static Recent<DeviceFacts, SpacesTable> recent(2);  // its file would be read for each drawn frame
    return *recent.get(device, [&device] {
        const std::optional<CapabilityFacts> rules = rules_of(device.cc);
        return make_spaces(asset("assets/spaces.json"), device, rules ? &*rules : nullptr);
    });
}

}  // namespace warplens
