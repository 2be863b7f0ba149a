#pragma once

#include "app/model/better.h"
#include "app/model/provenance.h"
#include "app/pictures/kit/pictures.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warplens {

/// One number of both sides of a comparison.
struct ComparedNumber {
    /// One side's value.
    struct Value {
        std::string text;              ///< with its unit; empty: that side has no such number
        std::optional<double> amount;  ///< the same as a number; empty: it is none
        Provenance kind = Provenance::exact;
    };
    std::string name;
    Value a, b;
    Better better = Better::neither;
    std::string tooltip = {};

    bool differs() const { return a.text != b.text || a.amount != b.amount; }
};

/// What became of a number on the way from A to B.
enum class Change { none, better, worse, other };
Change change_of(const ComparedNumber& number);

/// By how much B is another value than A: "32× less", "+12 %", "−31"; empty: not at all, or they cannot be
/// compared.
std::string difference_text(const ComparedNumber& number);

/// "✓", "✗" or nothing: beside its colour, so that nobody has to tell colours apart.
std::string_view change_mark(Change change);
/// The difference behind its mark: "✓ 32× less".
std::string marked_difference(const ComparedNumber& row);

/// Whether both sides have the same kind of number: it is then said once, at the name.
bool one_kind(const ComparedNumber& row);
/// A side's value, "–" where it has none, with its kind where the sides differ in that.
std::string shown(const ComparedNumber& row, const ComparedNumber::Value& value);
Color change_color(Change change, const Theme& theme);

/// A row for each number: its name, A, B and by how much they differ. Those that differ come first; what has
/// no room is left out, and the last line says how many.
Picture draw_compared_numbers(std::span<const ComparedNumber> numbers, const Style& style);

/// How tall that is with so many rows [points].
float height_of_compared_numbers(std::size_t rows);

}  // namespace warplens
