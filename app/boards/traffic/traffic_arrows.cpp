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
    return bytes <= 0 ? 0 : std::max(kThinnest, d.widest * float(bytes / d.most));
}

/// The radius of an arrow's head, as Mark draws it. @param high  from the arrow's end to its tip
float head_radius(float width, float high) { return std::max(5.5f, std::min(width * 0.72f, high * 0.24f)); }

float half_of(float width, float high) {
    return std::max({width / 2 + 2, head_radius(width, high) * 1.18f, 7.0f});
}

/// An upright arrow; loads go up, stores down. @param x  its middle
/// @param used  share of its bytes that lanes request, 0 to 1. The rest is hatched.
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

/// The words and numbers beside an arrow.
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
            differs ? fmt::format("{} requested", format_bytes(wanted)) : std::string()};
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

constexpr float kBoxGap = 10;      // between boxes of the SM
constexpr float kOutlinePad = 10;  // between the SM's outline and its boxes
constexpr float kUsualBits = 14;   // of a memory of unknown size

constexpr float kLeastForTitle = 270;  // heights below leave the SM's name out

/// The area of a box: the logarithm to base 2 of its bytes.
float bits_of(double bytes) { return bytes > 1 ? float(std::log2(bytes)) : kUsualBits; }

/// One column of the SM's lower row.
struct Column {
    std::optional<Memory> memory;  ///< Empty for the way past the L1.
    float bits = 0;
    float x = 0, w = 0;
};

bool is_unified(const DeviceFacts& device) { return device.memory.unified_bytes > 0; }

std::vector<Column> columns_of(const DeviceFacts& device, bool other_shared) {
    std::vector<Column> columns;
    const float half = bits_of(double(device.memory.unified_bytes)) / 2;
    const auto add = [&](Memory memory) {
        const MemoryInfo info = memory_info(memory, device);
        if (info.there) columns.push_back({memory, bits_of(double(info.bytes))});
    };
    add(Memory::shared);
    add(Memory::l1);
    if (is_unified(device)) {
        for (Column& column : columns) column.bits = half;
    }
    if (!l1_keeps_global(device)) columns.push_back({std::nullopt, 0});
    add(Memory::texture);
    add(Memory::constant);
    if (other_shared) add(Memory::other_shared);
    return columns;
}

struct Heights {
    float registers = 0, row = 0, l2 = 0, dram = 0;
};

/// Heights with which boxes of equal `bits_of` have equal areas, and which add up to `all`.
Heights heights_of(const DeviceFacts& device, float sm_width, float row_width, float row_bits, float width,
                   float all) {
    const auto bits = [&](Memory memory) { return bits_of(double(memory_info(memory, device).bytes)); };
    Heights heights{bits(Memory::registers) / sm_width, row_bits / row_width,
                    has_l2(device) ? bits(Memory::l2) / width : 0, bits(Memory::dram) / width};
    const float scale = all / (heights.registers + heights.row + heights.l2 + heights.dram);
    for (float* height : {&heights.registers, &heights.row, &heights.l2, &heights.dram}) *height *= scale;
    return heights;
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
        const auto used = float(std::min(1.0, (store ? arrows.store_wanted : arrows.load_wanted) / bytes));
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

TrafficLayout lay_out_traffic(const TrafficView& view, Rect area, bool other_shared) {
    const DeviceFacts& device = *view.device;
    std::vector<Column> columns = columns_of(device, other_shared);
    const bool cluster = columns.back().memory == Memory::other_shared;
    const bool bypass = std::ranges::any_of(columns, [](const Column& c) { return !c.memory; });
    const float bypass_width = bypass ? std::clamp(area.w * 0.14f, 60.0f, 110.0f) : 0;
    const float outside = cluster ? 2 * kOutlinePad + kBoxGap : 0;
    float row_bits = 0;
    for (const Column& column : columns) row_bits += column.bits;
    const float gaps = kBoxGap * float(columns.size() - 1);
    const float row_width = area.w - 2 * kOutlinePad - gaps - bypass_width - outside;
    float x = area.x + kOutlinePad;
    for (Column& column : columns) {
        if (column.memory == Memory::other_shared) x += outside;
        column.x = x;
        column.w = column.memory ? column.bits / row_bits * row_width : bypass_width;
        x += column.w + kBoxGap;
    }
    const Column& last = columns[columns.size() - (cluster ? 2 : 1)];
    const float sm_width = last.x + last.w - area.x - kOutlinePad;
    const float ways = area.h < 330 ? 3.4f : 4.2f;  // of all gaps together, in parts of the lowest of them
    const float gap = std::clamp(area.h * 0.115f, 26.0f, 84.0f);
    // An array that is read in place comes straight to the L2, else the host stands below DRAM.
    const bool in_place = view.flows->bytes(Memory::host, Memory::l2) > 0,
               copied = !in_place && view.flows->through(Memory::host) > 0;
    const int below = (has_l2(device) ? 2 : 1) + (copied ? 1 : 0);
    const float host = copied ? std::min(44.0f, area.h * 0.1f) : 0;
    const float inside = gap * ways / 4.2f;
    const float sm_title = area.h < kLeastForTitle ? 6.0f : 22.0f;
    const float boxes = area.h - sm_title - kOutlinePad - inside - float(below) * gap - host;
    const Heights heights = heights_of(device, sm_width, row_width, row_bits, area.w, boxes);

    TrafficLayout layout;
    const auto place = [&layout](Memory memory, Rect rect) {
        layout.boxes[int(memory)] = rect;
        layout.there[int(memory)] = true;
    };
    float y = area.y + sm_title;
    place(Memory::registers, {area.x + kOutlinePad, y, sm_width, heights.registers});
    y += heights.registers + inside;
    for (const Column& column : columns) {
        if (column.memory)
            place(*column.memory, {column.x, y, column.w, heights.row});
        else
            layout.bypass_x = column.x + column.w / 2;
    }
    if (is_unified(device) && layout.has(Memory::l1)) {
        const Rect &first = layout.box(Memory::shared), &second = layout.box(Memory::l1);
        layout.unified = {first.x - 4, y - 4, second.x + second.w - first.x + 8, heights.row + 8};
    }
    y += heights.row + kOutlinePad;
    layout.sm_named = area.h >= kLeastForTitle;
    layout.sm = {area.x, area.y, sm_width + 2 * kOutlinePad, y - area.y};
    y += gap;
    if (has_l2(device)) {
        place(Memory::l2, {area.x, y, area.w, heights.l2});
        y += heights.l2 + gap;
    }
    place(in_place ? Memory::host : Memory::dram, {area.x, y, area.w, heights.dram});
    layout.bottom = y + heights.dram;
    if (!copied) return layout;
    place(Memory::host, {area.x, layout.bottom + gap, area.w, host});
    layout.bottom += gap + host;
    return layout;
}

std::vector<TrafficEdge> traffic_edges(const TrafficLayout& layout, const TrafficView& view) {
    const DeviceFacts& device = *view.device;
    const Memory last = layout.has(Memory::dram) ? Memory::dram : Memory::host;
    const Rect &registers = layout.box(Memory::registers), &beyond = layout.box(last);
    const Memory outer = has_l2(device) ? Memory::l2 : Memory::dram;
    const float below = registers.y + registers.h, outer_top = layout.box(outer).y;
    std::vector<TrafficEdge> edges;
    for (const Memory memory : {Memory::shared, Memory::l1, Memory::texture, Memory::constant}) {
        if (!layout.has(memory)) continue;
        const Rect& box = layout.box(memory);
        const bool narrow = layout.sm.w < kNarrowTraffic - 4;
        const float x = narrow && memory == Memory::shared ? box.x + std::min(26.0f, box.w / 2)
                        : narrow && memory == Memory::l1   ? box.x + box.w / 2 + 6
                                                           : box.x + box.w / 2;
        edges.push_back({Memory::registers, memory, x, below, box.y});
        if (memory != Memory::shared) edges.push_back({memory, outer, x, box.y + box.h, outer_top});
    }
    if (layout.has(Memory::other_shared)) {
        const Rect& box = layout.box(Memory::other_shared);
        edges.push_back({Memory::registers, Memory::other_shared, box.x + box.w / 2,
                         registers.y + registers.h / 2, box.y});
    }
    if (layout.bypass_x) edges.push_back({Memory::registers, outer, *layout.bypass_x, below, outer_top});
    if (outer == Memory::l2) {
        const Rect& l2 = layout.box(Memory::l2);
        edges.push_back({Memory::l2, last, l2.x + l2.w / 2, l2.y + l2.h, beyond.y});
    }
    if (last == Memory::dram && layout.has(Memory::host))
        edges.push_back(
            {last, Memory::host, beyond.x + beyond.w / 2, beyond.y + beyond.h, layout.box(Memory::host).y});
    return edges;
}

}  // namespace warplens
