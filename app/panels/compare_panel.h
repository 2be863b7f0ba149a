#pragma once

#include "app/experiment/compare.h"
#include "app/panels/picture_panel.h"

#include <string>
#include <string_view>

namespace warplens {

/// One side of a comparison in its panel: its letter and name, its picture, and the verdict.
/// @param frame  the side's own
/// @param name   what is set differently on this side. Empty if nothing is.
void show_side(const PanelStyle& style, const Frame& frame, const View& view, std::string_view name,
               PictureCache& cache, Actions& actions);

/// The table of numbers with columns A, B and by how much they differ.
void show_compared_numbers(const PanelStyle& style, const Frame& frame, const View& view, Actions& actions);

/// Both sides' numbers: of the board, or of the pictures over the chosen scope.
std::vector<QuantityPair> compared_numbers(const Frame& frame, const View& view);

/// A's value of a knob, as its control shows it. Empty if nothing is compared, or if the values are equal.
std::string value_of_a(const Frame& frame, const Knob& knob);
std::string value_of_a(const Frame& frame, const BoardKnob& knob);

/// A knob's value at the right end of its line. If A has another value, it is shown before it with the letter
/// A.
void show_knob_value(const PanelStyle& style, const std::string& value, const std::string& a);

/// A's value of a knob without a slider: the letter A and, where the room has place, the value. @param room
/// [pixels]
void mark_choice(const PanelStyle& style, const std::string& a, float room);

}  // namespace warplens
