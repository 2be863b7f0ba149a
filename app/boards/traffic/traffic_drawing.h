#pragma once

#include "app/boards/traffic/traffic_layout.h"
#include "app/boards/traffic/traffic_picture.h"
#include "app/pictures/kit/canvas.h"

#include <vector>

namespace warplens {

/// What all parts of the picture of traffic need.
struct TrafficCanvas {
    Canvas& canvas;
    const TrafficView& view;
    const TrafficLayout& layout;
    double most = 0;                    ///< bytes of the widest arrow
    float widest = 30;                  ///< its width [points]
    float gap_top = 0, gap_bottom = 0;  ///< room of the label that is being placed
    std::vector<Rect> taken;            ///< arrows and labels between the boxes

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
