#include "app/boards/traffic/traffic_canvas.h"

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

constexpr float kGap = 10;        // between boxes of the SM
constexpr float kPad = 10;        // between the SM's outline and its boxes
constexpr float kUsualBits = 14;  // of a memory of unknown size

constexpr float kLeastForTitle = 270;  // heights below leave the SM's name out

/// The area of a box: the logarithm to base 2 of its bytes.
float bits_of(double bytes) { return bytes > 1 ? static_cast<float>(std::log2(bytes)) : kUsualBits; }

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

TrafficLayout lay_out_traffic(const TrafficView& view, Rect area, bool other_shared) {
    const DeviceFacts& device = *view.device;
    std::vector<Column> columns = columns_of(device, other_shared);
    const bool cluster = columns.back().memory == Memory::other_shared;
    const bool bypass = std::ranges::any_of(columns, [](const Column& c) { return !c.memory; });
    const float bypass_width = bypass ? std::clamp(area.w * 0.14f, 60.0f, 110.0f) : 0;
    const float outside = cluster ? 2 * kPad + kGap : 0;
    float row_bits = 0;
    for (const Column& column : columns) row_bits += column.bits;
    const float gaps = kGap * static_cast<float>(columns.size() - 1);
    const float row_width = area.w - 2 * kPad - gaps - bypass_width - outside;
    float x = area.x + kPad;
    for (Column& column : columns) {
        if (column.memory == Memory::other_shared) x += outside;
        column.x = x;
        column.w = column.memory ? column.bits / row_bits * row_width : bypass_width;
        x += column.w + kGap;
    }
    const Column& last = columns[columns.size() - (cluster ? 2 : 1)];
    const float sm_width = last.x + last.w - area.x - kPad;
    const float ways = area.h < 330 ? 3.4f : 4.2f;  // of all gaps together, in parts of the lowest of them
    const float gap = std::clamp(area.h * 0.115f, 26.0f, 84.0f);
    const int below = has_l2(device) ? 2 : 1;
    const float inside = gap * ways / 4.2f;
    const float sm_title = area.h < kLeastForTitle ? 6.0f : 22.0f;
    const float boxes = area.h - sm_title - kPad - inside - static_cast<float>(below) * gap;
    const Heights heights = heights_of(device, sm_width, row_width, row_bits, area.w, boxes);

    TrafficLayout layout;
    const auto place = [&layout](Memory memory, Rect rect) {
        layout.boxes[static_cast<std::size_t>(memory)] = rect;
        layout.there[static_cast<std::size_t>(memory)] = true;
    };
    float y = area.y + sm_title;
    place(Memory::registers, {area.x + kPad, y, sm_width, heights.registers});
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
    y += heights.row + kPad;
    layout.sm_named = area.h >= kLeastForTitle;
    layout.sm = {area.x, area.y, sm_width + 2 * kPad, y - area.y};
    y += gap;
    if (has_l2(device)) {
        place(Memory::l2, {area.x, y, area.w, heights.l2});
        y += heights.l2 + gap;
    }
    place(Memory::dram, {area.x, y, area.w, heights.dram});
    layout.bottom = y + heights.dram;
    return layout;
}

std::vector<TrafficEdge> traffic_edges(const TrafficLayout& layout, const TrafficView& view) {
    const DeviceFacts& device = *view.device;
    const Rect &registers = layout.box(Memory::registers), &dram = layout.box(Memory::dram);
    const Memory outer = has_l2(device) ? Memory::l2 : Memory::dram;
    const float below = registers.y + registers.h, outer_top = layout.box(outer).y;
    std::vector<TrafficEdge> edges;
    for (const Memory memory : {Memory::shared, Memory::l1, Memory::texture, Memory::constant}) {
        if (!layout.has(memory)) continue;
        const Rect& box = layout.box(memory);
        const float x = box.x + box.w / 2;
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
        edges.push_back({Memory::l2, Memory::dram, l2.x + l2.w / 2, l2.y + l2.h, dram.y});
    }
    return edges;
}

}  // namespace warplens
