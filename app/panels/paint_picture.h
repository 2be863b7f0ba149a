#pragma once

#include "app/panels/picture_panel.h"

namespace warplens {

/// A key of everything that a picture depends on. If it changes, the picture is made again.
std::uint64_t picture_key(const PanelStyle& style, const Frame& frame, const View& view, Vec2 size,
                          bool compact);

/// Paint a picture here and read the mouse over it. @return  what is under the mouse, or null.
const Hit* paint(const PanelStyle& style, const Frame& frame, const Picture& picture, const char* id);

/// The picture as the window shows it: in projector mode with thicker lines.
Picture for_view(const View& view, Picture picture);

/// The room that is left in the panel [points], or the height that a picture needs if that is more; the panel
/// then scrolls.
/// @param least  that height [points]
Vec2 room_here(const PanelStyle& style, float least);

}  // namespace warplens
