#pragma once

#include "app/model/quantity.h"
#include "app/pictures/kit/canvas.h"

#include <span>
#include <string>

namespace warplens {

/// The fate of a number on the way from A to B.
enum class Change { none, better, worse, other };
Change change_of(const QuantityPair& number);

/// By how much B is another value than A: "32× less", "+12 %", "−31". Empty if by nothing, or if they cannot
/// be compared.
std::string difference_text(const QuantityPair& number);

/// The difference behind its mark: "✓ 32× less".
std::string marked_difference(const QuantityPair& row);

/// Whether both sides have the same kind of number: it is then said once, at the name.
bool one_kind(const QuantityPair& row);
/// A side's value, "–" where it has none, with its kind where the sides differ in that.
std::string shown(const QuantityPair& row, const Quantity& value);
Color change_color(Change change, const Theme& theme);

/// A row for each number: its name, A, B and by how much they differ. Those that differ come first; what has
/// no room is left out, and the last line says how many.
Picture draw_compared_numbers(std::span<const QuantityPair> numbers, const Style& style);

/// How large that is where no name is cut, with so many rows [points].
Vec2 size_of_compared_numbers(std::span<const QuantityPair> numbers, std::size_t rows, const Style& style);

}  // namespace warplens
