#include "app/pictures/traffic_picture.h"

#include "app/pictures/axes.h"
#include "app/pictures/cells.h"
#include "app/pictures/traffic_layout.h"
#include "app/pictures/warp_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

struct TrafficDrawing {
    Sketch& sketch;
    const TrafficView& view;
    const TrafficLayout& layout;
    double most = 0;                    ///< bytes of the widest arrow
    float widest = 30;                  ///< its width [points]
    float gap_top = 0, gap_bottom = 0;  ///< room of the label that is being placed
    std::vector<Rect> taken;            ///< arrows and labels between the boxes

    const Theme& theme() const { return sketch.theme; }
    const FlowReport& flows() const { return *view.flows; }
    const DeviceFacts& device() const { return *view.device; }
    Color load_color() const { return sketch.theme.series[1]; }
    Color store_color() const { return sketch.theme.series[0]; }
};

constexpr float kThinnest = 2.5f, kLine = 18;

/// The first of some texts that fits; empty: none does.
std::string fitting(const Sketch& sketch, std::initializer_list<std::string> texts, FontRole font,
                    float width) {
    for (const std::string& text : texts) {
        if (sketch.width(text, font) <= width) return text;
    }
    return {};
}

bool sets_pace(const TrafficDrawing& d, Memory memory) { return d.flows().limiter == memory; }

/// What lives in a memory: "A 4 MB", "B 4 MB".
std::vector<std::string> holdings(const TrafficDrawing& d, Memory memory) {
    std::vector<std::string> texts;
    for (const Lodging& lodging : d.flows().lodgings) {
        if (lodging.home == memory)
            texts.push_back(fmt::format("{} {}", lodging.name, size_text(lodging.bytes)));
    }
    if (memory == Memory::l2 && d.flows().touched > 0)
        texts.push_back(fmt::format("{}{} of {} touched",
                                    d.view.cold ? "empty at first; room for " : "keeps ",
                                    format_percent(d.flows().in_l2, 1), size_text(d.flows().touched)));
    if (memory == Memory::registers && d.flows().kept > 0)
        texts.push_back(fmt::format("{} stay here", format_bytes(d.flows().kept)));
    return texts;
}

constexpr float kLeastForStrip = 32;  // lower boxes have room for their name alone

/// A strip at the lower edge of a box: how much of the time it works.
void draw_busy(TrafficDrawing& d, Memory memory, const Rect& box) {
    const double share = d.flows().busy_share(memory);
    if (share <= 0 || box.h < kLeastForStrip) return;
    const float height = box.h > 60 ? 7.0f : 5.0f;
    const Rect strip{box.x + 6, box.y + box.h - height - 4, box.w - 12, height};
    d.sketch.fill(strip, mix(d.theme().cell_empty, d.theme().outline, 0.35f), 2);
    d.sketch.fill({strip.x, strip.y, std::max(2.0f, strip.w * static_cast<float>(share)), height},
                  sets_pace(d, memory) ? d.theme().bad : d.theme().text_weak, 2);
}

std::string busy_words(const TrafficDrawing& d, Memory memory) {
    const double share = d.flows().busy_share(memory);
    return share > 0
               ? fmt::format("busy {:.0f} % {}", std::max(1.0, 100 * share), kind_mark(Kind::approximate))
               : std::string();
}

/// Lines from the top of a box, as many as have room.
class BoxText {
public:
    BoxText(TrafficDrawing& d, const Rect& box, float foot)
        : d_(d), left_(box.x + 8), right_(box.x + box.w - 8), y_(box.y + 4), bottom_(box.y + box.h - foot) {}
    float width() const { return right_ - left_; }
    bool room(float height = kLine) const { return y_ + height <= bottom_ + 3; }
    /// @param weak  behind it, on the same line
    void line(const std::string& text, FontRole font, Color color, const std::string& weak = {}) {
        if (text.empty() || !room()) return;
        const float baseline = y_ + ascent(font) + 2;
        d_.sketch.label({left_, baseline}, text, font, color);
        const float used = d_.sketch.width(text, font);
        end_of_line_ = left_ + used;
        if (!weak.empty() && used + 8 + d_.sketch.width(weak, FontRole::body) <= width()) {
            d_.sketch.label({left_ + used + 8, baseline}, weak, FontRole::body, d_.theme().text_weak);
            end_of_line_ = left_ + used + 8 + d_.sketch.width(weak, FontRole::body);
        }
        last_ = baseline;
        right_of_line_ = right_;
        y_ += kLine;
    }
    /// Texts in frames of their own, side by side, as many as fit.
    void chips(const std::vector<std::string>& texts) {
        float x = left_;
        y_ += 5;
        for (const std::string& text : texts) {
            const std::string shown = elide(text, FontRole::body, right_ - x - 12, *d_.sketch.style.measure);
            const float wide = d_.sketch.width(shown, FontRole::body) + 12;
            if (shown.empty() || x + wide > right_ + 1) return;
            d_.sketch.box({.rect = {x, y_, wide, 20},
                           .fill = mix(d_.theme().panel, d_.theme().accent, 0.16f),
                           .rounding = 4});
            d_.sketch.label({x + 6, middle_baseline(y_ + 10, FontRole::body)}, shown, FontRole::body,
                            d_.theme().text);
            x += wide + 6;
        }
    }
    /// At the right edge of the last line, if there is room.
    void at_right(const std::string& text, FontRole font, Color color) {
        const float from = right_of_line_ - d_.sketch.width(text, font);
        if (text.empty() || from < end_of_line_ + 14) return;
        d_.sketch.label({right_of_line_, last_}, text, font, color, Anchor::end);
        right_of_line_ = from - 14;
    }

private:
    TrafficDrawing& d_;
    float left_, right_, y_, bottom_, end_of_line_ = 0, right_of_line_ = 0, last_ = 0;
};

/// Chips below the lines, or at the right of the last one where there is no room below.
void write_holdings(TrafficDrawing& d, Memory memory, BoxText& text, bool wide) {
    const std::vector<std::string> all = holdings(d, memory);
    if (all.empty()) return;
    if (text.room(26)) {
        text.chips(all);
        return;
    }
    std::string line;
    for (const std::string& one : all) line += (line.empty() ? "" : ", ") + one;
    if (wide)
        text.at_right(elide(line, FontRole::body, text.width() * 0.58f, *d.sketch.style.measure),
                      FontRole::body, d.theme().text_weak);
}

void write_box(TrafficDrawing& d, Memory memory, const Rect& box) {
    const MemoryInfo info = memory_info(memory, d.device());
    const bool busy = d.flows().busy_share(memory) > 0, wide = box.w > 330;
    const bool low = box.h < kLeastForStrip;
    BoxText text(d, low ? Rect{box.x, box.y + (box.h - kLine) / 2 - 4, box.w, kLine + 4} : box,
                 low    ? 0.0f
                 : busy ? 13.0f
                        : 4.0f);
    const std::string full(memory_name(memory, d.device()));
    const std::string size = capacity_text(info);
    const std::string name = fitting(d.sketch, {full, short_name(memory)}, FontRole::strong, text.width());
    const bool beside =
        d.sketch.width(name + "  ", FontRole::strong) + d.sketch.width(size, FontRole::body) <= text.width();
    text.line(name, FontRole::strong, d.theme().text, beside ? size : "");
    const std::string pace = sets_pace(d, memory) && d.flows().time_us > 0
                                 ? fmt::format("sets the pace: {}", busy_words(d, memory))
                             : sets_pace(d, memory) ? std::string("sets the pace")
                                                    : busy_words(d, memory);
    const Color pace_color = sets_pace(d, memory) ? d.theme().bad : d.theme().text_weak;
    const FontRole pace_font = sets_pace(d, memory) ? FontRole::strong : FontRole::body;
    if (wide) text.at_right(pace, pace_font, pace_color);
    const Color weak = d.theme().text_weak;
    const std::string narrow_pace =
        wide ? std::string() : fitting(d.sketch, {pace, busy_words(d, memory)}, pace_font, text.width());
    if (sets_pace(d, memory)) text.line(narrow_pace, pace_font, pace_color);
    if (!beside) text.line(fitting(d.sketch, {size}, FontRole::body, text.width()), FontRole::body, weak);
    if (!sets_pace(d, memory)) text.line(narrow_pace, pace_font, pace_color);
    const std::string cycles = info.cycles > 0 || memory != Memory::registers ? cycles_text(info.cycles) : "";
    const std::string speed = speed_text(info.gb_per_s);
    const std::string both = cycles.empty() ? speed : cycles + "  ·  " + speed;
    if (d.sketch.width(both, FontRole::body) <= text.width()) {
        text.line(both, FontRole::body, d.theme().text);
    } else {
        text.line(fitting(d.sketch, {cycles}, FontRole::body, text.width()), FontRole::body, d.theme().text);
        text.line(fitting(d.sketch, {speed}, FontRole::body, text.width()), FontRole::body, d.theme().text);
    }
    write_holdings(d, memory, text, wide);
}

void draw_box(TrafficDrawing& d, Memory memory) {
    const Rect& box = d.layout.box(memory);
    const bool pace = sets_pace(d, memory), used = d.flows().through(memory) > 0;
    const Color fill = pace ? mix(d.theme().cell_empty, d.theme().bad, 0.14f) : d.theme().cell_empty;
    d.sketch.box({.rect = box,
                  .fill = fill,
                  .stroke = pace   ? d.theme().bad
                            : used ? d.theme().outline
                                   : d.theme().panel_border,
                  .stroke_width = pace ? 2.5f : 1.0f,
                  .rounding = 5});
    draw_busy(d, memory, box);
    write_box(d, memory, box);
    d.sketch.hit(box, -1, memory_tooltip(memory, d.view));
}

/// Width of an arrow for so many bytes [points].
float arrow_width(const TrafficDrawing& d, double bytes) {
    return bytes <= 0 ? 0 : std::max(kThinnest, d.widest * static_cast<float>(bytes / d.most));
}

bool is_free(const TrafficDrawing& d, const Rect& rect) {
    return std::ranges::none_of(d.taken, [&](const Rect& other) {
        return rect.x < other.x + other.w && other.x < rect.x + rect.w && rect.y < other.y + other.h &&
               other.y < rect.y + rect.h;
    });
}

/// Of an arrow's head, as Mark draws it. @param high  from the arrow's end to its tip
float head_radius(float width, float high) { return std::max(5.5f, std::min(width * 0.72f, high * 0.24f)); }

/// Half of an arrow's width at its head.
float half_of(float width, float high) {
    return std::max({width / 2 + 2, head_radius(width, high) * 1.18f, 7.0f});
}

/// An upright arrow; loads go up, stores down. @param x  its middle
/// @param used  share of its bytes that lanes want, 0 to 1: the rest is hatched
void draw_arrow(TrafficDrawing& d, float x, float top, float bottom, float width, bool store, float used) {
    const Color color = store ? d.store_color() : d.load_color();
    const float radius = head_radius(width, bottom - top);
    const float head = radius * 2;  // of the triangle, as Mark draws it
    const float from = store ? top + 2 : top + head, to = store ? bottom - head : bottom - 2;
    const Rect shaft{x - width / 2, from, width, std::max(1.0f, to - from)};
    const bool shows = used < 0.99f && width > 6;
    d.sketch.fill(shaft, shows ? mix(d.theme().panel, color, 0.45f) : color);
    if (shows) {
        const float core = std::max(1.5f, width * used);
        d.sketch.box({.rect = shaft, .hatch = mix(d.theme().panel, color, 0.75f)});
        d.sketch.fill({x - core / 2, shaft.y, core, shaft.h}, color);
    }
    const Vec2 tip = store ? Vec2{x, bottom - radius * 1.2f - 1} : Vec2{x, top + radius * 1.2f + 1};
    d.sketch.picture.shapes.emplace_back(
        Mark{tip, store ? MarkShape::triangle_down : MarkShape::triangle, radius, color});
}

/// Another block's shared memory stands beside the registers: its arrows bend.
void draw_bend(TrafficDrawing& d, const TrafficEdge& edge, float x, float width, bool store) {
    const Rect& registers = d.layout.box(Memory::registers);
    const float y = store ? edge.top + 8 : edge.top - 8, right = registers.x + registers.w + 3;
    const Color color = store ? d.store_color() : d.load_color();
    const float thick = std::min(width, 12.0f);
    d.sketch.picture.shapes.emplace_back(Path{{{x, edge.bottom - 2}, {x, y}, {right + 4, y}}, color, thick});
    const Vec2 tip = store ? Vec2{x, edge.bottom - 9} : Vec2{right + 6, y};
    if (store) {
        d.sketch.picture.shapes.emplace_back(Mark{tip, MarkShape::triangle_down, 8, color});
        return;
    }
    d.sketch.picture.shapes.emplace_back(
        Path{{{tip.x + 8, y - 8}, {tip.x - 3, y}, {tip.x + 8, y + 8}}, color, 3.5f});
}

/// What stands beside an arrow.
struct ArrowLabel {
    std::string bytes, wanted;  ///< wanted: empty where it is the same
    float width(const Sketch& sketch) const {
        return std::max(sketch.width(bytes, FontRole::strong), sketch.width(wanted, FontRole::body));
    }
    float height() const { return wanted.empty() ? kLine : 2 * kLine; }
};

ArrowLabel label_of(double bytes, double wanted, Kind kind) {
    const bool differs = std::abs(wanted - bytes) > 0.01 * bytes;
    return {fmt::format("{} {}", format_bytes(bytes), kind_mark(kind)),
            differs ? fmt::format("{} wanted", format_bytes(wanted)) : std::string()};
}

/// @return  whether there was room
bool place_label(TrafficDrawing& d, const ArrowLabel& label, Rect rect, bool at_right_edge) {
    const Rect& sm = d.layout.sm;
    const bool in_sm = rect.y < sm.y + sm.h;
    const float least = in_sm ? sm.x + 3 : 2;
    if (rect.x < least || rect.x + rect.w > d.sketch.style.size.x - 2 || rect.y < d.gap_top - 3 ||
        rect.y + rect.h > d.gap_bottom + 3 || !is_free(d, rect))
        return false;
    d.taken.push_back(rect);
    const Anchor anchor = at_right_edge ? Anchor::end : Anchor::start;
    const float x = at_right_edge ? rect.x + rect.w - 2 : rect.x + 2;
    d.sketch.label({x, middle_baseline(rect.y + kLine / 2, FontRole::strong)}, label.bytes, FontRole::strong,
                   d.theme().text, anchor);
    d.sketch.label({x, middle_baseline(rect.y + kLine * 1.5f, FontRole::body)}, label.wanted, FontRole::body,
                   d.theme().text_weak, anchor);
    return true;
}

/// Beside an arrow, where there is room: left, right, or not at all.
/// @param y  middle of the label
bool label_arrow(TrafficDrawing& d, float x, float half, float y, ArrowLabel label, bool left_first) {
    for (const bool with_wanted : {true, false}) {
        if (!with_wanted) label.wanted.clear();
        const float wide = label.width(d.sketch) + 4, high = label.height();
        for (const bool left : {left_first, !left_first}) {
            const float from = left ? x - half - 3 - wide : x + half + 3;
            if (place_label(d, label, {from, y - high / 2, wide, high}, left)) return true;
        }
    }
    return false;
}

struct EdgeArrows {
    double load = 0, store = 0;
    double load_wanted = 0, store_wanted = 0;
    float load_width = 0, store_width = 0;
    float load_x = 0, store_x = 0;
};

EdgeArrows arrows_of(const TrafficDrawing& d, const TrafficEdge& edge) {
    EdgeArrows arrows{.load = d.flows().bytes(edge.far, edge.near),
                      .store = d.flows().bytes(edge.near, edge.far)};
    arrows.load_wanted = d.flows().wanted(edge.far, edge.near);
    arrows.store_wanted = d.flows().wanted(edge.near, edge.far);
    arrows.load_width = arrow_width(d, arrows.load);
    arrows.store_width = arrow_width(d, arrows.store);
    const bool both = arrows.load > 0 && arrows.store > 0;
    const float high = edge.bottom - edge.top;
    const float apart = both ? half_of(arrows.load_width, high) + half_of(arrows.store_width, high) + 4 : 0;
    arrows.load_x = edge.x - apart / 2;
    arrows.store_x = edge.x + apart / 2;
    return arrows;
}

void draw_edge(TrafficDrawing& d, const TrafficEdge& edge) {
    const EdgeArrows arrows = arrows_of(d, edge);
    const bool bends = edge.far == Memory::other_shared;
    if (arrows.load <= 0 && arrows.store <= 0) {
        if (!bends) d.sketch.line({edge.x, edge.top}, {edge.x, edge.bottom}, d.theme().panel_border, 1.5f);
        d.sketch.hit({edge.x - 8, edge.top, 16, edge.bottom - edge.top}, -1,
                     fmt::format("{} ↔ {}\nnothing in this launch", memory_name(edge.near, d.device()),
                                 memory_name(edge.far, d.device())));
        return;
    }
    for (const bool store : {false, true}) {
        const double bytes = store ? arrows.store : arrows.load;
        if (bytes <= 0) continue;
        const float x = store ? arrows.store_x : arrows.load_x,
                    width = store ? arrows.store_width : arrows.load_width;
        const auto used =
            static_cast<float>(std::min(1.0, (store ? arrows.store_wanted : arrows.load_wanted) / bytes));
        if (bends)
            draw_bend(d, edge, x, width, store);
        else
            draw_arrow(d, x, edge.top, edge.bottom, width, store, used);
        const float half = half_of(width, edge.bottom - edge.top);
        d.taken.push_back({x - half, edge.top, 2 * half, edge.bottom - edge.top});
        d.sketch.hit(
            {x - half - 3, edge.top, 2 * half + 6, edge.bottom - edge.top}, -1,
            store ? flow_tooltip(edge.near, edge.far, d.view) : flow_tooltip(edge.far, edge.near, d.view));
    }
}

/// Labels stand in the gap next to the farther memory's box, where no box is in the way.
void label_edge(TrafficDrawing& d, const TrafficEdge& edge) {
    const EdgeArrows arrows = arrows_of(d, edge);
    const bool past = d.layout.bypass_x && edge.x == *d.layout.bypass_x;
    const float sm_bottom = d.layout.sm.y + d.layout.sm.h;
    const float top = past || edge.near != Memory::registers ? std::max(edge.top, sm_bottom) : edge.top;
    d.gap_top = top;
    d.gap_bottom = edge.bottom;
    const float y = edge.near == Memory::l2 ? (edge.top + edge.bottom) / 2 : (top + edge.bottom) / 2;
    const ArrowLabel load = label_of(arrows.load, arrows.load_wanted, d.flows().kind(edge.far, edge.near)),
                     store = label_of(arrows.store, arrows.store_wanted, d.flows().kind(edge.near, edge.far));
    const float high = edge.bottom - edge.top;
    const float half_load = half_of(arrows.load_width, high), half_store = half_of(arrows.store_width, high);
    if (arrows.store <= 0) {
        if (arrows.load > 0) label_arrow(d, arrows.load_x, half_load, y, load, false);
        return;
    }
    if (arrows.load <= 0) {
        label_arrow(d, arrows.store_x, half_store, y, store, false);
        return;
    }
    const float wide = load.width(d.sketch) + 4;
    const Rect left{arrows.load_x - half_load - 3 - wide, y - load.height() / 2, wide, load.height()};
    if (place_label(d, load, left, true)) {
        label_arrow(d, arrows.store_x, half_store, y, store, false);
        return;
    }
    // No room at the left: both at the right, one above the other.
    const float edge_x = arrows.store_x + half_store + 3;
    for (const bool down : {false, true}) {
        const ArrowLabel one{(down ? store : load).bytes, {}};
        const float line_top = y + (down ? 0 : -kLine);
        constexpr float kMark = 12;
        if (!place_label(d, one, {edge_x + kMark, line_top, one.width(d.sketch) + 4, kLine}, false)) continue;
        d.sketch.picture.shapes.emplace_back(Mark{{edge_x + kMark / 2, line_top + kLine / 2},
                                                  down ? MarkShape::triangle_down : MarkShape::triangle,
                                                  5,
                                                  down ? d.store_color() : d.load_color()});
    }
}

void draw_outlines(TrafficDrawing& d) {
    const Theme& theme = d.theme();
    const TrafficLayout& layout = d.layout;
    d.sketch.box({.rect = layout.sm,
                  .fill = mix(theme.panel, theme.cell_empty, 0.35f),
                  .stroke = theme.outline,
                  .stroke_width = 1,
                  .rounding = 9});
    const int sms = d.device().sm_count;
    if (layout.sm_named)
        d.sketch.label({layout.sm.x + 10, layout.sm.y + 4 + ascent(FontRole::body)},
                       sms > 0 ? fmt::format("each of {} SMs", sms) : std::string("SM"), FontRole::body,
                       theme.text_weak);
    if (layout.unified.w > 0) {
        d.sketch.box(
            {.rect = layout.unified, .stroke = theme.text_weak, .stroke_width = 1.2f, .rounding = 7});
    }
}

/// Old GPUs have neither L1 nor L2 between the registers and DRAM.
void draw_no_caches(TrafficDrawing& d) {
    if (has_l2(d.device())) return;
    const std::string text = "no L1, no L2 for data";
    const float y = (d.layout.sm.y + d.layout.sm.h + d.layout.box(Memory::dram).y) / 2;
    const float wide = d.sketch.width(text, FontRole::body) + 8;
    const Rect rect{d.sketch.style.size.x - d.sketch.margin() - wide - 4, y - 9, wide, 18};
    d.taken.push_back(rect);
    d.sketch.fill(rect, d.theme().panel);
    d.sketch.label({rect.x + 4, middle_baseline(y, FontRole::body)}, text, FontRole::body,
                   d.theme().text_weak);
    d.sketch.hit(
        rect, -1,
        fmt::format("Compute capability {}: what a request asks global memory for goes to DRAM each time. "
                    "Only textures and constants have caches.",
                    d.device().cc.text()));
}

/// "one array, 256 KB", over the left half.
void label_unified(TrafficDrawing& d) {
    const Rect& unified = d.layout.unified;
    if (unified.w <= 0) return;
    const std::string text = fmt::format("one array, {}", size_text(double(d.device().memory.unified_bytes)));
    const Rect rect{unified.x + 2, unified.y - 18, d.sketch.width(text, FontRole::body) + 6, 16};
    if (!is_free(d, rect) || rect.y < d.layout.box(Memory::registers).y + d.layout.box(Memory::registers).h)
        return;
    d.taken.push_back(rect);
    d.sketch.fill(rect, mix(d.theme().panel, d.theme().cell_empty, 0.35f));
    d.sketch.label({rect.x + 3, rect.y + ascent(FontRole::body)}, text, FontRole::body, d.theme().text_weak);
}

std::vector<LegendSample> legend_samples(const Theme& theme, Color loads, Color stores) {
    return {
        {{.fill = loads, .rounding = 2}, "loads"},
        {{.fill = stores, .rounding = 2}, "stores"},
        {{.fill = mix(theme.panel, loads, 0.45f), .rounding = 2, .hatch = mix(theme.panel, loads, 0.75f)},
         "moved, not wanted"},
        {{.fill = theme.cell_empty, .stroke = theme.outline, .rounding = 2}, "area: logarithm of the size"}};
}

/// Height of the legend, as it has to wrap [points].
float legend_height(const Sketch& sketch, const std::vector<LegendSample>& samples, float width) {
    Legend legend;
    for (const LegendSample& sample : samples) legend.add(sample.text, 14);
    const auto places = legend.arrange(sketch, 0, 0, width, 9);
    return places.empty() ? 0 : places.back().sample.y + 6 + Legend::kRowHeight / 2 + 6;
}

}  // namespace

Picture draw_traffic(const TrafficView& view, const Style& style) {
    Sketch sketch(style, view.device->name, "one launch: the bytes between its memories");
    const float top = sketch.draw_title();
    const float width = style.size.x - 2 * sketch.margin();
    const float room = style.size.y - top;
    const Sentences sentences =
        fit_sentences(explain_traffic(view), style, width, room > 430 ? 66.0f : 24.0f);
    const std::vector<LegendSample> samples =
        legend_samples(sketch.theme, sketch.theme.series[1], sketch.theme.series[0]);
    const float words = room > 330 ? sentences.height() : 0,
                legend = room > 340 ? legend_height(sketch, samples, width) : 0;
    const Rect area{sketch.margin(), top, width, style.size.y - top - 6 - words - legend};
    const bool cluster = view.flows->through(Memory::other_shared) > 0;
    const TrafficLayout layout = lay_out_traffic(view, area, cluster);
    TrafficDrawing d{.sketch = sketch, .view = view, .layout = layout, .taken = {}};
    d.widest = std::clamp(area.h * 0.06f, 14.0f, 30.0f);
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
    if (legend > 0) draw_legend_row(sketch, samples, sketch.margin(), layout.bottom + 3, width, 9);
    if (words > 0) draw_sentences(sketch, sentences, sketch.margin(), style.size.y - words - 4);
    return sketch.take();
}

}  // namespace warplens
