#include "app/pictures/access/explain.h"
#include "app/pictures/access/sectors_canvas.h"

#include <fmt/format.h>

#include <bit>

namespace warplens {
namespace {

struct LocalLayout {
    LaneRow lanes;  ///< the columns of the rows, too
    ArrayRows rows;
    bool numbers = false;      ///< lane numbers fit into the cells
    bool long_counts = false;  ///< "4 of 4 sectors", not "4/4"

    /// The place of a lane's bytes in a row. @param inside  first byte within the 4-byte word.
    Rect cell(const MemoryRow& row, int lane, int inside, int bytes) const {
        const Rect column = lanes.cell(lane);
        const float byte = column.w / 4;
        const int end = std::min(4, inside + bytes);
        return {column.x + float(inside) * byte, row.y, float(end - inside) * byte, row.h};
    }
    Rect sector(const MemoryRow& row, int sector) const {
        return {lanes.cell(8 * sector).x, row.y, 8 * lanes.pitch, row.h};
    }
};

LocalLayout lay_out_local(const Canvas& canvas, const SectorReport& report, int words, float top,
                          float bottom) {
    const bool compact = canvas.style.compact;
    LocalLayout layout;
    const float left =
        canvas.width(compact ? "w 000" : "word 000", FontRole::body) + (compact ? 6.0f : 12.0f);
    const float all = canvas.inner_width() - left;
    const float gap = compact ? 3.0f : std::clamp(all * 0.01f, 3.0f, 10.0f);
    const float long_text = canvas.width("4 of 4 sectors", FontRole::body) + 12;
    const float short_text = canvas.width("4/4", FontRole::body) + (compact ? 6.0f : 12.0f);
    layout.long_counts = !compact && all - long_text >= 32 * 19.0f + 3 * gap;
    layout.lanes =
        lay_out_lanes(canvas, canvas.margin() + left, all - (layout.long_counts ? long_text : short_text),
                      top, bottom - top, 8, gap);
    const float columns = std::clamp((bottom - top) * 0.09f, 5.0f, 28.0f);
    layout.rows = lay_out_rows(report, words,
                               {.top = layout.lanes.bottom() + columns,
                                .bottom = bottom,
                                .least_pitch = compact ? 7.0f : 18.0f,
                                .most_pitch = compact ? 20.0f : 36.0f});
    layout.numbers = layout.lanes.numbers;
    return layout;
}

struct LocalCanvas : WarpCanvas {
    const SectorReport& report;
    const LocalLayout& layout;

    std::string_view moved() const { return is_load(access.op) ? "fetched" : "sent"; }
    int word_of(int lane) const { return int(access.byte_address[lane] / 4); }
    int inside_of(int lane) const { return int(access.byte_address[lane] % 4); }
};

/// Straight down from each lane: its own column is the only place where its words can be.
void draw_columns(const LocalCanvas& d) {
    Canvas& canvas = d.canvas;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        const MemoryRow* row = d.layout.rows.find(d.word_of(lane));
        if (!d.active(lane) || row == nullptr) continue;
        const bool hovered = lane == d.hovered();
        const Color own = wire_color(canvas.theme, lane_color(canvas.theme, lane));
        const float x = d.layout.lanes.center(lane);
        canvas.line({x, d.layout.lanes.bottom()}, {x, row->y},
                    hovered ? canvas.theme.highlight : with_alpha(own, d.hovered() >= 0 ? 0.12f : 0.5f),
                    hovered ? 2.2f : 1.2f);
    }
}

void draw_sectors_of(const LocalCanvas& d, const MemoryRow& row) {
    const Theme& theme = d.canvas.theme;
    for (int sector = 0; sector < kSectorsPerLine; ++sector) {
        const LineUse* line = row.line < 0 ? nullptr : &d.report.lines[row.line];
        const bool moved =
            line != nullptr && !d.canvas.style.counts_hidden && (line->sectors >> sector & 1u) != 0;
        const int used = moved ? std::popcount(line->used[sector]) : 0;
        Box box{.rect = d.layout.sector(row, sector),
                .stroke = moved ? theme.outline : mix(theme.panel, theme.outline, 0.45f),
                .rounding = std::min(3.0f, row.h * 0.25f)};
        box.fill = with_alpha(theme.panel, 0.85f);  // columns of lower rows stay a hint
        if (moved) {
            if (used < kSectorBytes) box.hatch = with_alpha(theme.hatch, d.hovered() >= 0 ? 0.3f : 0.75f);
        }
        d.canvas.box(box);
        d.canvas.hit(box.rect, -1,
                     fmt::format("word {} of lanes {} to {}", row.index, 8 * sector, 8 * sector + 7) +
                         d.canvas.count_text(
                             moved ? fmt::format("\none sector, {}: {} of 32 bytes used", d.moved(), used)
                                   : fmt::format("\nnot {}", d.moved())));
    }
}

void draw_row_texts(const LocalCanvas& d, const MemoryRow& row) {
    Canvas& canvas = d.canvas;
    const float baseline = middle_baseline(row.y + row.h / 2, FontRole::body);
    if (row.kind != MemoryRow::Kind::line) {
        draw_row_note(canvas, row, d.layout.lanes);
        return;
    }
    canvas.label({canvas.margin(), baseline},
                 fmt::format("{} {}", canvas.style.compact ? "w" : "word", row.index), FontRole::body,
                 row.line < 0 ? canvas.theme.text_weak : canvas.theme.text);
    if (row.line < 0) return;
    const std::string text = moved_text(d.report, d.report.lines[row.line], d.layout.long_counts);
    const float right = d.layout.lanes.x + d.layout.lanes.width() + (canvas.style.compact ? 6.0f : 12.0f);
    canvas.label_elided({right, baseline}, canvas.count_text(text), FontRole::body, canvas.theme.text_weak,
                        canvas.style.size.x - right - 2);
}

void draw_rows(const LocalCanvas& d) {
    float last = d.layout.lanes.y + d.layout.lanes.h / 2;  // where "lanes" stands
    for (const MemoryRow& row : d.layout.rows.rows) {
        if (row.kind == MemoryRow::Kind::line) draw_sectors_of(d, row);
        // Thin rows of a small picture cannot all have their text.
        if (row.kind == MemoryRow::Kind::line && row.y + row.h / 2 - last < 17.5f) continue;
        if (row.kind != MemoryRow::Kind::line && row.text.empty()) continue;
        draw_row_texts(d, row);
        last = row.y + row.h / 2;
    }
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        const MemoryRow* row = d.layout.rows.find(d.word_of(lane));
        if (!d.active(lane) || row == nullptr || row->kind != MemoryRow::Kind::line) continue;
        const Rect whole = d.layout.cell(*row, lane, d.inside_of(lane), d.access.bytes_per_lane);
        const float frame = whole.h > 14 ? 2.0f : 0.5f;
        draw_lane_cell(d, {whole.x, whole.y + frame, whole.w, whole.h - 2 * frame}, 1u << lane,
                       lane_color(d.canvas.theme, lane), d.layout.numbers);
        d.canvas.hit(whole, lane, fmt::format("lane {}\nword {} of its own array", lane, row->index));
        if (lane == d.hovered()) d.canvas.highlight(whole, 2);
    }
}

std::string describe(const LocalCanvas& d, int lane) {
    const std::uint64_t place =
        (static_cast<std::uint64_t>(d.word_of(lane)) * kWarpLanes + static_cast<std::uint64_t>(lane)) * 4;
    return fmt::format("byte 0x{:x} of its own array: word {}\nbyte 0x{:x} of the warp's interleaved words",
                       d.access.byte_address[lane], d.word_of(lane),
                       place + static_cast<std::uint64_t>(d.inside_of(lane)));
}

int words_of_array(const InstructionView& view) {
    int words = view.shape == nullptr ? 0 : view.shape->local_bytes / 4;
    for (const LineUse& line : view.sectors->lines)
        words = std::max(words, int(line.byte_address / kLineBytes) + 1);
    return words;
}

}  // namespace

Picture draw_local(const InstructionView& view, const Style& style) {
    const WarpAccess& access = view.report->access;
    const SectorCount& count = view.sectors->count;
    const Travelling pieces = travelling(*view.sectors);
    Canvas canvas(style, title_of(view, style, picture_title(Space::local)),
                  subtitle_of(view, style, "local"));
    const Explanation explanation = explain(view);
    PictureFrame frame = open_frame(canvas, explanation, 76);
    const bool bar = !style.compact && access.active != 0 && frame.bottom - frame.top - kUsageBarHeight > 130;
    if (bar) frame.bottom -= kUsageBarHeight;
    const LocalLayout layout =
        lay_out_local(canvas, *view.sectors, words_of_array(view), frame.top, frame.bottom);
    const LocalCanvas d{{canvas, access}, *view.sectors, layout};
    draw_columns(d);
    draw_rows(d);
    draw_lanes(d, layout.lanes, "lanes", [&](int lane) { return describe(d, lane); });
    if (bar) {
        draw_usage_bar(d, {layout.lanes.x, frame.bottom + 6, layout.lanes.width(), 12}, count.bytes_used,
                       count.bytes_moved, d.moved());
    }
    close_frame(
        canvas, frame, explanation.good, cost_text(pieces),
        fmt::format("{} of {} bytes used", format_count(count.bytes_used), format_count(count.bytes_moved)));
    return canvas.take();
}

}  // namespace warplens
