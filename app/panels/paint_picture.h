#pragma once

#include "app/panels/picture_panel.h"

namespace warplens {

/// What a picture depends on: when this changes, it is drawn anew.
std::uint64_t picture_key(const PanelStyle& style, const Frame& frame, const View& view, Vec2 size,
                          bool compact);

/// Paint a picture here and read the mouse over it. @return  what is under the mouse, or null.
const Hit* paint(const PanelStyle& style, const Frame& frame, const Picture& picture, const char* id);

/// The picture as the window shows it: in projector mode with thicker lines.
Picture for_view(const View& view, Picture picture);

/// What is left of the panel [points]; at least what a picture needs, and the panel then scrolls.
/// @param least  its height
Vec2 room_here(const PanelStyle& style, float least);

}  // namespace warplens
