#include "app/pictures/access/explain.h"
#include "app/pictures/access/sectors_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace warplens {
namespace {

void draw_row_texts(const SectorsCanvas& d) {
    const Theme& theme = d.canvas.theme;
    const float right = d.layout.memory_x + d.layout.memory_width() + (d.canvas.style.compact ? 6.0f : 12.0f);
    float last = -1e9f;
    for (const LineRow& row : d.layout.rows) {
        const float middle = row.y + row.h / 2;
        const float baseline = middle_baseline(middle, FontRole::body);
        if (row.kind != LineRow::Kind::line) {
            if (row.text.empty()) continue;
            const std::string text =
                elide(row.text, FontRole::body, d.layout.memory_width() - 4, *d.canvas.style.measure);
            d.canvas.fill({d.layout.memory_x, row.y + 1, d.canvas.width(text, FontRole::body) + 6, row.h - 2},
                          theme.panel, 3);
            d.canvas.label({d.layout.memory_x + 2, baseline}, text, FontRole::body, theme.text_weak);
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

std::string used_text(const SectorsCanvas& d) {
    const SectorCount& count = d.report.count;
    return fmt::format("{} of {} bytes used: {} of the bytes {}", format_count(count.bytes_used),
                       format_count(count.bytes_moved), format_percent(count.bytes_used, count.bytes_moved),
                       d.moved());
}

/// Used against moved bytes as a bar, with the samples that explain the cells.
void draw_usage(const SectorsCanvas& d, float y, bool with_legend) {
    Canvas& canvas = d.canvas;
    const Theme& theme = canvas.theme;
    const SectorCount& count = d.report.count;
    const float x = d.layout.memory_x, width = d.layout.memory_width();
    const float used = count.bytes_moved == 0 ? 0
                                              : width * static_cast<float>(count.bytes_used) /
                                                    static_cast<float>(count.bytes_moved);
    canvas.box({.rect = {x, y, width, 12},
                .fill = theme.panel,
                .stroke = theme.outline,
                .rounding = 3,
                .hatch = with_alpha(theme.hatch, 0.75f)});
    if (used > 0) canvas.fill({x, y, used, 12}, theme.accent, 3);
    Legend legend;
    legend.add(used_text(d), 14);
    if (with_legend && count.bytes_used < count.bytes_moved)
        legend.add(fmt::format("{}, not used", d.moved()), 14);
    const bool all_moved = std::all_of(d.report.lines.begin(), d.report.lines.end(),
                                       [](const LineUse& line) { return line.sectors == 0xfu; });
    if (with_legend && !all_moved) legend.add(fmt::format("not {}", d.moved()), 14);
    const auto places = legend.arrange(canvas, x, y + 16, canvas.style.size.x - canvas.margin() - x, 1);
    for (std::size_t i = 0; i < places.size(); ++i) {
        Box box{.rect = places[i].sample, .fill = theme.panel, .stroke = theme.outline, .rounding = 2};
        const std::string& text = legend.items()[i].text;
        if (i == 0) {
            box.fill = box.stroke = theme.accent;
        } else if (text.ends_with("not used")) {
            box.hatch = with_alpha(theme.hatch, 0.75f);
        } else {
            box.stroke = d.not_moved();
        }
        canvas.box(box);
        canvas.label(places[i].baseline, text, FontRole::body, i == 0 ? theme.text : theme.text_weak);
    }
}

/// The one line under a small picture.
void draw_compact_numbers(const SectorsCanvas& d) {
    Canvas& canvas = d.canvas;
    if (canvas.style.counts_hidden) return;
    const SectorCount& count = d.report.count;
    const Travelling pieces = travelling(d.report);
    const bool good = pieces.good();
    const float baseline = canvas.style.size.y - 6 - descent(FontRole::strong);
    const std::string text = fmt::format("{}, ideal {}", counted(pieces.count, pieces.name), pieces.ideal);
    const float room = canvas.style.size.x - 2 * canvas.margin();
    canvas.label({canvas.margin(), baseline}, elide(text, FontRole::strong, room, *canvas.style.measure),
                 FontRole::strong, good ? canvas.theme.good : canvas.theme.bad);
    const std::string more =
        fmt::format("{} of {} bytes used", format_count(count.bytes_used), format_count(count.bytes_moved));
    const float after = canvas.width(text, FontRole::strong) + 12;
    if (after + canvas.width(more, FontRole::body) > room) return;
    canvas.label({canvas.margin() + after, baseline}, more, FontRole::body, canvas.theme.text_weak);
}

}  // namespace

Picture draw_sectors(const InstructionView& view, const Style& style) {
    const InstructionReport& report = *view.report;
    const std::string label(report.instruction.label);
    Canvas canvas(
        style,
        style.compact ? fmt::format("{}  {}", view.index + 1, label)
                      : std::string(picture_title(Space::global, view.sectors->rules)),
        style.compact
            ? fmt::format("global {}", op_name(report.access.op))
            : fmt::format("one warp, {}", label.empty() ? std::string(op_name(report.access.op)) : label));
    canvas.picture.shapes.reserve(640);
    canvas.picture.hits.reserve(128);
    const float top = canvas.draw_title() + (style.compact ? 0.0f : 2.0f);
    const WantedElements elements = collect_elements(report.access);
    const float edge = style.compact ? 8.0f : style.embedded ? 2.0f : 12.0f;
    float bottom = style.size.y - edge;
    Sentences sentences;
    bool bar = false;
    if (style.compact) {
        bottom -= line_height(FontRole::strong);
    } else {
        constexpr float kLeastPicture = 62, kBar = 44;
        const float width = style.size.x - 2 * canvas.margin();
        sentences = fit_sentences(explain(view), style, width, bottom - top - kLeastPicture);
        bottom -= sentences.height();
        bar = bottom - top - kBar > 130 && report.access.active != 0 && !style.counts_hidden;
        if (bar) bottom -= kBar;
        bottom -= 6;
    }
    const SectorsLayout layout = lay_out_sectors(canvas, *view.sectors, top, bottom);
    const SectorsCanvas drawing{canvas, report.access, *view.sectors, elements, layout};
    draw_sector_cells(drawing);
    draw_row_texts(drawing);
    if (style.compact) {
        draw_compact_numbers(drawing);
    } else {
        const float sentences_y = style.size.y - edge - sentences.height();
        if (bar) draw_usage(drawing, sentences_y - 42, true);
        draw_sentences(canvas, sentences, canvas.margin(), sentences_y);
    }
    return canvas.take();
}

}  // namespace warplens
