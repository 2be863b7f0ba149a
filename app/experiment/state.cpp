#include "app/experiment/state.h"

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

KeptSetting setting_of(const State& state) {
    return {state.scenario, state.params, state.device, state.cold, state.bank_mode, state.boards};
}

State state_of(const KeptSetting& setting, const State& looked_at) {
    State state = looked_at;
    state.compared.reset();
    if (setting.scenario != looked_at.scenario) {
        state.axis = initial_state(*setting.scenario, setting.device).axis;
        state.second_axis = nullptr;
        state.fit = false;
    }
    state.scenario = setting.scenario;
    state.params = setting.params;
    state.device = setting.device;
    state.cold = setting.cold;
    state.bank_mode = setting.bank_mode;
    state.boards = setting.boards;
    state.boards.step = looked_at.boards.step;  // one player moves both
    clamp_board(state.boards);
    return state;
}

}  // namespace warplens
