#pragma once

#include "app/panels/picture_panel.h"

namespace warplens {

/// What a picture depends on besides the analysis: when this changes, it is drawn anew.
std::uint64_t picture_key(const PictureCache& cache, const Frame& frame, const View& view, Vec2 size,
                          bool compact);

/// Paint a picture here and read the mouse over it. @return  what is under the mouse, or null.
const Hit* paint(const Frame& frame, const Picture& picture, const char* id);

/// What is left of the panel [points].
Vec2 room_here(const Frame& frame);

}  // namespace warplens
