#include "app/state.h"

namespace warplens {

State initial_state(const Scenario& scenario, std::size_t device) {
    State state{.scenario = &scenario, .params = scenario.info->defaults, .device = device};
    for (const Knob& knob : scenario.info->knobs) {
        if (!knob.axis) continue;
        state.axis = &knob;
        break;
    }
    return state;
}

}  // namespace warplens
