#include "app/pictures/access/constant_drawing.h"
#include "app/pictures/access/explain.h"
#include "app/pictures/kit/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace warplens {
namespace {

constexpr int kPieceLines = kConstantL1Bytes / kConstantLineBytes;
static_assert(kPieceLines == 32, "a piece's touched lines are the bits of a word");
constexpr float kRow = 17, kText = 24;

std::uint32_t lanes_of_line(const WarpAccess& access, std::uint64_t line) {
    std::uint32_t lanes = 0;
    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        if (access.byte_address[lane] / kConstantLineBytes == line) lanes |= 1u << lane;
    }
    return lanes;
}

void draw_piece(const WarpCanvas& d, const LineStrip::Piece& piece, bool first, Rect row) {
    Canvas& canvas = d.canvas;
    const Theme& theme = canvas.theme;
    const float pitch = row.w / kPieceLines, space = std::min(1.0f, pitch * 0.08f);
    for (int i = 0; i < kPieceLines; ++i) {
        const Rect cell{row.x + static_cast<float>(i) * pitch + space, row.y, pitch - 2 * space, row.h};
        const std::uint64_t line = piece.first_line + static_cast<std::uint64_t>(i);
        const bool touched = (piece.touched >> i & 1u) != 0;
        const std::uint32_t lanes = touched ? lanes_of_line(d.access, line) : 0;
        const Color own = first ? theme.series[kSeriesMeasured] : theme.series[0];
        canvas.box({.rect = cell,
                    .fill = touched ? d.faded(own, d.dimmed(lanes)) : theme.cell_empty,
                    .rounding = pitch < 8 ? 0.0f : 2.0f});
        canvas.hit(cell, -1,
                   fmt::format("line 0x{:x} to 0x{:x}\n{}", line * kConstantLineBytes,
                               (line + 1) * kConstantLineBytes - 1,
                               touched ? "wanted by " + name_lanes(lanes) : "not touched"));
    }
}

std::string strip_text(const LineStrip& strip) {
    if (strip.fits()) {
        return fmt::format("{} of the {} that fit into the constant L1 of {} B", counted(strip.lines, "line"),
                           kPieceLines, format_count(kConstantL1Bytes));
    }
    const auto span = static_cast<std::int64_t>(strip.end_line - strip.pieces.front().first_line);
    return fmt::format("{} spread over {} B; the constant L1 has {} B", counted(strip.lines, "line"),
                       format_count(span * kConstantLineBytes), format_count(kConstantL1Bytes));
}

}  // namespace

LineStrip lay_out_strip(const Canvas& canvas, const WarpAccess& access, const ConstantReport& report,
                        float room) {
    LineStrip strip;
    std::vector<std::uint64_t> lines;
    for (int i = 0; i < report.count.requests; ++i) {
        lines.push_back(report.words[static_cast<std::size_t>(i)].byte_address / kConstantLineBytes);
    }
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    if (lines.empty() || access.active == 0) return strip;
    strip.lines = static_cast<int>(lines.size());
    strip.end_line = lines.back() + 1;
    for (const std::uint64_t line : lines) {
        const std::uint64_t first = lines.front() + (line - lines.front()) / kPieceLines * kPieceLines;
        if (strip.pieces.empty() || strip.pieces.back().first_line != first)
            strip.pieces.push_back({first, 0});
        strip.pieces.back().touched |= 1u << (line - first);
    }
    const float share = room * 0.36f - kText;
    if (is_tiny(canvas.style) || share < kRow) return strip;
    strip.rows = std::min({static_cast<int>(share / kRow), static_cast<int>(strip.pieces.size()), 4});
    strip.height = kText + kRow * static_cast<float>(strip.rows) + 6;
    return strip;
}

void draw_strip(const WarpCanvas& d, const LineStrip& strip, float x, float y, float width) {
    if (strip.rows == 0) return;
    Canvas& canvas = d.canvas;
    const Theme& theme = canvas.theme;
    const float middle = y + kText / 2 + 2;
    const int hidden = static_cast<int>(strip.pieces.size()) - strip.rows;
    std::string text = strip_text(strip);
    if (hidden > 0)
        text += fmt::format(" (… {} more pieces of {} B)", hidden, format_count(kConstantL1Bytes));
    const Rect sample{x, middle - 6, 14, 12};
    canvas.fill(sample, theme.series[kSeriesMeasured], 2);
    canvas.label({x + 20, middle_baseline(middle, FontRole::body)},
                 elide(text, FontRole::body, width - 20, *canvas.style.measure), FontRole::body, theme.text);
    for (int i = 0; i < strip.rows; ++i) {
        const Rect row{x, y + kText + static_cast<float>(i) * kRow + 1, width, kRow - 3};
        const std::uint64_t beyond =
            (strip.pieces[static_cast<std::size_t>(i)].first_line - strip.pieces.front().first_line) *
            kConstantLineBytes / 1024;
        draw_piece(d, strip.pieces[static_cast<std::size_t>(i)], i == 0, row);
        canvas.label({canvas.margin(), middle_baseline(row.y + row.h / 2, FontRole::body)},
                     i == 0 ? std::string("lines") : fmt::format("+{} KB", beyond), FontRole::body,
                     theme.text_weak);
    }
}

}  // namespace warplens
