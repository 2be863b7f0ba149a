#include "app/state.h"

namespace warplens {

State initial_state(const Scenario& scenario, std::size_t device) {
    State state{.scenario = &scenario, .params = scenario.info->defaults, .device = device};
    for (const Knob& knob : scenario.info->knobs) {
        const bool first = scenario.info->first_axis.empty() || knob.key == scenario.info->first_axis;
        if (!knob.axis || !first) continue;
        state.axis = &knob;
        break;
    }
    return state;
}

}  // namespace warplens
