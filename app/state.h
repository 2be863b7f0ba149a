#pragma once

#include "app/model/catalogue.h"
#include "app/pictures/pictures.h"

#include <cstddef>

namespace warplens {

/// Everything a person can change that changes an experiment's numbers or pictures. Small and copied freely.
struct State {
    const Scenario* scenario = nullptr;
    Params params;
    std::size_t device = 0;  ///< index into the list of devices
    const Knob* axis =
        nullptr;  ///< knob on the x axis of the bandwidth plot; one of the scenario's with `axis` set
    ColorBy color_by = ColorBy::wavefront;
    int only_wavefront = -1;  ///< the wavefront player's position; -1: all at once
    bool log_axes = false;
};

/// The state a scenario starts in: its defaults, its first axis knob.
State initial_state(const Scenario& scenario, std::size_t device);

}  // namespace warplens
