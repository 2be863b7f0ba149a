#pragma once

#include "app/pictures/kit/canvas.h"

namespace warplens {

// What draw_bandwidth draws of two settings that are compared: Curve::other.

/// Whether A's model takes another way than B's.
bool has_other_way(const Curve& curve);

/// A's model as a dotted line, below B's.
void draw_other_model(Canvas& canvas, const Curve& curve, const PlotArea& plot);

/// Both settings as upright lines with a flag each: A's to the left of B's where they would overlap.
void draw_both_settings(Canvas& canvas, const Curve& curve, const PlotArea& plot);

/// A letter in a disk: how A and B are marked everywhere.
/// @param center  of the disk, which is kBadge wide
void draw_side_badge(Canvas& canvas, Vec2 center, char side);
inline constexpr float kBadge = 20;  ///< [points]
Color side_color(const Theme& theme, char side);

}  // namespace warplens
