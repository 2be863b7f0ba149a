#pragma once

#include "kernels/scenario.h"

#include <optional>
#include <string>
#include <string_view>

namespace warplens {

/// How a number came about. Every number that is shown has a provenance.
enum class Provenance {
    exact,        ///< counted from addresses by rules that were measured or documented
    approximate,  ///< a formula with a stated source
    measured,     ///< measured on this GPU now, with its spread
    recorded,     ///< measured earlier on a named GPU at a stated date
};

constexpr std::string_view provenance_name(Provenance kind) {
    constexpr std::string_view kNames[] = {"exact", "approximate", "measured", "recorded"};
    return kNames[int(kind)];
}

/// The symbol that stands beside the number: a shape as well as a colour.
constexpr std::string_view provenance_mark(Provenance kind) {
    constexpr std::string_view kMarks[] = {"●", "○", "◆", "▲"};
    return kMarks[int(kind)];
}

/// Which of two values of a number is better, if that is known.
enum class Better { neither, less, more };

/// For a predicted quantity.
inline Better better_of(SpeedUnit speed_unit) {
    return speed_unit == SpeedUnit::cycles || speed_unit == SpeedUnit::sectors ? Better::less : Better::more;
}

/// One number as the program shows, writes and compares it. The only row type: tables, tooltips, captions,
/// files, comparisons, predictions and goals all read it.
struct Quantity {
    std::string name;  ///< as a person reads it: "sectors"
    std::string text;  ///< the value as a person reads it, with its unit. Empty if nothing is known.
    Provenance provenance = Provenance::exact;
    std::string source;                 ///< what it means and where it comes from, for the tooltip
    std::optional<double> amount = {};  ///< the value in `unit`. Empty if it is no number or is not known.
    Better better = Better::neither;    ///< which of two amounts is the better one
    std::string key = {};               ///< in files: "ideal_sectors". Empty if no file names it.
    std::string unit = {};              ///< of the amount: "bytes". Empty for plain counts.
    bool main = false;                  ///< one of the few that matter most; a window folds the others
    std::string brief = {};  ///< the value alone, where `text` says its ideal or its spread as well
};

/// Two values of one number side by side: A and B, predicted and measured, expected and counted. A side that
/// has no such number has no text.
struct QuantityPair {
    Quantity a, b;

    /// The side that says what the number is called and means: B, if it has the number.
    const Quantity& named() const { return b.name.empty() ? a : b; }
    bool differs() const { return a.text != b.text || a.amount != b.amount; }
};

}  // namespace warplens
