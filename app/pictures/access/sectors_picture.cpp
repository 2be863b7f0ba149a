#include "app/pictures/access/explain.h"
#include "app/pictures/access/sectors_canvas.h"

#include <fmt/format.h>

namespace warplens {
namespace {

void draw_row_texts(const SectorsCanvas& d) {
    const Theme& theme = d.canvas.theme;
    const float right = d.layout.lanes.x + d.layout.lanes.width() + (d.canvas.style.compact ? 6.0f : 12.0f);
    float last = -1e9f;
    for (const MemoryRow& row : d.layout.rows) {
        const float middle = row.y + row.h / 2;
        const float baseline = middle_baseline(middle, FontRole::body);
        if (row.kind != MemoryRow::Kind::line) {
            draw_row_note(d.canvas, row.text, {d.layout.lanes.x, row.y, d.layout.lanes.width(), row.h});
            continue;
        }
        if (middle - last < 17.5f) continue;
        last = middle;
        const LineUse& line = d.report.lines[static_cast<std::size_t>(row.line)];
        d.canvas.label({d.canvas.margin(), baseline}, d.hex(line.byte_address), FontRole::mono, theme.text);
        d.canvas.label({right, baseline}, moved_text(d.report, line, d.layout.long_counts), FontRole::body,
                       theme.text_weak);
    }
}

/// Used against moved bytes as a bar, with the samples that explain the cells.
void draw_usage(const SectorsCanvas& d, float y) {
    const Theme& theme = d.canvas.theme;
    const SectorCount& count = d.report.count;
    const bool all_moved =
        std::ranges::all_of(d.report.lines, [](const LineUse& line) { return line.sectors == 0xfu; });
    std::vector<NamedBox> more;
    if (!all_moved)
        more.push_back({fmt::format("not {}", d.moved()),
                        {.fill = theme.panel, .stroke = d.not_moved(), .rounding = 2}});
    draw_usage_bar(d, {d.layout.lanes.x, y, d.layout.lanes.width(), 12}, count.bytes_used, count.bytes_moved,
                   d.moved(), more);
}

}  // namespace

Picture draw_sectors(const InstructionView& view, const Style& style) {
    const WarpAccess& access = view.report->access;
    const SectorCount& count = view.sectors->count;
    const Travelling pieces = travelling(*view.sectors);
    Canvas canvas(style, title_of(view, style, picture_title(Space::global, view.sectors->rules)),
                  subtitle_of(view, style, "global"));
    canvas.picture.shapes.reserve(640);
    canvas.picture.hits.reserve(128);
    PictureFrame frame = open_frame(canvas, explain(view), 62);
    const bool bar = !style.compact && !style.counts_hidden && access.active != 0 &&
                     frame.bottom + 6 - frame.top - kUsageBarHeight > 130;
    if (bar) frame.bottom -= kUsageBarHeight;
    const WantedElements elements = collect_elements(access);
    const SectorsLayout layout = lay_out_sectors(canvas, *view.sectors, frame.top, frame.bottom);
    const SectorsCanvas d{{canvas, access}, *view.sectors, elements, layout};
    draw_sector_cells(d);
    draw_row_texts(d);
    if (bar) draw_usage(d, frame.bottom + 8);
    close_frame(
        canvas, frame, pieces.good(),
        fmt::format("{}, ideal {}", counted(pieces.count, pieces.name), pieces.ideal),
        fmt::format("{} of {} bytes used", format_count(count.bytes_used), format_count(count.bytes_moved)));
    return canvas.take();
}

}  // namespace warplens
