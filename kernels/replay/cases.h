#pragma once

#include "kernels/replay/program.h"
#include "kernels/unavailable.h"

#include <string>
#include <string_view>
#include <utility>

namespace warplens {

/// Call `call.template operator()<kCase>()` for the kernel that fits the setting.
/// @return  false if there is none.
template <class S, class Call, int... kCase>
bool call_with_case(const Params& p, Call&& call, std::integer_sequence<int, kCase...>) {
    const int wanted = find_case<S>(kCases<S>, p);
    return ((kCase == wanted && (call.template operator()<kCase>(), true)) || ...);
}
template <class S, class Call>
bool with_case(const Params& p, Call&& call) {
    return call_with_case<S>(p, std::forward<Call>(call), std::make_integer_sequence<int, kCases<S>.count>{});
}

inline Unavailable no_such_scenario(std::string_view id) {
    return {"there is no scenario called \"" + std::string(id) + "\""};
}
inline Unavailable no_such_case(std::string_view id) {
    return {"no kernel was built for this setting of " + std::string(id) +
            ": its instructions depend on more than its choices"};
}

}  // namespace warplens
