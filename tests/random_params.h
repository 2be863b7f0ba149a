#pragma once

#include "app/model/random_settings.h"

#include <algorithm>
#include <utility>

namespace warplens::test {

using warplens::random_params;

/// Legal random settings with everything kept small that makes a grid large, for what is counted or launched
/// thread by thread.
inline Params small_random_params(const Scenario& scenario, std::mt19937& random) {
    constexpr std::pair<int Params::*, int> kMost[] = {
        {&Params::elements_log2, 14}, {&Params::matrix, 130}, {&Params::blocks_log2, 2},
        {&Params::texture_log2, 7},   {&Params::width, 200},  {&Params::height, 200},
        {&Params::footprint_log2, 16}};
    Params params = random_params(scenario, random);
    for (const auto& [field, most] : kMost) params.*field = std::min(params.*field, most);
    clamp_knobs(scenario, params);
    return params;
}

}  // namespace warplens::test
