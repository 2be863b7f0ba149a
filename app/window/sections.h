#pragma once

#include "app/window/frame.h"

#include <vector>

namespace warplens {

/// How many columns have room.
/// @param width  of the window [points]
LayoutMode layout_mode(float width);

// Widths that columns need at least, and the gap between panels [points].
inline constexpr float kLeastLeft = 220, kLeastRight = 320, kLeastMiddle = 400, kGap = 8;

/// The parts that a switch leads to: all of one column, or those of the side column of two.
/// @param card  a course or a quiz is open
std::vector<Section> switched_sections(LayoutMode mode, const BoardInfo& board, bool card);

/// Bring a part of the window into view, where it is not.
void show_section(View& view, Section section);

/// One part further in what a switch leads to; of three columns nothing happens.
void next_section(View& view, LayoutMode mode, const BoardInfo& board, bool card, int by);

}  // namespace warplens
