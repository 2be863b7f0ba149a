#pragma once

#include "app/pictures/kit/palette.h"

namespace warplens {

/// Give the current ImGui context the look of a theme, with 6-pixel corners and spaces in steps of four.
/// @param scale  pixels per point; every size is set anew, so that repeated calls do not add up.
void apply_theme(const Theme& theme, float scale);

}  // namespace warplens
