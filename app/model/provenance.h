#pragma once

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
    return kNames[static_cast<int>(kind)];
}

/// The symbol that stands beside the number: a shape as well as a colour.
constexpr std::string_view provenance_mark(Provenance kind) {
    constexpr std::string_view kMarks[] = {"●", "○", "◆", "▲"};
    return kMarks[static_cast<int>(kind)];
}

}  // namespace warplens
