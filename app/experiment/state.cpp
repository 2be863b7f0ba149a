#include "app/experiment/state.h"

namespace warplens {

State initial_state(const Scenario& scenario, std::size_t device) {
    State state;
    state.scenario = &scenario;
    state.params = scenario.info->defaults;
    state.device = device;
    for (const Knob& knob : scenario.info->knobs) {
        const bool first = scenario.info->first_axis.empty() || knob.key == scenario.info->first_axis;
        if (!knob.axis || !first) continue;
        state.axis = &knob;
        break;
    }
    return state;
}

State state_of(const Setting& setting, const State& looked_at) {
    State state = looked_at;
    state.compared.reset();
    if (setting.scenario != looked_at.scenario) {
        state.axis = initial_state(*setting.scenario, setting.device).axis;
        state.second_axis = nullptr;
        state.fit = false;
    }
    static_cast<Setting&>(state) = setting;
    follow_players(state.boards, looked_at.boards);
    clamp_board(state.boards);
    return state;
}

}  // namespace warplens
