#include "app/pictures/access/explain.h"
#include "app/pictures/access/warp_canvas.h"
#include "app/pictures/kit/fit_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace warplens {
namespace {

constexpr float kConstantRow = 19;  ///< height of a row of addresses [points]

/// The 64-byte lines that a request touches, in pieces as large as the constant L1, so that what stands
/// beyond the first piece is seen. Measured on CC 9.0: 32 words at a stride of 32 words, 32 lines spread over
/// 4 KiB, do not stay in it.
struct LineStrip {
    struct Piece {
        std::uint64_t first_line = 0;  ///< address / 64 of its first line
        std::uint32_t touched = 0;     ///< bit i: line first_line + i
    };
    std::vector<Piece> pieces;   ///< those with a touched line, by rising address
    int rows = 0;                ///< pieces that are drawn; 0 without room for the strip
    int lines = 0;               ///< touched in all
    std::uint64_t end_line = 0;  ///< one past the last
    float height = 0;            ///< with its text [points]

    bool fits() const { return pieces.size() <= 1; }
};

constexpr int kPieceLines = kConstantL1Bytes / kConstantLineBytes;
static_assert(kPieceLines == 32, "a piece's touched lines are the bits of a word");
constexpr float kStripRow = 17, kStripText = 24;

std::uint32_t lanes_of_line(const WarpAccess& access, std::uint64_t line) {
    std::uint32_t lanes = 0;
    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        if (access.byte_address[lane] / kConstantLineBytes == line) lanes |= 1u << lane;
    }
    return lanes;
}

void draw_piece(const WarpCanvas& d, const LineStrip::Piece& piece, bool first, Rect row) {
    const float pitch = row.w / kPieceLines, space = std::min(1.0f, pitch * 0.08f);
    for (int i = 0; i < kPieceLines; ++i) {
        const Rect cell{row.x + float(i) * pitch + space, row.y, pitch - 2 * space, row.h};
        const std::uint64_t line = piece.first_line + static_cast<std::uint64_t>(i);
        const bool touched = (piece.touched >> i & 1u) != 0;
        const std::uint32_t lanes = touched ? lanes_of_line(d.access, line) : 0;
        const Color own = first ? d.canvas.theme.series[kSeriesMeasured] : d.canvas.theme.series[0];
        d.canvas.box({.rect = cell,
                      .fill = touched ? d.faded(own, d.dimmed(lanes)) : d.canvas.theme.cell_empty,
                      .rounding = pitch < 8 ? 0.0f : 2.0f});
        d.canvas.hit(cell, -1,
                     fmt::format("line 0x{:x} to 0x{:x}\n{}", line * kConstantLineBytes,
                                 (line + 1) * kConstantLineBytes - 1,
                                 touched ? "requested by " + name_lanes(lanes) : "not read"));
    }
}

/// The longest first.
std::array<std::string, 3> strip_texts(const LineStrip& strip) {
    const std::string lines = counted(strip.lines, "line");
    if (strip.fits()) {
        return {fmt::format("{} of the {} that fit into the constant L1 of {} B", lines, kPieceLines,
                            format_count(kConstantL1Bytes)),
                fmt::format("{} of the {} that fit into the constant L1", lines, kPieceLines),
                fmt::format("{} of {} in the constant L1", lines, kPieceLines)};
    }
    const std::int64_t span = strip.end_line - strip.pieces.front().first_line;
    const std::string over =
        fmt::format("{} spread over {} B", lines, format_count(span * kConstantLineBytes));
    return {fmt::format("{}; the constant L1 has {} B", over, format_count(kConstantL1Bytes)),
            fmt::format("{}, L1 {} B", over, format_count(kConstantL1Bytes)), over};
}

LineStrip lay_out_strip(const Canvas& canvas, const WarpAccess& access, const ConstantReport& report,
                        float room) {
    LineStrip strip;
    std::vector<std::uint64_t> lines;
    for (int i = 0; i < report.count.requests; ++i) {
        lines.push_back(report.words[i].byte_address / kConstantLineBytes);
    }
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    if (lines.empty() || access.active == 0) return strip;
    strip.lines = int(lines.size());
    strip.end_line = lines.back() + 1;
    for (const std::uint64_t line : lines) {
        const std::uint64_t first = lines.front() + (line - lines.front()) / kPieceLines * kPieceLines;
        if (strip.pieces.empty() || strip.pieces.back().first_line != first)
            strip.pieces.push_back({first, 0});
        strip.pieces.back().touched |= 1u << (line - first);
    }
    const float share = room * 0.36f - kStripText;
    if (is_tiny(canvas.style) || canvas.style.counts_hidden || share < kStripRow) return strip;
    strip.rows = std::min({int(share / kStripRow), int(strip.pieces.size()), 4});
    strip.height = kStripText + kStripRow * float(strip.rows) + 6;
    return strip;
}

void draw_strip(const WarpCanvas& d, const LineStrip& strip, float x, float y, float width) {
    if (strip.rows == 0) return;
    Canvas& canvas = d.canvas;
    const float middle = y + kStripText / 2 + 2;
    const int hidden = int(strip.pieces.size()) - strip.rows;
    const auto [whole, shorter, shortest] = strip_texts(strip);
    const std::string more =
        hidden > 0 ? fmt::format(" (… {} more pieces of {} B)", hidden, format_count(kConstantL1Bytes)) : "";
    const std::string text = fit_text(canvas, {whole + more, whole, shorter + more, shorter, shortest},
                                      FontRole::body, width - 20);
    const Rect sample{x, middle - 6, 14, 12};
    canvas.fill(sample, canvas.theme.series[kSeriesMeasured], 2);
    canvas.label_middle({x + 20, middle}, canvas.count_text(canvas.elide(text, FontRole::body, width - 20)),
                        FontRole::body, canvas.theme.text);
    for (int i = 0; i < strip.rows; ++i) {
        const Rect row{x, y + kStripText + float(i) * kStripRow + 1, width, kStripRow - 3};
        const std::uint64_t beyond =
            (strip.pieces[i].first_line - strip.pieces.front().first_line) * kConstantLineBytes / 1024;
        draw_piece(d, strip.pieces[i], i == 0, row);
        canvas.label_middle({canvas.margin(), row.y + row.h / 2},
                            i == 0 ? std::string("lines") : fmt::format("+{} KiB", beyond), FontRole::body,
                            canvas.theme.text_weak);
    }
}

/// Words in a row, the middle folded where they are too many.
struct WordSlots {
    float x = 0, pitch = 0, fold_w = 0;
    int words = 0, head = 0, hidden = 0;
    float center(int word) const {
        if (word < head) return x + (float(word) + 0.5f) * pitch;
        if (word < head + hidden) return x + float(head) * pitch + fold_w / 2;
        return x + (float(word - hidden) + 0.5f) * pitch + fold_w;
    }
    bool shown(int word) const { return word < head || word >= head + hidden; }
};

std::string fold_text(int hidden) { return fmt::format("… {} more", hidden); }

WordSlots lay_out_words(const Canvas& canvas, int words, float x, float width) {
    WordSlots slots{.x = x, .words = words, .head = words};
    const float least = canvas.style.compact ? 6.0f : 10.0f;
    if (float(words) * least > width) {
        slots.fold_w = canvas.width(fold_text(words), FontRole::body) + 16;
        const int fit = std::max(2, int((width - slots.fold_w) / std::max(least, 16.0f)));
        slots.head = (fit + 1) / 2;
        slots.hidden = words - fit;
    }
    slots.pitch = std::max(0.0f, width - slots.fold_w) / float(std::max(1, words - slots.hidden));
    return slots;
}

struct ConstantCanvas : WarpCanvas {
    const ConstantReport& report;
    const LaneRow& lanes;
    const WordSlots& slots;
    float words_y = 0, words_h = 0;

    const ConstantWord& word(int i) const { return report.words[i]; }
    Rect cell(int i) const {
        const float w = std::min(84.0f, slots.pitch - std::min(4.0f, 0.16f * slots.pitch));
        return {slots.center(i) - w / 2, words_y, w, words_h};
    }
    Color fill(int i) const {
        if (canvas.style.counts_hidden) return canvas.theme.cell_empty;
        return ramp_color(wavefront_ramp(canvas.theme), ramp_position(float(i), 0, float(slots.words - 1)));
    }
};

void draw_wires(const ConstantCanvas& d) {
    for (const bool hovered : {false, true}) {  // the lane under the mouse lies above the others
        for (int i = 0; i < d.slots.words; ++i) {
            for (std::uint32_t rest = d.word(i).lanes; rest != 0; rest &= rest - 1) {
                const int lane = std::countr_zero(rest);
                if ((lane == d.hovered()) != hovered) continue;
                draw_lane_wire(d, lane, lane_color(d.canvas.theme, lane),
                               {d.lanes.center(lane), d.lanes.bottom()}, {d.slots.center(i), d.words_y});
            }
        }
    }
}

/// The pass number, and below it for how many lanes the pass is.
void label_word(const ConstantCanvas& d, int i, Color fill, bool dim) {
    Canvas& canvas = d.canvas;
    const Rect cell = d.cell(i);
    const Color ink = d.ink(fill, dim);
    const int lanes = std::popcount(d.word(i).lanes);
    const std::string number = std::to_string(i + 1);
    const std::string served = fmt::format("{} lanes", lanes);
    const bool two_lines = lanes > 1 && cell.h >= 44 && cell.w >= canvas.width(served, FontRole::body) + 9;
    if (canvas.style.counts_hidden) return;
    if (!two_lines) {
        const std::string widest = std::to_string(std::max(10, d.slots.words));
        if (canvas.width(widest, FontRole::strong) + 1 <= cell.w)  // all have their number, or none
            canvas.label_inside(cell, number, FontRole::strong, ink);
        return;
    }
    canvas.label_inside({cell.x, cell.y + 5, cell.w, 18}, number, FontRole::strong, ink);
    canvas.label_inside({cell.x, cell.y + cell.h - 24, cell.w, 18}, served, FontRole::body, ink);
}

void draw_words(const ConstantCanvas& d) {
    Canvas& canvas = d.canvas;
    canvas.label_middle({canvas.margin(), d.words_y + d.words_h / 2},
                        canvas.style.counts_hidden ? "word" : "request", FontRole::body,
                        canvas.theme.text_weak);
    for (int i = 0; i < d.slots.words; ++i) {
        if (!d.slots.shown(i)) continue;
        const Rect cell = d.cell(i);
        const std::uint32_t lanes = d.word(i).lanes;
        const bool dim = d.dimmed(lanes);
        const Color fill = d.draw_cell(cell, d.fill(i), dim, cell.w < 12 ? 1.0f : 3.0f);
        if (std::popcount(lanes) > 1) {
            // A number that would touch the inner outline has one outline round it.
            constexpr float kOutlines = 11;
            const bool both =
                canvas.style.counts_hidden || cell.w < 12 ||
                (cell.h >= 0.75f * font_points(FontRole::strong) + kOutlines &&
                 cell.w >= canvas.width(std::to_string(d.slots.words), FontRole::strong) + kOutlines);
            if (both)
                draw_double_outline(canvas, cell, fill, cell.w < 12 ? 1.0f : 3.0f);
            else
                canvas.frame(inset(cell, 0.75f), canvas.theme.text, 1.5f, 3);
        }
        label_word(d, i, fill, dim);
        if (d.hovered() >= 0 && !dim) canvas.highlight(cell, 3);
        canvas.hit(
            cell, std::popcount(lanes) == 1 ? std::countr_zero(lanes) : -1,
            fmt::format("word 0x{:x}{}\n{}\nline 0x{:x}", d.word(i).byte_address,
                        canvas.count_text(fmt::format(", request {} of {}", i + 1, d.slots.words)),
                        name_lanes(lanes), d.word(i).byte_address / kConstantLineBytes * kConstantLineBytes));
    }
    if (d.slots.hidden > 0) {
        const Rect fold{d.slots.center(d.slots.head) - d.slots.fold_w / 2 + 2, d.words_y, d.slots.fold_w - 4,
                        d.words_h};
        canvas.fill(fold, canvas.theme.panel, 3);
        canvas.label_inside(fold, canvas.count_text(fold_text(d.slots.hidden)), FontRole::body,
                            canvas.theme.text_weak);
    }
}

/// Addresses under the words: all of them, in two rows where one is too narrow, else every so many.
void draw_addresses(const ConstantCanvas& d, float y, int rows) {
    Canvas& canvas = d.canvas;
    if (rows == 0 || d.slots.words == 0 || d.slots.pitch < 1) return;
    std::uint64_t last = 0;
    for (int i = 0; i < d.slots.words; ++i) last = std::max(last, d.word(i).byte_address);
    const int digits = std::max(3, (int(std::bit_width(last)) + 3) / 4);
    const float wide = canvas.width(std::string(static_cast<std::size_t>(digits + 2), '0'), FontRole::mono);
    const float step = std::ceil((wide + 8) / d.slots.pitch);
    const int used_rows = step > float(rows) ? 1 : int(step);
    const int every = step > float(rows) ? int(step) : 1;
    std::array<float, 2> ends{-1e9f, -1e9f};
    for (int i = 0; i < d.slots.words; ++i) {
        if (!d.slots.shown(i) || i % every != 0) continue;
        const int row = i / every % used_rows;
        const float x = std::min(d.slots.center(i), canvas.style.size.x - wide / 2 - 2);
        float& end = ends[row];
        if (x - wide / 2 < end + 4) continue;
        end = x + wide / 2;
        const float baseline = y + ascent(FontRole::mono) + float(row) * kConstantRow;
        canvas.label({x, baseline}, fmt::format("0x{:0{}x}", d.word(i).byte_address, digits), FontRole::mono,
                     d.dimmed(d.word(i).lanes) ? canvas.theme.text_weak : canvas.theme.text, Anchor::middle);
    }
}

/// "They lie in 2 lines of 64 bytes", and where that matters how far they spread.
std::string lines_phrase(const InstructionView& view) {
    const ConstantCount& count = view.constant->count;
    const AccessFacts facts = describe_access(view.report->access);
    std::string text =
        fmt::format("The words lie in {} of {} bytes", counted(count.lines, "line"), kConstantLineBytes);
    const std::uint64_t first = facts.lowest / kConstantLineBytes,
                        last = (facts.end - 1) / kConstantLineBytes;
    const auto span = static_cast<std::int64_t>(last - first + 1) * kConstantLineBytes;
    if (span <= kConstantL1Bytes) return text + '.';
    return text + fmt::format(", spread over {} bytes; the constant L1 has {}.", format_count(span),
                              format_count(kConstantL1Bytes));
}

/// As if each lane's word were another one: a learner finds out which are the same.
ConstantReport word_of_each_lane(const WarpAccess& access) {
    ConstantReport report;
    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        report.words[report.count.requests++] = {access.byte_address[lane], 1u << lane};
    }
    return report;
}

/// How many lanes the busiest pass serves.
int most_lanes(const ConstantReport& report) {
    int most = 0;
    for (int i = 0; i < report.count.requests; ++i) {
        most = std::max(most, std::popcount(report.words[i].lanes));
    }
    return most;
}

}  // namespace

Picture draw_constant(const InstructionView& view, const Style& style) {
    const WarpAccess& access = view.report->access;
    const ConstantReport report = style.counts_hidden ? word_of_each_lane(access) : *view.constant;
    Canvas canvas(style, title_of(view, style, picture_title(Space::constant)),
                  subtitle_of(view, style, "constant"));
    const Explanation explanation = explain(view);
    const PictureFrame frame = open_frame(canvas, explanation, 62);
    const float left =
        canvas.margin() + canvas.width("request", FontRole::body) + (style.compact ? 6.0f : 12.0f);
    const float width = style.size.x - canvas.margin() - left;
    const float room = frame.bottom - frame.top;

    LaneRow lanes = lay_out_lanes(canvas, left, width, frame.top, room);
    const WordSlots slots = lay_out_words(canvas, report.count.requests, left, lanes.width());
    const int address_rows = is_tiny(style) || room < 130 ? 0 : room < 200 ? 1 : 2;
    const float addresses_h = float(address_rows) * kConstantRow;
    const LineStrip strip = lay_out_strip(canvas, access, report, room);
    ConstantCanvas d{{canvas, access}, report, lanes, slots};
    const float rest = frame.bottom - lanes.bottom() - addresses_h - strip.height;
    d.words_h = std::clamp(rest * 0.4f, 8.0f, is_tiny(style) ? 20.0f : std::max(48.0f, rest * 0.14f));
    // The wires get the room that nothing else needs.
    const float wires = std::max(4.0f, std::min(rest - d.words_h - 6, std::max(160.0f, rest * 0.8f)));
    d.words_y = lanes.bottom() + wires;

    draw_wires(d);
    draw_words(d);
    const float below = d.words_y + d.words_h + 4;
    draw_addresses(d, below, address_rows);
    draw_strip(d, strip, left, below + addresses_h, lanes.width());
    draw_lanes(d, lanes, "lanes", [&](int lane) {
        std::string text = fmt::format("byte 0x{:x}", access.byte_address[lane]);
        for (int i = 0; i < report.count.requests; ++i) {
            if ((d.word(i).lanes >> lane & 1u) != 0)
                text += fmt::format("\nword 0x{:x}{}", d.word(i).byte_address,
                                    canvas.count_text(fmt::format(" in request {}", i + 1)));
        }
        return text;
    });
    close_frame(canvas, frame, explanation.good,
                fmt::format("{} {}", report.count.requests,
                            report.count.requests == 1 ? "request" : "serialized requests"),
                fmt::format("{} of 64 bytes", counted(report.count.lines, "line")));
    return canvas.take();
}

Explanation explain_constant(const InstructionView& view) {
    const ConstantCount& count = view.constant->count;
    const AccessFacts facts = describe_access(view.report->access);
    const std::string requests =
        fmt::format("{} {}", count.requests, count.requests == 1 ? "request" : "serialized requests");
    const std::string lanes = lanes_phrase(facts.active);
    const bool alone = facts.active == 1;
    Explanation e{.good = count.requests == 1 || facts.distinct == 1};
    if (e.good) {
        const std::string what = count.requests == 1
                                     ? std::string("word")
                                     : fmt::format("{} bytes, {}", view.report->access.bytes_per_lane,
                                                   counted(count.requests, "word"));
        e.say(fmt::format("{} {} {} {}", lanes, alone ? "requests" : "request",
                          alone ? (count.requests == 1 ? "one" : "only") : "the same", what),
              ": " + requests + ".");
        e.why = alone ? "A single lane never waits for another one's word."
                      : "Constant memory delivers one word to any number of lanes at once: a broadcast.";
        return e;
    }
    e.say(fmt::format("{} different words take {}", count.requests, requests),
          "; one word for all lanes would take 1.");
    const int most = most_lanes(*view.constant);
    e.why = fmt::format(
        "The requests are serialized; each delivers one word, {}. {}",
        most == 1 ? "here to a single lane" : fmt::format("here to at most {}", counted(most, "lane")),
        lines_phrase(view));
    return e;
}

}  // namespace warplens
