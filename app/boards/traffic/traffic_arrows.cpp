// The arrows of the picture of traffic, as wide as the bytes they stand for, and their labels.
#include "app/boards/traffic/traffic_canvas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

constexpr float kThinnest = 2.5f;

/// Width of an arrow for so many bytes [points].
float arrow_width(const TrafficCanvas& d, double bytes) {
    return bytes <= 0 ? 0 : std::max(kThinnest, d.widest * static_cast<float>(bytes / d.most));
}

/// Of an arrow's head, as Mark draws it. @param high  from the arrow's end to its tip
float head_radius(float width, float high) { return std::max(5.5f, std::min(width * 0.72f, high * 0.24f)); }

float half_of(float width, float high) {
    return std::max({width / 2 + 2, head_radius(width, high) * 1.18f, 7.0f});
}

/// An upright arrow; loads go up, stores down. @param x  its middle
/// @param used  share of its bytes that lanes want, 0 to 1. The rest is hatched.
void draw_arrow(TrafficCanvas& d, float x, float top, float bottom, float width, bool store, float used) {
    const Color color = store ? d.store_color() : d.load_color();
    const float radius = head_radius(width, bottom - top);
    const float head = radius * 2;  // of the triangle, as Mark draws it
    const float from = store ? top + 2 : top + head, to = store ? bottom - head : bottom - 2;
    const Rect shaft{x - width / 2, from, width, std::max(1.0f, to - from)};
    const bool shows = used < 0.99f && width > 6;
    d.canvas.fill(shaft, shows ? mix(d.theme().panel, color, 0.45f) : color);
    if (shows) {
        const float core = std::max(1.5f, width * used);
        d.canvas.box({.rect = shaft, .hatch = mix(d.theme().panel, color, 0.75f)});
        d.canvas.fill({x - core / 2, shaft.y, core, shaft.h}, color);
    }
    const Vec2 tip = store ? Vec2{x, bottom - radius * 1.2f - 1} : Vec2{x, top + radius * 1.2f + 1};
    d.canvas.mark(tip, store ? MarkShape::triangle_down : MarkShape::triangle, radius, color);
}

/// Another block's shared memory stands beside the registers: its arrows bend.
void draw_bend(TrafficCanvas& d, const TrafficEdge& edge, float x, float width, bool store) {
    const Rect& registers = d.layout.box(Memory::registers);
    const float y = store ? edge.top + 8 : edge.top - 8, right = registers.x + registers.w + 3;
    const Color color = store ? d.store_color() : d.load_color();
    const float thick = std::min(width, 12.0f);
    d.canvas.add(Path{{{x, edge.bottom - 2}, {x, y}, {right + 4, y}}, color, thick});
    const Vec2 tip = store ? Vec2{x, edge.bottom - 9} : Vec2{right + 6, y};
    if (store) {
        d.canvas.mark(tip, MarkShape::triangle_down, 8, color);
        return;
    }
    d.canvas.add(Path{{{tip.x + 8, y - 8}, {tip.x - 3, y}, {tip.x + 8, y + 8}}, color, 3.5f});
}

/// What stands beside an arrow.
struct ArrowLabel {
    std::string bytes, wanted;  ///< `wanted` is empty if it is the same
    float width(const Canvas& canvas) const {
        return std::max(canvas.width(bytes, FontRole::strong), canvas.width(wanted, FontRole::body));
    }
    float height() const { return wanted.empty() ? kTrafficLine : 2 * kTrafficLine; }
};

ArrowLabel label_of(double bytes, double wanted, Provenance kind) {
    const bool differs = std::abs(wanted - bytes) > 0.01 * bytes;
    return {fmt::format("{} {}", format_bytes(bytes), provenance_mark(kind)),
            differs ? fmt::format("{} wanted", format_bytes(wanted)) : std::string()};
}

/// @return  whether there was room
bool place_label(TrafficCanvas& d, const ArrowLabel& label, Rect rect, bool at_right_edge) {
    const Rect& sm = d.layout.sm;
    const bool in_sm = rect.y < sm.y + sm.h;
    const float least = in_sm ? sm.x + 3 : 2;
    if (rect.x < least || rect.x + rect.w > d.canvas.style.size.x - 2 || rect.y < d.gap_top - 3 ||
        rect.y + rect.h > d.gap_bottom + 3 || !d.taken.is_free(rect))
        return false;
    d.taken.take(rect);
    const Anchor anchor = at_right_edge ? Anchor::end : Anchor::start;
    const float x = at_right_edge ? rect.x + rect.w - 2 : rect.x + 2;
    d.canvas.label_middle({x, rect.y + kTrafficLine / 2}, label.bytes, FontRole::strong, d.theme().text,
                          anchor);
    d.canvas.label_middle({x, rect.y + kTrafficLine * 1.5f}, label.wanted, FontRole::body,
                          d.theme().text_weak, anchor);
    return true;
}

/// Beside an arrow, where there is room: left, right, or not at all.
/// @param y  middle of the label
bool label_arrow(TrafficCanvas& d, float x, float half, float y, ArrowLabel label, bool left_first) {
    for (const bool with_wanted : {true, false}) {
        if (!with_wanted) label.wanted.clear();
        const float wide = label.width(d.canvas) + 4, high = label.height();
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

EdgeArrows arrows_of(const TrafficCanvas& d, const TrafficEdge& edge) {
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

}  // namespace

void draw_edge(TrafficCanvas& d, const TrafficEdge& edge) {
    const EdgeArrows arrows = arrows_of(d, edge);
    const bool bends = edge.far == Memory::other_shared;
    if (arrows.load <= 0 && arrows.store <= 0) {
        if (!bends) d.canvas.line({edge.x, edge.top}, {edge.x, edge.bottom}, d.theme().panel_border, 1.5f);
        d.canvas.hit({edge.x - 8, edge.top, 16, edge.bottom - edge.top}, -1,
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
        d.taken.take({x - half, edge.top, 2 * half, edge.bottom - edge.top});
        d.canvas.hit(
            {x - half - 3, edge.top, 2 * half + 6, edge.bottom - edge.top}, -1,
            store ? flow_tooltip(edge.near, edge.far, d.view) : flow_tooltip(edge.far, edge.near, d.view));
    }
}

/// Labels stand in the gap next to the farther memory's box, where no box is in the way.
void label_edge(TrafficCanvas& d, const TrafficEdge& edge) {
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
    const float wide = load.width(d.canvas) + 4;
    const Rect left{arrows.load_x - half_load - 3 - wide, y - load.height() / 2, wide, load.height()};
    if (place_label(d, load, left, true)) {
        label_arrow(d, arrows.store_x, half_store, y, store, false);
        return;
    }
    // No room at the left: both at the right, one above the other.
    const float edge_x = arrows.store_x + half_store + 3;
    for (const bool down : {false, true}) {
        const ArrowLabel one{(down ? store : load).bytes, {}};
        const float line_top = y + (down ? 0 : -kTrafficLine);
        constexpr float kMark = 12;
        if (!place_label(d, one, {edge_x + kMark, line_top, one.width(d.canvas) + 4, kTrafficLine}, false))
            continue;
        d.canvas.mark({edge_x + kMark / 2, line_top + kTrafficLine / 2},
                      down ? MarkShape::triangle_down : MarkShape::triangle, 5,
                      down ? d.store_color() : d.load_color());
    }
}

}  // namespace warplens
