#pragma once

#include "app/gl/fonts.h"

struct ImDrawList;

namespace warplens {

/// How the points of a picture map to ImGui's pixels.
struct PaintFrame {
    ImDrawList* list;
    const Fonts* fonts;
    float origin_x, origin_y;  ///< [pixels]
    float scale;               ///< pixels per point
    bool square_corners;       ///< boxes are not rounded: a rounded one has up to ten times the vertices

    Vec2 at(Vec2 points) const { return {origin_x + points.x * scale, origin_y + points.y * scale}; }
    /// The rectangle with its edges on whole pixels, so that neighbours touch without a blurred seam.
    Rect snapped(const Rect& points) const;
};

// One function for each shape; heat cells are drawn by HeatCells.
void paint(const PaintFrame& frame, const Box& box);
void paint(const PaintFrame& frame, const Path& path);
void paint(const PaintFrame& frame, const Wire& wire);
void paint(const PaintFrame& frame, const Label& label);
void paint(const PaintFrame& frame, const Mark& mark);

}  // namespace warplens
