#pragma once

#include "kernels/replay/cases.h"
#include "kernels/scenarios/list.h"

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

}  // namespace warplens
