#pragma once

#include "app/window/frame.h"

#include <vector>

namespace warplens {

/// How many columns have room in a window.
/// @param width  width of the window [points]
LayoutMode layout_mode(float width);

// Widths that columns need at least, and the gap between panels [points].
inline constexpr float kLeastLeft = 220, kLeastRight = 320, kLeastMiddle = 400, kGap = 8;

/// The parts between which a narrow window switches: all parts with one column, those of the side column with
/// two.
/// @param card  whether a course or a quiz is open
std::vector<Section> switched_sections(LayoutMode mode, const BoardInfo& board, bool card);

/// Bring a part of the window into view, if it is not visible.
void show_section(View& view, Section section);

/// Switch to the next of these parts, or by `by` parts. Does nothing with three columns.
void next_section(View& view, LayoutMode mode, const BoardInfo& board, bool card, int by);

}  // namespace warplens
