#pragma once

#include <string_view>

namespace warplens {

/// What kind of number a number is. Every number that a person sees carries one.
enum class Kind {
    exact,        ///< counted from addresses by rules that hardware was measured or documented to follow
    approximate,  ///< a formula with a stated source
    measured,     ///< this GPU, now, with spread
    recorded,     ///< a named GPU, a date
};

constexpr std::string_view kind_name(Kind kind) {
    switch (kind) {
        case Kind::exact:
            return "exact";
        case Kind::approximate:
            return "approximate";
        case Kind::measured:
            return "measured";
        case Kind::recorded:
            return "recorded";
    }
    return "";
}

/// The mark that stands beside the number: a shape as well as a colour.
constexpr std::string_view kind_mark(Kind kind) {
    switch (kind) {
        case Kind::exact:
            return "●";
        case Kind::approximate:
            return "○";
        case Kind::measured:
            return "◆";
        case Kind::recorded:
            return "▲";
    }
    return "";
}

}  // namespace warplens
