#pragma once

#include "app/pictures/kit/palette.h"

namespace warplens {

/// A picture as it is to look in a theme: most stay as they are; in `print` every colour becomes the grey of
/// the same lightness (so what could be read before can be read now), areas in the colours of Theme::series
/// and Theme::bad get a pattern each, and rounded cells too light for white paper an outline. Canvas::take()
/// calls it.
Picture in_look_of(const Theme& theme, Picture&& picture);

/// The grey that is as light as the colour, by WCAG's relative luminance; greys stay as they are.
Color grey_of(Color color);

/// The picture with lines, wires, frames and markers that are thicker, for a room: places and sizes stay.
/// @param factor  1 for no change
Picture with_thick_lines(Picture picture, float factor);

}  // namespace warplens
