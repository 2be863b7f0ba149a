#pragma once

#include "kernels/scenarios/list.h"
#include "kernels/unavailable.h"

#include <string>
#include <string_view>
#include <utility>

namespace warplens {

template <class Call, class... S>
bool call_with_scenario(ScenarioList<S...>, std::string_view id, Call&& call) {
    return ((S::info.id == id && (call.template operator()<S>(), true)) || ...);
}

/// Call `call.template operator()<S>()` for the scenario S with this id.
/// @return  false if there is none.
template <class Call>
bool with_scenario(std::string_view id, Call&& call) {
    return call_with_scenario(AllScenarios{}, id, std::forward<Call>(call));
}

inline Unavailable no_such_scenario(std::string_view id) {
    return {"there is no scenario called \"" + std::string(id) + "\""};
}

}  // namespace warplens
