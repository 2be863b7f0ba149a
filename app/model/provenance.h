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
    switch (kind) {
        case Provenance::exact:
            return "exact";
        case Provenance::approximate:
            return "approximate";
        case Provenance::measured:
            return "measured";
        case Provenance::recorded:
            return "recorded";
    }
    return "";
}

/// The symbol that stands beside the number: a shape as well as a colour.
constexpr std::string_view provenance_mark(Provenance kind) {
    switch (kind) {
        case Provenance::exact:
            return "●";
        case Provenance::approximate:
            return "○";
        case Provenance::measured:
            return "◆";
        case Provenance::recorded:
            return "▲";
    }
    return "";
}

}  // namespace warplens
