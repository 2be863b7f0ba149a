#include "app/boards/traffic/traffic_picture.h"

#include "app/boards/traffic/traffic_canvas.h"

#include "app/pictures/kit/axes.h"
#include "app/pictures/kit/fit_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

/// A memory that nothing passes limits nothing: a shuffle's values stay in registers.
bool sets_pace(const TrafficCanvas& d, Memory memory) {
    return d.flows().limiting == memory && d.flows().through(memory) > 0;
}

Color pace_color(const TrafficCanvas& d) { return color_of(d.theme(), d.view.tone); }

/// Data in a memory, and what is said of them where that is too long.
struct Holding {
    std::string text, size = {};
};

/// "A 4 MiB", "B 4 MiB"
std::vector<Holding> holdings(const TrafficCanvas& d, Memory memory) {
    std::vector<Holding> all;
    for (const Allocation& allocation : d.flows().allocations) {
        const std::string size = format_size(allocation.bytes);
        if (allocation.home == memory) all.push_back({fmt::format("{} {}", allocation.name, size), size});
    }
    if (memory == Memory::l2 && d.flows().touched > 0)
        all.push_back(
            {fmt::format("{}{} of the {} footprint", d.view.cold ? "empty at first; room for " : "keeps ",
                         format_percent(d.flows().in_l2, 1), format_size(d.flows().touched))});
    if (memory == Memory::registers && d.flows().kept > 0)
        all.push_back({fmt::format("{} stay here", format_bytes(d.flows().kept))});
    return all;
}

constexpr float kLeastForStrip = 32;  // lower boxes have room for their name alone

/// A strip at the lower edge of a box: how much of the time it works.
void draw_busy(TrafficCanvas& d, Memory memory, const Rect& box) {
    const double share = d.flows().utilization(memory);
    if (share <= 0 || box.h < kLeastForStrip) return;
    const float height = box.h > 60 ? 7.0f : 5.0f;
    const Rect strip{box.x + 6, box.y + box.h - height - 4, box.w - 12, height};
    d.canvas.fill(strip, mix(d.theme().cell_empty, d.theme().outline, 0.35f), 2);
    d.canvas.fill({strip.x, strip.y, std::max(2.0f, strip.w * float(share)), height},
                  sets_pace(d, memory) ? pace_color(d) : d.theme().text_weak, 2);
}

std::string busy_words(const TrafficCanvas& d, Memory memory) {
    const double share = d.flows().utilization(memory);
    return share > 0 ? fmt::format("{} utilized {}", format_percent(share, 1),
                                   provenance_mark(Provenance::approximate))
                     : std::string();
}

/// The words on what bank conflicts do to shared memory. Empty where there are none.
std::string conflict_words(const TrafficCanvas& d, Memory memory) {
    const TrafficView& view = d.view;
    if (memory != Memory::shared || view.wavefronts <= view.ideal_wavefronts) return {};
    return fmt::format("{:.3g}x the wavefronts", double(view.wavefronts) / double(view.ideal_wavefronts));
}

/// Lines from the top of a box, as many as have room.
class BoxText {
public:
    BoxText(TrafficCanvas& d, const Rect& box, float foot)
        : d_(d),
          left_(box.x + beside(box)),
          right_(box.x + box.w - beside(box)),
          y_(box.y + 4),
          bottom_(box.y + box.h - foot) {}
    float width() const { return right_ - left_; }
    bool room(float height = kTrafficLine) const { return y_ + height <= bottom_ + 3; }
    /// @param weak  behind it, on the same line
    void line(const std::string& text, FontRole font, Color color, const std::string& weak = {}) {
        if (text.empty() || !room()) return;
        const float baseline = y_ + ascent(font) + 2;
        d_.canvas.label({left_, baseline}, text, font, color);
        const float used = d_.canvas.width(text, font);
        end_of_line_ = left_ + used;
        if (!weak.empty() && used + 8 + d_.canvas.width(weak, FontRole::body) <= width()) {
            d_.canvas.label({left_ + used + 8, baseline}, weak, FontRole::body, d_.theme().text_weak);
            end_of_line_ = left_ + used + 8 + d_.canvas.width(weak, FontRole::body);
        }
        last_ = baseline;
        right_of_line_ = right_;
        y_ += kTrafficLine;
    }
    /// Texts in frames of their own, side by side, as many as fit: none is cut.
    void chips(const std::vector<Holding>& all) {
        float x = left_;
        y_ += 5;
        for (const Holding& one : all) {
            const std::string shown = fit_text(d_.canvas, {one.text, one.size, ""}, FontRole::body,
                                               std::max(0.0f, right_ - x - 12));
            const float wide = d_.canvas.width(shown, FontRole::body) + 12;
            if (shown.empty() || x + wide > right_ + 1) return;
            d_.canvas.box({.rect = {x, y_, wide, 20},
                           .fill = mix(d_.theme().panel, d_.theme().accent, 0.16f),
                           .rounding = 4});
            d_.canvas.label_middle({x + 6, y_ + 10}, shown, FontRole::body, d_.theme().text);
            x += wide + 6;
        }
    }
    /// At the right edge of the last line, if there is room.
    void at_right(const std::string& text, FontRole font, Color color) {
        const float from = right_of_line_ - d_.canvas.width(text, font);
        if (text.empty() || from < end_of_line_ + 14) return;
        d_.canvas.label({right_of_line_, last_}, text, font, color, Anchor::end);
        right_of_line_ = from - 14;
    }

private:
    static float beside(const Rect& box) { return box.w < 90 ? 4.0f : 8.0f; }
    TrafficCanvas& d_;
    float left_, right_, y_, bottom_, end_of_line_ = 0, right_of_line_ = 0, last_ = 0;
};

/// Chips below the lines, or at the right of the last one where there is no room below.
void write_holdings(TrafficCanvas& d, Memory memory, BoxText& text, bool wide) {
    const std::vector<Holding> all = holdings(d, memory);
    if (all.empty()) return;
    if (text.room(26)) {
        text.chips(all);
        return;
    }
    std::string line;
    for (const Holding& one : all) line += (line.empty() ? "" : ", ") + one.text;
    if (wide)
        text.at_right(d.canvas.elide(line, FontRole::body, text.width() * 0.58f), FontRole::body,
                      d.theme().text_weak);
}

void write_box(TrafficCanvas& d, Memory memory, const Rect& box) {
    const MemoryInfo info = memory_info(memory, d.device());
    const bool busy = d.flows().utilization(memory) > 0, wide = box.w > 330;
    const bool low = box.h < kLeastForStrip;
    BoxText text(d, low ? Rect{box.x, box.y + (box.h - kTrafficLine) / 2 - 4, box.w, kTrafficLine + 4} : box,
                 low    ? 0.0f
                 : busy ? 13.0f
                        : 4.0f);
    const std::string full(memory_name(memory, d.device()));
    const bool host = memory == Memory::host;
    const std::string size = host ? "" : capacity_text(info);
    const std::string name =
        fit_text(d.canvas, {full, short_name(memory), ""}, FontRole::strong, text.width());
    const auto has_room = [&](const std::string& words) {
        return d.canvas.width(name + "  ", FontRole::strong) + d.canvas.width(words, FontRole::body) <=
               text.width();
    };
    const std::string conflicts = conflict_words(d, memory);
    // In one line the pace says more than the size.
    const bool one_line = !text.room(2 * kTrafficLine) && !wide && sets_pace(d, memory);
    const std::string brief = !conflicts.empty() && has_room(conflicts)
                                  ? conflicts
                                  : format_percent(d.flows().utilization(memory), 1);
    const bool beside = !one_line && has_room(size);
    text.line(name, FontRole::strong, d.theme().text, beside ? size : one_line ? brief : "");
    const std::string pace = sets_pace(d, memory) && d.flows().time_us > 0
                                 ? fmt::format("limits: {}", busy_words(d, memory))
                             : sets_pace(d, memory) ? std::string("limits")
                                                    : busy_words(d, memory);
    const Color color = sets_pace(d, memory) ? pace_color(d) : d.theme().text_weak;
    const FontRole pace_font = sets_pace(d, memory) ? FontRole::strong : FontRole::body;
    if (wide) text.at_right(pace, pace_font, color);
    const Color weak = d.theme().text_weak;
    const std::string narrow_pace =
        wide ? std::string() : fit_text(d.canvas, {pace, busy_words(d, memory), ""}, pace_font, text.width());
    if (sets_pace(d, memory)) text.line(narrow_pace, pace_font, color);
    if (sets_pace(d, memory))
        text.line(fit_text(d.canvas, {conflicts, ""}, pace_font, text.width()), pace_font, color);
    if (!beside && !one_line)
        text.line(fit_text(d.canvas, {size, ""}, FontRole::body, text.width()), FontRole::body, weak);
    if (!sets_pace(d, memory)) text.line(narrow_pace, pace_font, color);
    const std::string cycles =
        info.cycles > 0 || (memory != Memory::registers && !host) ? cycles_text(info.cycles) : "";
    const std::string speed = speed_text(info.gb_per_s);
    const std::string both = cycles.empty() ? speed : cycles + "  ·  " + speed;
    if (d.canvas.width(both, FontRole::body) <= text.width()) {
        text.line(both, FontRole::body, d.theme().text);
    } else {
        text.line(fit_text(d.canvas, {cycles, ""}, FontRole::body, text.width()), FontRole::body,
                  d.theme().text);
        text.line(fit_text(d.canvas, {speed, ""}, FontRole::body, text.width()), FontRole::body,
                  d.theme().text);
    }
    write_holdings(d, memory, text, wide);
}

void draw_box(TrafficCanvas& d, Memory memory) {
    const Rect& box = d.layout.box(memory);
    const bool pace = sets_pace(d, memory), used = d.flows().through(memory) > 0;
    const Color fill = pace ? mix(d.theme().cell_empty, pace_color(d), 0.14f) : d.theme().cell_empty;
    d.canvas.box({.rect = box,
                  .fill = fill,
                  .stroke = pace   ? pace_color(d)
                            : used ? d.theme().outline
                                   : d.theme().panel_border,
                  .stroke_width = pace ? 2.5f : 1.0f,
                  .rounding = 5});
    draw_busy(d, memory, box);
    write_box(d, memory, box);
    d.canvas.hit(box, -1, memory_tooltip(memory, d.view));
}

void draw_outlines(TrafficCanvas& d) {
    const Theme& theme = d.theme();
    const TrafficLayout& layout = d.layout;
    d.canvas.box({.rect = layout.sm,
                  .fill = mix(theme.panel, theme.cell_empty, 0.35f),
                  .stroke = theme.outline,
                  .stroke_width = 1,
                  .rounding = 9});
    const int sms = d.device().sm_count;
    if (layout.sm_named) {
        // The boxes are those of one SM, but only the bandwidths of all together compare with DRAM's.
        const std::string each = sms > 0 ? fmt::format("each of {} SMs", sms) : std::string("SM");
        const std::string name =
            fit_text(d.canvas, {each + "; bandwidths: all SMs together", each + "; GB/s: all together", each},
                     FontRole::body, layout.sm.w - 20);
        d.canvas.label({layout.sm.x + 10, layout.sm.y + 4 + ascent(FontRole::body)}, name, FontRole::body,
                       theme.text_weak);
    }
    if (layout.unified.w > 0) {
        d.canvas.box(
            {.rect = layout.unified, .stroke = theme.text_weak, .stroke_width = 1.2f, .rounding = 7});
    }
}

/// Old GPUs have neither L1 nor L2 between the registers and DRAM.
void draw_no_caches(TrafficCanvas& d) {
    if (has_l2(d.device())) return;
    const std::string text = "no L1, no L2 for data";
    const float y = (d.layout.sm.y + d.layout.sm.h + d.layout.box(Memory::dram).y) / 2;
    const float wide = d.canvas.width(text, FontRole::body) + 8;
    const Rect rect{d.canvas.style.size.x - d.canvas.margin() - wide - 4, y - 9, wide, 18};
    d.taken.take(rect);
    d.canvas.fill(rect, d.theme().panel);
    d.canvas.label_middle({rect.x + 4, y}, text, FontRole::body, d.theme().text_weak);
    d.canvas.hit(
        rect, -1,
        fmt::format("Compute capability {}: what a request asks global memory for goes to DRAM each time. "
                    "Only textures and constants have caches.",
                    d.device().cc.text()));
}

/// "one array, 256 KiB", over the left half.
void label_unified(TrafficCanvas& d) {
    const Rect& unified = d.layout.unified;
    if (unified.w <= 0) return;
    const std::string text =
        fmt::format("one array, {}", format_size(double(d.device().memory.unified_bytes)));
    const Rect rect{unified.x + 2, unified.y - 18, d.canvas.width(text, FontRole::body) + 6, 16};
    if (!d.taken.is_free(rect) ||
        rect.y < d.layout.box(Memory::registers).y + d.layout.box(Memory::registers).h)
        return;
    d.taken.take(rect);
    d.canvas.fill(rect, mix(d.theme().panel, d.theme().cell_empty, 0.35f));
    d.canvas.label({rect.x + 3, rect.y + ascent(FontRole::body)}, text, FontRole::body, d.theme().text_weak);
}

Legend make_legend(const Theme& theme) {
    const Color loads = theme.series[1], stores = theme.series[0];
    Legend legend;
    legend.add_box("loads", {.fill = loads, .rounding = 2});
    legend.add_box("stores", {.fill = stores, .rounding = 2});
    legend.add_box(
        "moved, not requested",
        {.fill = mix(theme.panel, loads, 0.45f), .rounding = 2, .hatch = mix(theme.panel, loads, 0.75f)});
    return legend;
}

}  // namespace

Picture draw_traffic(const TrafficView& view, const Style& style) {
    Canvas canvas(style, view.device->name, "one launch: the bytes between its memories");
    const float top = canvas.draw_title();
    const float width = canvas.inner_width();
    const float room = style.size.y - top;
    const Sentences sentences =
        fit_sentences(explain_traffic(view), style, width, room > 430 ? 66.0f : 24.0f);
    const Legend legend = make_legend(canvas.theme);
    const float words = room > 330 ? sentences.height() : 0,
                legend_height = room > 340 ? legend.height(canvas, width, 9) + 6 : 0;
    const Rect area{canvas.margin(), top, width, style.size.y - top - 6 - words - legend_height};
    const bool cluster = view.flows->through(Memory::other_shared) > 0;
    const TrafficLayout layout = lay_out_traffic(view, area, cluster);
    TrafficCanvas d{.canvas = canvas, .view = view, .layout = layout, .taken = {}};
    // In narrow pictures arrows leave room for their numbers.
    d.widest = area.w < kNarrowTraffic ? 14.0f : std::clamp(area.h * 0.06f, 14.0f, 30.0f);
    const std::vector<TrafficEdge> edges = traffic_edges(layout, view);
    for (const TrafficEdge& edge : edges)
        d.most = std::max(
            {d.most, view.flows->bytes(edge.near, edge.far), view.flows->bytes(edge.far, edge.near)});
    draw_outlines(d);
    for (const TrafficEdge& edge : edges) draw_edge(d, edge);
    for (const Memory memory : kMemories) {
        if (layout.has(memory)) draw_box(d, memory);
    }
    draw_no_caches(d);
    for (const TrafficEdge& edge : edges) label_edge(d, edge);
    label_unified(d);
    if (legend_height > 0)
        legend.draw(canvas, canvas.margin(), layout.bottom + 3, width, 9, canvas.theme.text);
    if (words > 0) draw_sentences(canvas, sentences, canvas.margin(), style.size.y - words - 4);
    return canvas.take();
}

}  // namespace warplens
