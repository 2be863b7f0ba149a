#pragma once

#include <string_view>

namespace warplens {

/// What kind of number a number is. Every number that a person sees carries one.
enum class Provenance {
    exact,        ///< counted from addresses by rules that hardware was measured or documented to follow
    approximate,  ///< a formula with a stated source
    measured,     ///< this GPU, now, with spread
    recorded,     ///< a named GPU, a date
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

/// The mark that stands beside the number: a shape as well as a colour.
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
