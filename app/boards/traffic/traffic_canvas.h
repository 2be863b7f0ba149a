#pragma once

#include "app/boards/traffic/traffic_picture.h"

#include <array>
#include <optional>
#include <vector>

namespace warplens {

/// The places of the boxes of draw_traffic.
struct TrafficLayout {
    Rect sm;               ///< outline of one SM
    bool sm_named = true;  ///< there is room for its name
    std::array<Rect, kMemoryCount> boxes{};
    std::array<bool, kMemoryCount> there{};
    Rect unified;                   ///< around L1 and shared memory, if they share one array; else empty
    std::optional<float> bypass_x;  ///< x of the way past the L1, from the registers to L2 or DRAM
    float bottom = 0;               ///< of the lowest box

    const Rect& box(Memory memory) const { return boxes[int(memory)]; }
    bool has(Memory memory) const { return there[int(memory)]; }
};

/// @param area  room for all boxes [points]
TrafficLayout lay_out_traffic(const TrafficView& view, Rect area, bool other_shared);

/// One way between two memories, drawn upright unless a bend is given.
struct TrafficEdge {
    Memory near = Memory::registers, far = Memory::shared;
    float x = 0, top = 0, bottom = 0;  ///< of the room between the boxes
};

/// All ways that the device has, used or not.
std::vector<TrafficEdge> traffic_edges(const TrafficLayout& layout, const TrafficView& view);

inline constexpr float kNarrowTraffic = 460;  ///< narrower pictures move arrows aside for numbers [points]
inline constexpr float kTrafficLine = 18;     ///< height of a line of text [points]

/// All parts of the picture of traffic need this.
struct TrafficCanvas {
    Canvas& canvas;
    const TrafficView& view;
    const TrafficLayout& layout;
    double most = 0;                    ///< bytes of the widest arrow
    float widest = 30;                  ///< its width [points]
    float gap_top = 0, gap_bottom = 0;  ///< room of the label that is being placed
    TakenPlaces taken;                  ///< arrows and labels between the boxes

    const Theme& theme() const { return canvas.theme; }
    const FlowReport& flows() const { return *view.flows; }
    const DeviceFacts& device() const { return *view.device; }
    Color load_color() const { return canvas.theme.series[1]; }
    Color store_color() const { return canvas.theme.series[0]; }
};

/// The arrows between two memories; boxes that they pass lie above them.
void draw_edge(TrafficCanvas& d, const TrafficEdge& edge);
/// How many bytes they are, once the boxes stand.
void label_edge(TrafficCanvas& d, const TrafficEdge& edge);

}  // namespace warplens
