#include "app/pictures/access/constant_drawing.h"
#include "app/pictures/access/explain.h"
#include "app/pictures/kit/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace warplens {
namespace {

/// Words in a row, the middle folded where they are too many.
struct WordSlots {
    float x = 0, pitch = 0, fold_w = 0;
    int words = 0, head = 0, hidden = 0;
    float center(int word) const {
        if (word < head) return x + (static_cast<float>(word) + 0.5f) * pitch;
        if (word < head + hidden) return x + static_cast<float>(head) * pitch + fold_w / 2;
        return x + (static_cast<float>(word - hidden) + 0.5f) * pitch + fold_w;
    }
    bool shown(int word) const { return word < head || word >= head + hidden; }
};

std::string fold_text(int hidden) { return fmt::format("… {} more", hidden); }

WordSlots lay_out_words(const Canvas& canvas, int words, float x, float width) {
    WordSlots slots{.x = x, .words = words, .head = words};
    const float least = canvas.style.compact ? 6.0f : 10.0f;
    if (static_cast<float>(words) * least > width) {
        slots.fold_w = canvas.width(fold_text(words), FontRole::body) + 16;
        const int fit = std::max(2, static_cast<int>((width - slots.fold_w) / std::max(least, 16.0f)));
        slots.head = (fit + 1) / 2;
        slots.hidden = words - fit;
    }
    slots.pitch = (width - slots.fold_w) / static_cast<float>(std::max(1, words - slots.hidden));
    return slots;
}

struct ConstantCanvas {
    const WarpCanvas& warp;
    const ConstantReport& report;
    const LaneRow& lanes;
    const WordSlots& slots;
    float words_y = 0, words_h = 0;

    const ConstantWord& word(int i) const { return report.words[static_cast<std::size_t>(i)]; }
    Rect cell(int i) const {
        const float w = std::min(84.0f, slots.pitch - std::min(4.0f, 0.16f * slots.pitch));
        return {slots.center(i) - w / 2, words_y, w, words_h};
    }
    Color fill(int i) const {
        return ramp_color(wavefront_ramp(warp.canvas.theme),
                          ramp_position(static_cast<float>(i), 0, static_cast<float>(slots.words - 1)));
    }
};

void draw_wires(const ConstantCanvas& d) {
    for (const bool hovered : {false, true}) {  // the lane under the mouse lies above the others
        for (int i = 0; i < d.slots.words; ++i) {
            for (std::uint32_t rest = d.word(i).lanes; rest != 0; rest &= rest - 1) {
                const int lane = std::countr_zero(rest);
                if ((lane == d.warp.hovered()) != hovered) continue;
                draw_lane_wire(d.warp, lane, {d.lanes.center(lane), d.lanes.bottom()},
                               {d.slots.center(i), d.words_y});
            }
        }
    }
}

/// The pass number, and below it for how many lanes the pass is.
void label_word(const ConstantCanvas& d, int i, Color fill, bool dim) {
    Canvas& canvas = d.warp.canvas;
    const Rect cell = d.cell(i);
    const Color ink = d.warp.ink(fill, dim);
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
    Canvas& canvas = d.warp.canvas;
    const Theme& theme = canvas.theme;
    canvas.label({canvas.margin(), middle_baseline(d.words_y + d.words_h / 2, FontRole::body)}, "request",
                 FontRole::body, theme.text_weak);
    for (int i = 0; i < d.slots.words; ++i) {
        if (!d.slots.shown(i)) continue;
        const Rect cell = d.cell(i);
        const std::uint32_t lanes = d.word(i).lanes;
        const bool dim = d.warp.dimmed(lanes);
        const Color fill = d.warp.faded(d.fill(i), dim);
        canvas.box({.rect = cell,
                    .fill = fill,
                    .stroke = d.warp.faded(distinct_from(fill, theme.panel, 3), dim),
                    .rounding = cell.w < 12 ? 1.0f : 3.0f});
        if (std::popcount(lanes) > 1) draw_double_outline(canvas, cell, fill, cell.w < 12 ? 1.0f : 3.0f);
        label_word(d, i, fill, dim);
        if (d.warp.hovered() >= 0 && !dim) draw_highlight(canvas, cell, 3);
        canvas.hit(cell, std::popcount(lanes) == 1 ? std::countr_zero(lanes) : -1,
                   fmt::format("word 0x{:x}, request {} of {}\n{}\nline 0x{:x}", d.word(i).byte_address,
                               i + 1, d.slots.words, name_lanes(lanes),
                               d.word(i).byte_address / kConstantLineBytes * kConstantLineBytes));
    }
    if (d.slots.hidden > 0) {
        const Rect fold{d.slots.center(d.slots.head) - d.slots.fold_w / 2 + 2, d.words_y, d.slots.fold_w - 4,
                        d.words_h};
        canvas.fill(fold, theme.panel, 3);
        canvas.label_inside(fold, fold_text(d.slots.hidden), FontRole::body, theme.text_weak);
    }
}

/// Addresses under the words: all of them, in two rows where one is too narrow, else every so many.
void draw_addresses(const ConstantCanvas& d, float y, int rows) {
    Canvas& canvas = d.warp.canvas;
    if (rows == 0 || d.slots.words == 0) return;
    std::uint64_t last = 0;
    for (int i = 0; i < d.slots.words; ++i) last = std::max(last, d.word(i).byte_address);
    const int digits = std::max(3, (static_cast<int>(std::bit_width(last)) + 3) / 4);
    const float wide = canvas.width(std::string(static_cast<std::size_t>(digits + 2), '0'), FontRole::mono);
    const float step = std::ceil((wide + 8) / d.slots.pitch);
    const int used_rows = step > static_cast<float>(rows) ? 1 : static_cast<int>(step);
    const int every = step > static_cast<float>(rows) ? static_cast<int>(step) : 1;
    float ends[2] = {-1e9f, -1e9f};
    for (int i = 0; i < d.slots.words; ++i) {
        if (!d.slots.shown(i) || i % every != 0) continue;
        const int row = i / every % used_rows;
        const float x = std::min(d.slots.center(i), canvas.style.size.x - wide / 2 - 2);
        if (x - wide / 2 < ends[row] + 4) continue;
        ends[row] = x + wide / 2;
        const float baseline = y + ascent(FontRole::mono) + static_cast<float>(row) * kAddressRow;
        canvas.label({x, baseline}, fmt::format("0x{:0{}x}", d.word(i).byte_address, digits), FontRole::mono,
                     d.warp.dimmed(d.word(i).lanes) ? canvas.theme.text_weak : canvas.theme.text,
                     Anchor::middle);
    }
}

}  // namespace

Picture draw_constant(const InstructionView& view, const Style& style) {
    const WarpAccess& access = view.report->access;
    const ConstantReport& report = *view.constant;
    Canvas canvas(style, title_of(view, style, picture_title(Space::constant)),
                  subtitle_of(view, style, "constant"));
    const Explanation explanation = explain(view);
    const PictureFrame frame = open_frame(canvas, explanation, 62);
    const WarpCanvas warp{canvas, access};
    const float left =
        canvas.margin() + canvas.width("lanes", FontRole::body) + (style.compact ? 6.0f : 12.0f);
    const float width = style.size.x - canvas.margin() - left;
    const float room = frame.bottom - frame.top;

    LaneRow lanes = lay_out_lanes(canvas, left, width, frame.top, room);
    const WordSlots slots = lay_out_words(canvas, report.count.requests, left, lanes.width());
    const int address_rows = is_tiny(style) || room < 130 ? 0 : room < 200 ? 1 : 2;
    const float addresses_h = static_cast<float>(address_rows) * kAddressRow;
    const LineStrip strip = lay_out_strip(canvas, access, report, room);
    ConstantCanvas d{warp, report, lanes, slots};
    const float rest = frame.bottom - lanes.bottom() - addresses_h - strip.height;
    d.words_h = std::clamp(rest * 0.4f, 8.0f, is_tiny(style) ? 20.0f : 48.0f);
    const float wires = std::max(4.0f, std::min(rest - d.words_h - 6, 160.0f));
    d.words_y = lanes.bottom() + wires;

    draw_wires(d);
    draw_words(d);
    const float below = d.words_y + d.words_h + 4;
    draw_addresses(d, below, address_rows);
    draw_strip(warp, strip, left, below + addresses_h, lanes.width());
    draw_lanes(warp, lanes, "lanes", [&](int lane) {
        std::string text = fmt::format("byte 0x{:x}", access.byte_address[lane]);
        for (int i = 0; i < report.count.requests; ++i) {
            if ((d.word(i).lanes >> lane & 1u) != 0)
                text += fmt::format("\nword 0x{:x} in request {}", d.word(i).byte_address, i + 1);
        }
        return text;
    });
    close_frame(canvas, frame, explanation.good,
                fmt::format("{} {}", report.count.requests,
                            report.count.requests == 1 ? "request" : "serialized requests"),
                fmt::format("{} of 64 bytes", counted(report.count.lines, "line")));
    return canvas.take();
}

}  // namespace warplens
